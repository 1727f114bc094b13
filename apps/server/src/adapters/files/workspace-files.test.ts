import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { workspaceFiles } from '../../testing/nothing-protected.ts'

const { find, read, write, locate, list, exists } = workspaceFiles
const bytes = (text: string) => new TextEncoder().encode(text)
const stampOf = (text: string) => createHash('sha256').update(text).digest('hex')
const text = (found: Uint8Array | null) => (found === null ? null : new TextDecoder().decode(found))

async function openWorkspace() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'palimpsest-files-')))
  const root = join(folder, 'root')
  await mkdir(join(root, 'sub'), { recursive: true })
  await writeFile(join(root, 'sub', 'a.txt'), 'Wörter 🙂 here')
  await writeFile(join(folder, 'secret.txt'), 'secret')
  await symlink(join(folder, 'secret.txt'), join(root, 'link'))
  await symlink('sub/a.txt', join(root, 'inside'))
  await symlink('sub/gone', join(root, 'dangling'))
  return { folder, root, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

const OUTSIDE = ['../secret.txt', 'link', '/etc/passwd', 'sub/../../secret.txt', '../new.txt', '/tmp/new/x']

test('TO-5 a file is read whole, also through a link inside the workspace, and a missing one is none', async () => {
  await using workspace = await openWorkspace()
  const { root } = workspace
  expect(text(await read(root, './sub/../sub/a.txt'))).toBe('Wörter 🙂 here')
  expect(text(await read(root, 'inside'))).toBe('Wörter 🙂 here')
  expect(text(await read(root, join(root, 'sub/a.txt')))).toBe('Wörter 🙂 here')
  expect(await read(root, 'gone/at/all.txt')).toBeNull()
  expect(await locate(root, 'inside')).toBe('sub/a.txt')
  expect(await locate(root, 'new/../new/x.txt')).toBe('new/x.txt')
  expect(await locate(root, '')).toBe('.')
  expect(await list(root, '.', 2)).toEqual({ names: ['dangling', 'inside'], total: 4 })
  expect(await list(root, 'sub/a.txt', 2)).toBeNull()
})

test('TO-5 what is at a path is found in one go, a file with its bytes or a folder with its names', async () => {
  await using workspace = await openWorkspace()
  const { root } = workspace
  expect(await find(root, 'inside', 2)).toEqual({
    type: 'file',
    path: 'sub/a.txt',
    bytes: new Uint8Array(bytes('Wörter 🙂 here')),
  })
  expect(await find(root, '.', 2)).toEqual({
    type: 'folder',
    path: '.',
    names: ['dangling', 'inside'],
    total: 4,
  })
  expect(await find(root, 'gone/at/all.txt', 2)).toBeNull()
  await expect(find(root, 'dangling', 2)).rejects.toThrow('leads nowhere')
})

test('SY-3 a name is there or not, whatever a link of that name leads to', async () => {
  await using workspace = await openWorkspace()
  const found = async (path: string) => await exists(workspace.root, path)
  expect(await Promise.all(['sub', 'sub/a.txt', 'link', 'dangling', '.'].map(found))).toEqual(
    Array.from({ length: 5 }, () => true),
  )
  expect(await Promise.all(['gone', 'sub/gone', 'sub/a.txt/x'].map(found))).toEqual([false, false, false])
})

test.each(OUTSIDE)('TO-5 nothing outside the workspace is located, read or written (%s)', async (path) => {
  await using workspace = await openWorkspace()
  const { root, folder } = workspace
  const refusal = { code: 'INVALID_INPUT', message: expect.stringContaining('outside') }
  await expect(locate(root, path)).rejects.toMatchObject(refusal)
  await expect(read(root, path)).rejects.toMatchObject(refusal)
  await expect(find(root, path, 1)).rejects.toMatchObject(refusal)
  await expect(write(root, path, bytes('x'), null)).rejects.toMatchObject(refusal)
  expect(await readdir(folder)).toEqual(['root', 'secret.txt'])
  expect(await readFile(join(folder, 'secret.txt'), 'utf8')).toBe('secret')
})

test.each([
  ['sub', 'is not a file'],
  ['dangling', 'leads nowhere'],
  ['a\0b', 'is no path'],
  ['inside/x', 'cannot be reached'],
])('TO-5 a path that is not a file is refused with the reason (%s)', async (path, why) => {
  await using workspace = await openWorkspace()
  await expect(read(workspace.root, path)).rejects.toThrow(why)
  await expect(write(workspace.root, path, bytes('x'), null)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
})

test('TO-5 a write replaces a file in one step, keeps its mode, follows its link and leaves nothing beside it', async () => {
  await using workspace = await openWorkspace()
  const { root } = workspace
  await chmod(join(root, 'sub', 'a.txt'), 0o755)
  await write(root, 'inside', bytes('new'), stampOf('Wörter 🙂 here'))
  expect(await readFile(join(root, 'sub', 'a.txt'), 'utf8')).toBe('new')
  expect((await stat(join(root, 'sub', 'a.txt'))).mode & 0o777).toBe(0o755)
  await write(root, 'deep/er/b.txt', bytes('b'), null)
  expect(await readFile(join(root, 'deep', 'er', 'b.txt'), 'utf8')).toBe('b')
  expect(await readdir(join(root, 'sub'))).toEqual(['a.txt'])
  expect(await readdir(join(root, 'deep', 'er'))).toEqual(['b.txt'])
})

test('TO-5 a write of a file that is not as expected is a conflict, and changes nothing', async () => {
  await using workspace = await openWorkspace()
  const { root } = workspace
  const conflict = { code: 'CONFLICT', message: expect.stringContaining('sub/a.txt') }
  await expect(write(root, 'sub/a.txt', bytes('x'), stampOf('else'))).rejects.toMatchObject(conflict)
  await expect(write(root, 'sub/a.txt', bytes('x'), null)).rejects.toMatchObject(conflict)
  await expect(write(root, 'sub/b.txt', bytes('x'), stampOf(''))).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await readFile(join(root, 'sub', 'a.txt'), 'utf8')).toBe('Wörter 🙂 here')
  const made = await Promise.allSettled(
    Array.from({ length: 8 }, (_, at) => write(root, 'sub/c.txt', bytes(`${at}`), null)),
  )
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await readdir(join(root, 'sub'))).toEqual(['a.txt', 'c.txt'])
})

