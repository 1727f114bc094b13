import { type ArchiveReport, isObject } from '@palimpsest/core/domain'
import { createStore, type Store } from '../state/create-store.ts'
import type { App } from '../stores/app.ts'

export type ArchiveState =
  | { at: 'idle' }
  /** `share` of the file that the server has, from 0 to 1. */
  | { at: 'sending'; file: string; share: number }
  | { at: 'cancelled' | 'lost' }
  | { at: 'done'; report: ArchiveReport }
  | { at: 'refused'; message: string }

export type ArchiveImport = {
  readonly state: Store<ArchiveState>
  /** Sends an archive; `settings` takes its instructions and default model too. */
  start(file: File, settings: boolean): void
  cancel(): void
}

const imports = new WeakMap<App, ArchiveImport>()

/** The import of a tab, which goes on while another page is open. */
export function archiveImportOf(app: App): ArchiveImport {
  const known = imports.get(app)
  if (known !== undefined) return known
  const made = createArchiveImport()
  imports.set(app, made)
  return made
}

function createArchiveImport(): ArchiveImport {
  const state = createStore<ArchiveState>({ at: 'idle' })
  let request: XMLHttpRequest | null = null

  return {
    state,
    start(file, settings) {
      request?.abort()
      // Only this API reports the progress of a request's body.
      const sent = new XMLHttpRequest()
      request = sent
      const set = (next: ArchiveState) => {
        if (request === sent) state.set(next)
      }
      sent.open('POST', `/api/v1/archive${settings ? '?settings=true' : ''}`)
      sent.setRequestHeader('content-type', 'application/gzip')
      sent.responseType = 'json'
      sent.upload.onprogress = ({ loaded, total }) =>
        set({ at: 'sending', file: file.name, share: total === 0 ? 1 : loaded / total })
      sent.onload = () => set(outcomeOf(sent.response))
      sent.onerror = () => set({ at: 'lost' })
      sent.onabort = () => set({ at: 'cancelled' })
      set({ at: 'sending', file: file.name, share: 0 })
      sent.send(file)
    },
    cancel: () => request?.abort(),
  }
}

/** What the server says: a report, or why it refuses the file. */
function outcomeOf(answer: unknown): ArchiveState {
  if (!isObject(answer)) return { at: 'lost' }
  const { error } = answer
  if (isObject(error)) return { at: 'refused', message: String(error['message']) }
  // The server answers with a report or with its error.
  return { at: 'done', report: answer as ArchiveReport }
}
