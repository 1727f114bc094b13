import { copyText } from '@palimpsest/ui'
import { words } from '../words/en.ts'
import type { Toasts } from './toasts.ts'

/** Puts text on the clipboard and says that it is there, or that it is not. */
export async function copyAndTell(toasts: Pick<Toasts, 'add'>, text: string, done: string): Promise<void> {
  const copied = await copyText(text)
  toasts.add(copied ? { message: done } : { tone: 'error', message: words.notCopied })
}
