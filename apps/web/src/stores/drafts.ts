import type { KeyValueStorage } from '../state/browser-storage.ts'
import { readStored, writeStored } from '../state/browser-storage.ts'
import { createStore, type Store } from '../state/create-store.ts'

/** A file that waits in the composer; `url` is a data URL. */
export type DraftFile = {
  readonly id: string
  readonly name: string
  readonly mediaType: string
  readonly url: string
  /** Bytes. */
  readonly size: number
}

/** What stands in a composer and has not been sent. */
export type Draft = { readonly text: string; readonly files: readonly DraftFile[] }

export type Drafts = {
  of(sessionId: string): Store<Draft>
  /** Throws away what was written for a session that is gone. */
  forget(sessionId: string): void
}

export const EMPTY_DRAFT: Draft = { text: '', files: [] }

/**
 * Drafts by session, kept across reloads. Text and files are stored apart, so that files which the browser has no room
 * for never cost the text.
 */
export function createDrafts(storage: KeyValueStorage): Drafts {
  const open = new Map<string, Store<Draft>>()

  function load(sessionId: string): Store<Draft> {
    const store = createStore(EMPTY_DRAFT)
    const text = readText(readStored(storage, textKey(sessionId)))
    const files = readFiles(readStored(storage, filesKey(sessionId)))
    if (text !== '' || files.length > 0) store.set({ text, files })
    let saved = store.get()
    store.subscribe(() => {
      const draft = store.get()
      if (draft.text !== saved.text) writeStored(storage, textKey(sessionId), draft.text || null)
      if (draft.files !== saved.files) keepFiles(storage, sessionId, draft.files)
      saved = draft
    })
    return store
  }

  return {
    of(sessionId) {
      const store = open.get(sessionId) ?? load(sessionId)
      open.set(sessionId, store)
      return store
    },
    forget(sessionId) {
      open.delete(sessionId)
      writeStored(storage, textKey(sessionId), null)
      writeStored(storage, filesKey(sessionId), null)
    },
  }
}

function keepFiles(storage: KeyValueStorage, sessionId: string, files: readonly DraftFile[]): void {
  const key = filesKey(sessionId)
  const kept = writeStored(storage, key, files.length === 0 ? null : files)
  if (!kept) writeStored(storage, key, null)
}

const textKey = (sessionId: string) => `palimpsest.draft.${sessionId}`
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
    typeof readField(value, 'size') === 'number'
  )
}

function readField(value: object, key: string): unknown {
  return new Map<string, unknown>(Object.entries(value)).get(key)
}
