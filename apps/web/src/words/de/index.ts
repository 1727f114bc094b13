import { de } from '@palimpsest/ui/de'
import { agent } from './agent.ts'
import { attention } from './attention.ts'
import { history } from './history.ts'
import { inspect } from './inspect.ts'
import { memories } from './memories.ts'
import { page } from './page.ts'
import { settings } from './settings.ts'
import { sources } from './sources.ts'

/** Everything in German, loaded when German is chosen. */
export const messages = de
export const translations = { page, history, settings, agent, attention, sources, memories, inspect }
