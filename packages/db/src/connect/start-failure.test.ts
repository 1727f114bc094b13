import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { openStore } from '../open-store.ts'
import { CLOCK, temporaryFolder } from '../testing/temporary-store.ts'
import { startFailure } from './start-failure.ts'

const PATH = '/data/palimpsest.db'

const failure = (code: string) => Object.assign(new Error('It failed'), { code })

/** As Prisma's adapter reports it. */
const ofAdapter = (originalCode: string) =>
  new Error('It failed', { cause: { kind: 'sqlite', originalCode } })

const ofMigration = (cause: unknown) => new AppError('STORE_ERROR', 'Could not be migrated.', { cause })

test.for([
  ['full', failure('ENOSPC')],
  ['full', failure('EDQUOT')],
  ['full', failure('SQLITE_FULL')],
  ['full', ofMigration(failure('SQLITE_FULL'))],
  ['full', ofMigration(ofAdapter('SQLITE_FULL'))],
  ['read-only', failure('EROFS')],
  ['read-only', failure('SQLITE_READONLY')],
  ['read-only', failure('SQLITE_READONLY_CANTINIT')],
  ['read-only', ofMigration(ofAdapter('SQLITE_READONLY'))],
] as const)(
  'DA-6 a disk that is %s at start is reported as that, with the path',
  async ([trouble, error]) => {
    const reported = await startFailure(PATH, error)
    expect(reported).toMatchObject({
      code: 'STORE_ERROR',
      message: expect.stringContaining(`The disk is ${trouble}: the database ${PATH} cannot be written`),
      cause: error,
    })
  },
)

test('DA-6 a missing permission at start is reported as that, with the path', async () => {
  for (const code of ['EACCES', 'EPERM', 'SQLITE_PERM']) {
    const { message } = (await startFailure(PATH, failure(code))) as AppError
    expect(message).toContain(`The database ${PATH} cannot be written: this user lacks the permission`)
  }
})

test('DA-6 an error that the disk did not cause is reported unchanged', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'a.db')
  const errors = [
    new AppError('STORE_ERROR', 'This database was written by a newer version.'),
    new AppError('STORE_ERROR', 'This database is in use.', { cause: failure('SQLITE_BUSY') }),
    new AppError('STORE_ERROR', 'It cannot be read.', { cause: failure('SQLITE_NOTADB') }),
    ofMigration(failure('SQLITE_ERROR')),
    failure('SQLITE_CANTOPEN'),
  ]
  for (const error of errors) expect(await startFailure(path, error)).toBe(error)
  await writeFile(path, 'my precious notes, which are no database at all')
  const opening = openStore({ url: `file:${path}`, clock: CLOCK })
  await expect(opening).rejects.toThrow('The database file cannot be read.')
})

test('DA-6 of two faults at once the one that is not of the disk counts, and of two of the disk the full one', async () => {
  const both = (code: string, cause: string) =>
    ofMigration(Object.assign(failure(code), { cause: failure(cause) }))
  for (const code of ['SQLITE_BUSY', 'SQLITE_NOTADB', 'SQLITE_CORRUPT_INDEX']) {
    for (const error of [both('SQLITE_FULL', code), both(code, 'SQLITE_FULL')])
      expect(await startFailure(PATH, error)).toBe(error)
  }
  const { message } = (await startFailure(PATH, both('SQLITE_READONLY', 'ENOSPC'))) as AppError
  expect(message).toContain('The disk is full')
})

test('DA-6 a folder that could not be made is judged by the one above it, and a file in its place by nothing', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'file')
  await writeFile(file, '')
  const error = failure('SQLITE_CANTOPEN')
  expect(await startFailure(join(folder.path, 'not/there/a.db'), error)).toBe(error)
  expect(await startFailure(join(file, 'a.db'), error)).toBe(error)
})

test('DA-6 the tenth error of a chain still counts, and the eleventh does not', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'a.db')
  const chain = (length: number): unknown =>
    length === 1
      ? failure('SQLITE_FULL')
      : Object.assign(new Error('It failed'), { code: 7, cause: chain(length - 1) })
  expect(await startFailure(path, chain(10))).toMatchObject({ code: 'STORE_ERROR' })
  const deeper = chain(11)
  expect(await startFailure(path, deeper)).toBe(deeper)
})
