import type { KeyValueStorage } from '../state/browser-storage.ts'
import { readStored, writeStored } from '../state/browser-storage.ts'
import { createStore, type Store } from '../state/create-store.ts'
import type { FileStorage } from '../state/file-storage.ts'

/** A file that waits in the composer; `url` is a data URL or the path of its upload, and empty until it is uploaded. */
export type DraftFile = {
  readonly id: string
  readonly name: string
  readonly mediaType: string
  readonly url: string
  /** Bytes. */
  readonly size: number
  /** The content of a file that is uploaded, kept until it is sent. */
  readonly bytes?: Blob
}

/** The content of a composer that has not been sent. */
export type Draft = { readonly text: string; readonly files: readonly DraftFile[] }

export type Drafts = {
  of(sessionId: string): Store<Draft>
  /** Adds a file once a reload no longer loses it, unless `isWanted` has become false by then. */
  addFile(sessionId: string, file: DraftFile, isWanted: () => boolean): Promise<void>
  /** Throws away what was written for a session that is gone. */
  forget(sessionId: string): void
}

export const EMPTY_DRAFT: Draft = { text: '', files: [] }

/**
 * Drafts by session, kept across reloads. Text and files are stored apart, so that files which exceed the browser's storage
 * for never cost the text. A draft is the same in every tab: text that is written in one shows in the others.
 * `onFileNotKept` is called with the name of a file that a reload would lose.
 */
export function createDrafts(
  storage: KeyValueStorage,
  files: FileStorage,
  onFileNotKept: (name: string) => void,
): Drafts {
  const open = new Map<string, Store<Draft>>()
  /** Keys of files that were removed: a listing that had begun before may still bring them. */
  const removed = new Set<string>()
  /** Files that are kept before they enter their draft. */
  const keptBefore = new WeakSet<DraftFile>()

  function load(sessionId: string): Store<Draft> {
    const store = createStore(EMPTY_DRAFT)
    const text = readText(readStored(storage, textKey(sessionId)))
    const listed = readFiles(readStored(storage, filesKey(sessionId)))
    if (text !== '' || listed.length > 0) store.set({ text, files: listed })
    let saved = store.get()
    store.subscribe(() => {
      const before = saved
      saved = store.get()
      if (saved.text !== before.text) writeStored(storage, textKey(sessionId), saved.text || null)
      keepFiles(sessionId, before.files, saved.files)
    })
    storage.subscribe((key, stored) => {
      if (key !== textKey(sessionId) || open.get(sessionId) !== store) return
      const theirs = stored === null ? '' : readText(readStored(storage, key))
      // What is stored by now is what was read, so that nothing is written.
      saved = { ...store.get(), text: theirs }
      store.set(saved)
    })
    void addKeptFiles(sessionId, store, listed)
    return store
  }

  /** Adds the files that were kept, and moves those that an older page kept beside the text. */
  async function addKeptFiles(sessionId: string, store: Store<Draft>, listed: DraftFile[]): Promise<void> {
    const stored = readFiles((await files.list(folderOf(sessionId))).map(([, file]) => file))
    const present = new Set(store.get().files.map(({ id }) => id))
    const isGone = ({ id }: DraftFile) => removed.has(folderOf(sessionId) + id)
    const added = stored.filter((file) => !present.has(file.id) && !isGone(file))
    const isOpen = open.get(sessionId) === store
    if (isOpen && added.length > 0) store.set({ ...store.get(), files: [...added, ...store.get().files] })
    const moving = listed.filter((file) => !isGone(file))
    const moved = await Promise.all(moving.map((file) => files.put(folderOf(sessionId) + file.id, file)))
    if (moved.every(Boolean)) writeStored(storage, filesKey(sessionId), null)
  }

  async function keepFile(sessionId: string, file: DraftFile): Promise<void> {
    if (!(await files.put(folderOf(sessionId) + file.id, file))) onFileNotKept(file.name)
  }

  /** Each file has a key of its own, so that no tab removes what another has added. */
  function keepFiles(sessionId: string, before: readonly DraftFile[], now: readonly DraftFile[]): void {
    for (const file of now)
      if (!before.includes(file) && !keptBefore.delete(file)) void keepFile(sessionId, file)
    const present = new Set(now.map(({ id }) => id))
    for (const { id } of now) removed.delete(folderOf(sessionId) + id)
    for (const { id } of before) {
      if (present.has(id)) continue
      removed.add(folderOf(sessionId) + id)
      void files.remove(folderOf(sessionId) + id)
    }
    if (before.length > now.length) writeStored(storage, filesKey(sessionId), null)
  }

  function storeOf(sessionId: string): Store<Draft> {
    const store = open.get(sessionId) ?? load(sessionId)
    open.set(sessionId, store)
    return store
  }

  return {
    of: storeOf,
    async addFile(sessionId, file, isWanted) {
      await keepFile(sessionId, file)
      if (!isWanted()) return await files.remove(folderOf(sessionId) + file.id)
      const store = storeOf(sessionId)
      const draft = store.get()
      // Another listing of the kept files can have brought it in by now.
      if (draft.files.some(({ id }) => id === file.id)) return
      keptBefore.add(file)
      store.set({ ...draft, files: [...draft.files, file] })
    },
    forget(sessionId) {
      open.delete(sessionId)
      writeStored(storage, textKey(sessionId), null)
      writeStored(storage, filesKey(sessionId), null)
      void files.remove(folderOf(sessionId))
    },
  }
}

const folderOf = (sessionId: string) => `draft/${sessionId}/`
const textKey = (sessionId: string) => `palimpsest.draft.${sessionId}`
/** Held all files of a draft until each had a key of its own. */
const filesKey = (sessionId: string) => `palimpsest.draft-files.${sessionId}`

function readText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function readFiles(value: unknown): DraftFile[] {
  return Array.isArray(value) ? value.filter(isDraftFile) : []
}

function isDraftFile(value: unknown): value is DraftFile {
  const fields = ['id', 'name', 'mediaType', 'url']
  return (
    typeof value === 'object' &&
    value !== null &&
    fields.every((key) => typeof readField(value, key) === 'string') &&
    typeof readField(value, 'size') === 'number' &&
    (readField(value, 'url') !== '' || readField(value, 'bytes') instanceof Blob)
  )
}

function readField(value: object, key: string): unknown {
  return new Map<string, unknown>(Object.entries(value)).get(key)
}
