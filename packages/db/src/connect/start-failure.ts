import { access, constants, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError, isObject } from '@palimpsest/core/domain'
import { codeOf } from './private-file.ts'

type Trouble = 'full' | 'read-only' | 'forbidden'

const TROUBLES: [codes: RegExp, trouble: Trouble][] = [
  [/^(ENOSPC|EDQUOT|SQLITE_FULL)$/, 'full'],
  [/^(EROFS|SQLITE_READONLY.*)$/, 'read-only'],
  [/^(EACCES|EPERM|SQLITE_PERM)$/, 'forbidden'],
]

/** Codes that say what is wrong, and that it is not the disk. */
const OTHER = /^SQLITE_(BUSY|NOTADB|CORRUPT)/

/**
 * The error of opening the database at `path` that says what is wrong with its disk: full, read-only, or not writable by
 * this user. `error` itself when something else is wrong.
 */
export async function startFailure(path: string, error: unknown): Promise<unknown> {
  const codes = codesOf(error)
  // Without a cause it is a decision of ours, such as to refuse a newer database.
  if (codes.length === 0 || codes.some((code) => OTHER.test(code))) return error
  const trouble = troubleOf(codes) ?? (await probe(path))
  return trouble === null ? error : new AppError('STORE_ERROR', describe(trouble, path), { cause: error })
}

function describe(trouble: Trouble, path: string): string {
  switch (trouble) {
    case 'full':
      return `The disk is full: the database ${path} cannot be written. Free some space and start again.`
    case 'read-only':
      return `The disk is read-only: the database ${path} cannot be written.`
    case 'forbidden':
      return `The database ${path} cannot be written: this user lacks the permission for the file or its folder.`
  }
}

function troubleOf(codes: string[]): Trouble | null {
  return TROUBLES.find(([pattern]) => codes.some((code) => pattern.test(code)))?.[1] ?? null
}

/** The codes of an error and of what caused it; an empty string for each of these without one. */
function codesOf(error: unknown): string[] {
  const codes: string[] = []
  for (let next = error; isObject(next) && codes.length < 10; next = next['cause']) {
    // Prisma's adapter puts the code of SQLite's error into an object of its own.
    const code = next['originalCode'] ?? next['code']
    if (!(next instanceof AppError)) codes.push(typeof code === 'string' ? code : '')
  }
  return codes
}

async function probe(path: string): Promise<Trouble | null> {
  const folder = dirname(path)
  const code = await access(folder, constants.W_OK).then(() => '', codeOf)
  // A folder that could not be made: what its parent is on is the reason.
  if (code === 'ENOENT' && folder !== path) return probe(folder)
  if (code !== '') return troubleOf([code])
  const disk = await statfs(folder).catch(() => null)
  return disk !== null && (disk.bavail === 0 || disk.ffree === 0) ? 'full' : null
}
