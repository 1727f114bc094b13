import { historyWords as words } from '../../words/en-history.ts'

/** The result of a rewind or of its undo; `files` is absent when no file changed. */
export type FilesResult = { hidden: number; files?: { count: number; failed?: true } }

/** The note on the files of a rewind or restore; null when the tray above the composer shows the same. */
export function filesNote({ hidden, files }: FilesResult): { tone?: 'error'; message: string } | null {
  if (files === undefined) return null
  if (files.failed) return { tone: 'error', message: words.filesLeft }
  return files.count === 0 || hidden > 0 ? null : { message: words.filesRestored(files.count) }
}
