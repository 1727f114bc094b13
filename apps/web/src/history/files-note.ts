import type { FileFate } from '@palimpsest/core/domain'
import { historyWords as words } from '../words/en-history.ts'

/** The result of an operation on the history; `files` is absent when it concerned none. */
export type FilesResult = {
  hidden: number
  files?: { count: number; failed?: true; fates?: readonly FileFate[] }
}

/** `asks`: the list of changes has something to decide. */
export type FilesNote = { tone?: 'error'; message: string; asks?: true }

/** The note on the files of a rewind or restore; null when the tray above the composer shows the same. */
export function filesNote({ hidden, files }: FilesResult): FilesNote | null {
  if (files === undefined) return null
  if (files.failed) return { tone: 'error', message: words.filesLeft, asks: true }
  const stayed = files.fates?.filter(({ fate }) => fate === 'conflict').length ?? 0
  if (stayed > 0) return { message: words.filesStayed(stayed), asks: true }
  return files.count === 0 || hidden > 0 ? null : { message: words.filesRestored(files.count) }
}
