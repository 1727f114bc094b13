import { blobHash } from '@palimpsest/core/domain'
import { type LazyModule, lazyModule, whenLoaded } from '@palimpsest/ui'
import { createStore, type WatchedStore } from '../state/create-store.ts'
import type { UploadedFile, UploadReport } from '../state/upload-file.ts'
import type { DraftFile } from './drafts.ts'

export type UploadState =
  | { type: 'uploading'; sent: number }
  | { type: 'waiting'; sent: number }
  | { type: 'failed'; reason: string }

export type UploadTransport = {
  uploadFile(file: UploadedFile, report: UploadReport, signal: AbortSignal): Promise<string>
  isStored(url: string): Promise<boolean>
}

/** The uploads of files that wait in composers. They outlive the composer that began them. */
export type Uploads = {
  /** By the file's id; without those that are done. */
  readonly states: WatchedStore<ReadonlyMap<string, UploadState>>
  /**
   * Uploads a file that has no URL yet, and checks one that has: the server keeps a file without a message for a day. Calls
   * back with its URL, or an empty one when it has to be uploaded again. Does nothing for a file that is known already.
   */
  ensure(file: DraftFile, onUrl: (url: string) => void): void
  cancel(id: string): void
}

/** Preloaded, so that an upload can begin to wait for a server that is out of reach. */
export const uploadTransport = lazyModule<UploadTransport>(() => import('../state/upload-file.ts'))

export function createUploads(transport: LazyModule<UploadTransport> = uploadTransport): Uploads {
  const states = createStore<ReadonlyMap<string, UploadState>>(new Map())
  const running = new Map<string, AbortController>()
  const checked = new Set<string>()

  function put(id: string, state: UploadState | null): void {
    const next = new Map(states.get())
    if (state === null) next.delete(id)
    else next.set(id, state)
    states.set(next)
  }

  async function upload({ id, mediaType }: DraftFile, bytes: Blob, stop: AbortController): Promise<string> {
    let sent = 0
    const { uploadFile } = await whenLoaded(transport)
    stop.signal.throwIfAborted()
    put(id, { type: 'uploading', sent })
    const report: UploadReport = {
      onProgress(share) {
        if (stop.signal.aborted) return
        sent = share
        put(id, { type: 'uploading', sent })
      },
      onWaiting: () => stop.signal.aborted || put(id, { type: 'waiting', sent }),
    }
    return await uploadFile({ id, bytes, mediaType }, report, stop.signal)
  }

  function start(file: DraftFile, bytes: Blob, onUrl: (url: string) => void): void {
    const { id } = file
    const stop = new AbortController()
    running.set(id, stop)
    put(id, { type: 'waiting', sent: 0 })
    upload(file, bytes, stop)
      .then((url) => {
        if (stop.signal.aborted) return
        checked.add(url)
        onUrl(url)
        put(id, null)
      })
      .catch((error: unknown) => {
        if (stop.signal.aborted) return
        put(id, { type: 'failed', reason: error instanceof Error ? error.message : String(error) })
      })
      .finally(() => running.get(id) === stop && running.delete(id))
  }

  async function check({ url }: DraftFile, onUrl: (url: string) => void): Promise<void> {
    checked.add(url)
    const { isStored } = await whenLoaded(transport)
    if (!(await isStored(url))) onUrl('')
  }

  return {
    states,
    ensure(file, onUrl) {
      const { id, url, bytes } = file
      if (bytes === undefined || running.has(id)) return
      if (url === '') {
        if (!states.get().has(id)) start(file, bytes, onUrl)
      } else if (blobHash(url) !== null && !checked.has(url)) void check(file, onUrl)
    },
    cancel(id) {
      running.get(id)?.abort()
      running.delete(id)
      put(id, null)
    },
  }
}
