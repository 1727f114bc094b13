import { join } from 'node:path'
import { DATABASE_FOLDER, writeDatabase } from '@palimpsest/db/testing'
import { temporaryFolder } from './temporary-folder.ts'

/** An empty database in a folder of its own, which is deleted on dispose. */
export async function temporaryDatabase(): Promise<AsyncDisposable & { readonly url: string }> {
  const folder = await temporaryFolder('palimpsest-', DATABASE_FOLDER)
  const path = join(folder.path, 'chat.db')
  await writeDatabase(path)
  return { url: `file:${path}`, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] }
}
