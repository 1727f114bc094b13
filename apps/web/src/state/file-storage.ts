import { type KeyValueStorage, readStored, writeStored } from './browser-storage.ts'

/** Larger values by key, kept in the browser: IndexedDB holds many files, localStorage 5 MB in all. */
export type FileStorage = {
  /** Every value whose key begins with `prefix`, in the order of the keys. */
  list(prefix: string): Promise<[key: string, value: unknown][]>
  /** False when the browser keeps it nowhere. */
  put(key: string, value: unknown): Promise<boolean>
  /** Removes every value whose key begins with `prefix`. */
  remove(prefix: string): Promise<void>
}

const DATABASE = 'palimpsest'
const STORE = 'files'
const IN_STORAGE = 'palimpsest.file.'

/** Files in IndexedDB; where there is none, or it refuses, in `storage`. */
export function createFileStorage(storage: KeyValueStorage, factory: IDBFactory | undefined): FileStorage {
  let opened: Promise<IDBDatabase> | null = null
  let calls = 0
  /** The last removal of each prefix: a value whose `put` came before it is not kept in `storage` after it. */
  const removals = new Map<string, number>()

  function isRemovedSince(key: string, call: number): boolean {
    return [...removals].some(([prefix, removal]) => removal > call && key.startsWith(prefix))
  }

  /** Runs one request in a transaction of its own; rejects when it is not durable. */
  async function run<T>(mode: IDBTransactionMode, ask: (files: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    if (factory === undefined) throw new Error('This browser has no IndexedDB.')
    opened ??= openDatabase(factory)
    const database = await opened
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const transaction = database.transaction(STORE, mode)
    const request = ask(transaction.objectStore(STORE))
    transaction.oncomplete = () => resolve(request.result)
    transaction.onabort = () => reject(transaction.error ?? new Error('The transaction was aborted.'))
    return promise
  }

  return {
    async list(prefix) {
      const [keys, values] = await Promise.all([
        run('readonly', (files) => files.getAllKeys(rangeOf(prefix))).catch(() => []),
        run<unknown[]>('readonly', (files) => files.getAll(rangeOf(prefix))).catch(() => []),
      ])
      const inDatabase = keys.map((key, at): [string, unknown] => [String(key), values[at]])
      const inStorage = storageKeys(storage, prefix).map((key): [string, unknown] => [
        key,
        readStored(storage, IN_STORAGE + key),
      ])
      return [...inDatabase, ...inStorage].sort(([a], [b]) => (a < b ? -1 : 1))
    },
    put(key, value) {
      const call = ++calls
      const fallBack = () => {
        if (isRemovedSince(key, call)) return true
        return !holdsBytes(value) && writeStored(storage, IN_STORAGE + key, value)
      }
      return run('readwrite', (files) => files.put(value, key)).then(() => true, fallBack)
    },
    async remove(prefix) {
      removals.set(prefix, ++calls)
      for (const key of storageKeys(storage, prefix)) writeStored(storage, IN_STORAGE + key, null)
      await run('readwrite', (files) => files.delete(rangeOf(prefix))).catch(() => undefined)
    },
  }
}

/** Bytes have no form in JSON. */
function holdsBytes(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && Object.values(value).some((each) => each instanceof Blob)
  )
}

function rangeOf(prefix: string): IDBKeyRange {
  return IDBKeyRange.bound(prefix, `${prefix}\uffff`)
}

function storageKeys(storage: KeyValueStorage, prefix: string): string[] {
  return storage.keys(IN_STORAGE + prefix).map((key) => key.slice(IN_STORAGE.length))
}

function openDatabase(factory: IDBFactory): Promise<IDBDatabase> {
  const { promise, resolve, reject } = Promise.withResolvers<IDBDatabase>()
  const request = factory.open(DATABASE, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE)
  request.onsuccess = () => resolve(request.result)
  request.onerror = () => reject(request.error ?? new Error('IndexedDB can’t be opened.'))
  return promise
}
