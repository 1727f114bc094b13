import { historyWords as words } from '../words/en-history.ts'

/** What came of the files in a rewind or its undoing; absent where all of them stayed as they were. */
export type WalkResult = { files?: { count: number; failed?: true } }

/** What a reader is told of the files after a rewind or its undoing; null when none had to move. */
export function filesNote(files: WalkResult['files']): { tone?: 'error'; message: string } | null {
  if (files === undefined) return null
  if (files.failed) return { tone: 'error', message: words.filesLeft }
  return files.count === 0 ? null : { message: words.filesRestored(files.count) }
}
