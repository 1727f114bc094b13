import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEFAULT_DATABASE_URL, databasePath } from '../src/connect/database-url.ts'

/** Scripts run in this package's folder, but a relative DATABASE_URL is relative to the repository, where the host starts. */
const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url))

/** The file of the store that DATABASE_URL names. */
export function storePath(): string {
  return databasePath(process.env['DATABASE_URL'] ?? DEFAULT_DATABASE_URL, REPOSITORY)
}

/** A path that a person typed, from where they typed it. */
export function typedPath(path: string): string {
  return resolve(process.env['INIT_CWD'] ?? process.cwd(), path)
}
