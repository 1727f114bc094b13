import { historyWords as words } from '../words/en-history.ts'

/** What came of a rewind or its undoing; `files` is absent where all of them stayed as they were. */
export type RewindResult = { hidden: number; files?: { count: number; failed?: true } }

/** What a reader is told of files once they were to move; null when the tray over the composer tells it already. */
export function filesNote({ hidden, files }: RewindResult): { tone?: 'error'; message: string } | null {
  if (files === undefined) return null
  if (files.failed) return { tone: 'error', message: words.filesLeft }
  return files.count === 0 || hidden > 0 ? null : { message: words.filesRestored(files.count) }
}
