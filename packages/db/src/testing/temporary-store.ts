import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '@palimpsest/core/ports'
import { migrate } from '../migrate/migrate.ts'
import { type OpenStoreOptions, openStore } from '../open-store.ts'

export const CLOCK = { now: () => 1_000 }

/** A folder of its own that goes when it is disposed. */
export async function temporaryFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'palimpsest-db-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Migrating takes a moment, so it is done once for all tests, and each starts from a copy. */
const migrated = migratedFile()

async function migratedFile(): Promise<Buffer> {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'template.db')
  await migrate(path)
  return await readFile(path)
}

/** A store on a file of its own. */
export async function temporaryStore(
  options: Partial<OpenStoreOptions> = {},
): Promise<AsyncDisposable & { store: Store; path: string; restart(): Promise<Store> }> {
  await using resources = new AsyncDisposableStack()
  const folder = resources.use(await temporaryFolder())
  const path = join(folder.path, 'store.db')
  await writeFile(path, await migrated)
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
