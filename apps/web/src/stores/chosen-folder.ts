import { type KeyValueStorage, readStored, writeStored } from '../state/browser-storage.ts'
import { createStore, type Store } from '../state/create-store.ts'

const KEY = 'palimpsest.folder'

/** The choice of no folder; paths are absolute. */
export const NO_FOLDER = 'none'

/** The folder of new chats as it was chosen in this browser: a path, `NO_FOLDER`, or null for the server's default. */
export function createChosenFolder(storage: KeyValueStorage): Store<string | null> {
  const store = createStore<string | null>(null)
  const stored = readStored(storage, KEY)
  if (typeof stored === 'string') store.set(stored)
  store.subscribe(() => writeStored(storage, KEY, store.get()))
  return store
}

/** What a server says of its folders. `demo` is that of a chat with the demo model that names none. */
export type ServerFolders = {
  workspaces: readonly string[]
  defaultWorkspace: string | null
  demo: string | null
}

/**
 * The folder of the next new chat: `named` is what the server is told, undefined for its default; `value` is the folder that
 * the chat will have, undefined while the server's folders are not known. A choice that is no longer allowed counts for
 * nothing; until the allowed ones are known it is used, and the server decides.
 */
export function folderOf(
  chosen: string | null,
  server: ServerFolders | null,
): { named: string | null | undefined; value: string | null | undefined } {
  if (chosen === NO_FOLDER) return { named: null, value: null }
  if (chosen !== null && (server === null || isWithin(chosen, server.workspaces)))
    return { named: chosen, value: chosen }
  return { named: undefined, value: server === null ? undefined : (server.defaultWorkspace ?? server.demo) }
}

/** Whether a path is one of these folders, or inside one. */
export function isWithin(path: string, folders: readonly string[]): boolean {
  return folders.some(
    (folder) => path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`),
  )
}
