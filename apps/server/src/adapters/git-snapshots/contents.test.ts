import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { contentId, createContents } from './contents.ts'

const run = promisify(execFile)
const bytesOf = (text: string) => new TextEncoder().encode(text)

async function open() {
  const folder = await temporaryFolder()
  const repository = join(folder.path, 'snapshots.git')
  return {
    ...createContents(repository),
    repository,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

test('RW-5 whatever bytes are kept are read again', async () => {
  await using contents = await open()
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 3_000 }), async (bytes) => {
      const id = await contents.keep(bytes)
      expect([...((await contents.read(id)) ?? [-1])]).toEqual([...bytes])
    }),
    { numRuns: 50 },
  )
})

test('RW-5 git reads what was kept without it, under the same id', async () => {
  await using contents = await open()
  await run('git', ['init', '--quiet', '--bare', contents.repository])
  const id = await contents.keep(bytesOf('Hello\n'))
  const { stdout } = await run('git', ['--git-dir', contents.repository, 'cat-file', 'blob', id])
  expect(stdout).toBe('Hello\n')
  expect(id).toBe('e965047ad7c57865823c7d992b1d046ea66edf78')
  await run('git', ['--git-dir', contents.repository, 'fsck', '--strict'])
})

test('RW-5 nothing has to be there before the first content, and nothing is made for a read', async () => {
  await using contents = await open()
  expect(await contents.read('0'.repeat(40))).toBeNull()
  await expect(stat(contents.repository)).rejects.toThrow(/ENOENT/)
  expect(await contents.keep(bytesOf(''))).toBe('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391')
})

test('RW-12 a content is kept once, also by many at the same time, and nothing half-written stays', async () => {
  await using contents = await open()
  const ids = await Promise.all(Array.from({ length: 20 }, () => contents.keep(bytesOf('One\n'))))
  const [id = ''] = ids
  expect(new Set(ids)).toEqual(new Set([id]))
  const place = join(contents.repository, 'objects', id.slice(0, 2))
  expect(await readdir(place)).toEqual([id.slice(2)])
})

test('SX-9 what is kept is the server’s alone, and is not written to again', async () => {
  await using contents = await open()
  const id = await contents.keep(bytesOf('secret'))
  const place = join(contents.repository, 'objects', id.slice(0, 2))
  expect((await stat(place)).mode & 0o077).toBe(0)
  expect((await stat(join(place, id.slice(2)))).mode & 0o377).toBe(0)
})

test('RW-9 a folder that can’t be written refuses a content, and keeps no part of it', async () => {
  await using contents = await open()
  await writeFile(contents.repository, 'a file in the place of the folder')
  await expect(contents.keep(bytesOf('One'))).rejects.toThrow(/ENOTDIR|EEXIST/)
})

test('RW-12 a content that is damaged on the disk is an error, not an empty file', async () => {
  await using contents = await open()
  const id = await contents.keep(bytesOf('One'))
  const file = join(contents.repository, 'objects', id.slice(0, 2), id.slice(2))
  await chmod(file, 0o600)
  await writeFile(file, deflateSync('x').subarray(0, 3))
  await expect(contents.read(id)).rejects.toThrow()
})

test.for([
  '',
  'a'.repeat(39),
  'a'.repeat(41),
  'A'.repeat(40),
  'g'.repeat(40),
  `../${'a'.repeat(37)}`,
  `--upload-pack=${'a'.repeat(26)}`,
  `${'a'.repeat(40)}\n`,
  `${'a'.repeat(20)}/${'a'.repeat(19)}`,
])('SX-9 an id out of a damaged row is no path and no option of git: %j', async (id) => {
  expect(() => contentId(id)).toThrow('This is no id of a content')
  await using contents = await open()
  await mkdir(contents.repository)
  await expect(contents.read(id)).rejects.toThrow('This is no id of a content')
})

test('SX-9 an id of git’s is one', () => {
  expect(contentId('0123456789abcdef0123456789abcdef01234567')).toBe(
    '0123456789abcdef0123456789abcdef01234567',
  )
})
