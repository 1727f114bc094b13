import type { FileFate } from '@palimpsest/core/domain'
import type { App } from '../../stores/app.ts'
import { changesWords as words } from '../../words/en-changes.ts'

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
  if (files.failed) return { tone: 'error', message: words.left, asks: true }
  const stayed = files.fates?.filter(({ fate }) => fate === 'conflict').length ?? 0
  if (stayed > 0) return { message: words.stayed(stayed), asks: true }
  return files.count === 0 || hidden > 0 ? null : { message: words.tookBack(files.count) }
}

export type NotePorts = Pick<App, 'toasts'> & { history: Pick<App['history'], 'of'> }

/** Adds a note to the page; one that asks leads to the list of changes of the session. */
export function addFilesNote(note: FilesNote, sessionId: string, { toasts, history }: NotePorts): void {
  const { asks, ...toast } = note
  const view = history.of(sessionId)
  const onAction = () => view.set({ ...view.get(), panel: 'changes' })
  toasts.add({ ...toast, ...(asks && { action: { label: words.decide, onAction } }) })
}