const OPERATIONS = process.env['TEST_PROFILE'] === 'long' ? 100_000 : 1_500

test(`TO-5 SX-9 a folder that is swapped for a link during ${OPERATIONS} operations lets none of them outside`, async () => {
  await using workspace = await openWorkspace()
  const { folder, root } = workspace
  const outside = join(folder, 'outside')
  await mkdir(outside)
  await writeFile(join(outside, 'a.txt'), 'secret words')
  await writeFile(join(outside, 'secret-name.txt'), '')
  let open = true
  const swapping = (async () => {
    while (open) {
      await rename(join(root, 'sub'), join(root, 'kept'))
      // A write may have made the folder that is missing for a moment.
      await symlink(outside, join(root, 'sub')).catch(() => undefined)
      await rm(join(root, 'sub'), { recursive: true })
      await rename(join(root, 'kept'), join(root, 'sub'))
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  const found = new Set<string | null>()
  const listed = new Set<string>()
  let written = 0
  const operate = async (at: number) => {
    found.add(text(await read(root, 'sub/a.txt').catch(() => null)))
    const there = await find(root, 'sub/a.txt', 1).catch(() => null)
    found.add(there?.type === 'file' ? text(there.bytes) : null)
    const names = await find(root, 'sub', 100).catch(() => null)
    if (names?.type === 'folder') for (const name of names.names) listed.add(name)
    const path = `sub/${at % 50}.txt`
    const before = text(await read(root, path).catch(() => null))
    await write(root, path, bytes('x'), before === null ? null : stampOf(before)).then(
      () => (written += 1),
      () => undefined,
    )
  }
  for (let from = 0; from < OPERATIONS; from += 50)
    await Promise.all(Array.from({ length: 50 }, (_, at) => operate(from + at)))
  open = false
  await swapping
  expect([...found].filter((one) => one !== null && one !== 'Wörter 🙂 here')).toEqual([])
  expect([...listed]).not.toContain('secret-name.txt')
  expect(await readdir(outside)).toEqual(['a.txt', 'secret-name.txt'])
  expect(written).toBeGreaterThan(0)
}, 600_000)

test('SX-9 a root that is later replaced by a link opens nothing', async () => {
  await using workspace = await openWorkspace()
  const { folder, root } = workspace
  await rename(root, join(folder, 'moved'))
  await symlink(folder, root)
  await expect(read(root, 'secret.txt')).rejects.toThrow('outside')
})

test.skipIf(process.platform !== 'linux').each(['proc/self/environ', 'proc/self/status', 'dev/null'])(
  'SX-9 files of the kernel are not read, even where the whole disk is allowed (%s)',
  async (path) => {
    await expect(read('/', path)).rejects.toThrow('outside')
  },
)

test.skipIf(process.platform === 'win32')(
  'SX-9 a pipe is refused, without waiting for its writer',
  async () => {
    await using workspace = await openWorkspace()
    execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', join(workspace.root, 'pipe')])
    await expect(read(workspace.root, 'pipe')).rejects.toThrow('is not a file')
    await expect(write(workspace.root, 'pipe', bytes('x'), null)).rejects.toThrow('is not a file')
  },
)
