import { changesWords as english } from '@palimpsest/ui'
import { inLanguage } from './in-language.ts'

/** Texts about the files that a chat has changed. */
export const changesWords = inLanguage('changes', english)
