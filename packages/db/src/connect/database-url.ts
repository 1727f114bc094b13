import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppError } from '@palimpsest/core/domain'

/** Where the store is when nothing else is said; relative to the folder that the host was started in. */
export const DEFAULT_DATABASE_URL = 'file:./data/palimpsest.db'

/** The absolute path of a `file:` URL, a relative one being relative to `folder`. Other schemes are `INVALID_INPUT` of field `DATABASE_URL`. */
export function databasePath(url: string, folder = process.cwd()): string {
  const [, path] = /^file:([^?#]+)/.exec(url) ?? []
  if (path === undefined) {
    const scheme = /^[a-z]+(?=:)/i.exec(url)?.[0] ?? 'none'
    throw new AppError(
      'INVALID_INPUT',
      `DATABASE_URL takes a file, such as ${DEFAULT_DATABASE_URL}; this version serves no other databases (the scheme given is ${scheme}).`,
      { field: 'DATABASE_URL' },
    )
  }
  if (path.startsWith('//')) return fileURLToPath(`file:${path}`)
  return isAbsolute(path) ? path : resolve(folder, path)
}
