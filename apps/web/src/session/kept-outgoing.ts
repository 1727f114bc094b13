import type { ChatPart } from '@palimpsest/core/domain'
import { type KeyValueStorage, readStored, writeStored } from '../state/browser-storage.ts'
import type { FileStorage } from '../state/file-storage.ts'
import type { Outgoing } from './outgoing.ts'

/**
 * What is on its way, kept across reloads for a server that was out of reach. Each message has a key of its own, so that
 * tabs never overwrite each other's; its files are kept apart, so that files which don't fit never cost the text.
 */
export type KeptOutgoing = {
  /** What is kept, oldest first, to be sent again under the same ids. Files have an empty URL until they are restored. */
  read(): Outgoing[]
  /** Keeps a message; the answer says whether its files are kept too. Null when not even its text is. */
  keep(outgoing: Outgoing): Promise<boolean> | null
  /** Removes a message that the server has taken or a person discarded. */
  drop(messageId: string): void
  has(messageId: string): boolean
  /** The message with its files; without those that are kept nowhere. */
  restoreFiles(outgoing: Outgoing): Promise<Outgoing>
  /** Calls back when another tab keeps a message, or removes one, which is null. */
  subscribe(listener: (messageId: string, outgoing: Outgoing | null) => void): () => void
}

export function createKeptOutgoing(
  storage: KeyValueStorage,
  files: FileStorage,
  sessionId: string,
): KeptOutgoing {
  /** Held every message in one list until each had a key of its own. */
  const listKey = `palimpsest.outgoing.${sessionId}`
  const prefix = `${listKey}.`
  const filesKey = (messageId: string) => `outgoing/${sessionId}/${messageId}/`

  function keep(outgoing: Outgoing): Promise<boolean> | null {
    const { state: _, ...entry } = outgoing
    const { id, parts } = entry.message
    const message = { ...entry.message, parts: parts.map((part) => withUrl(part, () => '')) }
    if (!writeStored(storage, prefix + id, { ...entry, message })) return null
    const urls = parts.flatMap((part) => (part.type === 'file' ? [part.url] : []))
    return urls.length === 0 ? Promise.resolve(true) : files.put(filesKey(id), urls)
  }

  /** Gives each message of the list its own key. The list stays until all of them have one. */
  function migrate(): Outgoing[] {
    const listed = readList()
    if (listed.length === 0) return []
    const kept = listed.map(
      (outgoing) => storage.keys(prefix + outgoing.message.id).length > 0 || keep(outgoing),
    )
    if (!kept.includes(null)) {
      void Promise.all(kept).then((all) => all.every(Boolean) && writeStored(storage, listKey, null))
    }
    return listed
  }

  function readList(): Outgoing[] {
    const list = readStored(storage, listKey)
    return Array.isArray(list) ? list.filter(isOutgoing).map(asSending) : []
  }

  function readOne(messageId: string): Outgoing | null {
    const entry = readStored(storage, prefix + messageId)
    return isOutgoing(entry) && entry.message.id === messageId ? asSending(entry) : null
  }

  return {
    read() {
      const listed = migrate()
      const ids = new Set(listed.map(({ message }) => message.id))
      const own = storage
        .keys(prefix)
        .map((key) => key.slice(prefix.length))
        .flatMap((id) => (ids.has(id) ? [] : (readOne(id) ?? [])))
      return [...listed, ...own].sort((a, b) => sentAt(a) - sentAt(b))
    },
    keep,
    drop(messageId) {
      writeStored(storage, prefix + messageId, null)
      const listed = readList()
      const rest = listed.filter(({ message }) => message.id !== messageId)
      if (rest.length < listed.length) writeStored(storage, listKey, rest.length === 0 ? null : rest)
      void files.remove(filesKey(messageId))
    },
    has: (messageId) =>
      storage.keys(prefix + messageId).includes(prefix + messageId) ||
      readList().some(({ message }) => message.id === messageId),
    async restoreFiles(outgoing) {
      const { message } = outgoing
      const [found] = await files.list(filesKey(message.id))
      const urls = Array.isArray(found?.[1]) ? found[1].map(String) : []
      const parts = message.parts
        .map((part) => withUrl(part, (url) => url || (urls.shift() ?? '')))
        .filter((part) => part.type !== 'file' || part.url !== '')
      return { ...outgoing, message: { ...message, parts } }
    },
    subscribe: (listener) =>
      storage.subscribe((key, text) => {
        if (!key.startsWith(prefix)) return
        const messageId = key.slice(prefix.length)
        const outgoing = text === null ? null : readOne(messageId)
        if (text === null || outgoing !== null) listener(messageId, outgoing)
      }),
  }
}

/** Whether files of a message have to be restored before it can be sent. */
export function lacksFiles({ message }: Outgoing): boolean {
  return message.parts.some((part) => part.type === 'file' && part.url === '')
}

function withUrl(part: ChatPart, change: (url: string) => string): ChatPart {
  return part.type === 'file' ? { ...part, url: change(part.url) } : part
}

function asSending(entry: Outgoing): Outgoing {
  return { ...entry, replaces: entry.replaces ?? null, state: { type: 'sending' } }
}

function sentAt({ message }: Outgoing): number {
  return message.metadata?.createdAt ?? 0
}

/** Storage holds what this page wrote; this only keeps out what an older or foreign page left there. */
function isOutgoing(value: unknown): value is Outgoing {
  return (
    typeof value === 'object' &&
    value !== null &&
    'createsSession' in value &&
    'message' in value &&
    typeof value.message === 'object' &&
    value.message !== null &&
    'id' in value.message &&
    'parts' in value.message &&
    typeof value.message.id === 'string' &&
    Array.isArray(value.message.parts) &&
    value.message.parts.every(isPart)
  )
}

function isPart(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
