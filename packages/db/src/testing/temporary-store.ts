import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from '@palimpsest/core/ports'
import { type OpenStoreOptions, openStore } from '../open-store.ts'
import { DATABASE_FOLDER } from './database-folder.ts'
import { writeDatabase } from './write-database.ts'

export const CLOCK = { now: () => 1_000 }

/** A folder of its own that goes when it is disposed. */
export async function temporaryFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(DATABASE_FOLDER, 'palimpsest-db-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** A store on a file of its own. */
export async function temporaryStore(
  options: Partial<OpenStoreOptions> = {},
): Promise<AsyncDisposable & { store: Store; path: string; restart(): Promise<Store> }> {
  await using resources = new AsyncDisposableStack()
  const folder = resources.use(await temporaryFolder())
  const path = join(folder.path, 'store.db')
  await writeDatabase(path)
  const open = () => openStore({ url: `file:${path}`, clock: CLOCK, ...options })
  let store = await open()
  resources.defer(() => store[Symbol.asyncDispose]())
  const all = resources.move()
  return {
    store,
    path,
    async restart() {
      await store[Symbol.asyncDispose]()
      store = await open()
      return store
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}
