import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { workspaceFiles } from './workspace-files.ts'

const ALL = { offset: 0, limit: 1000 }

async function openWorkspace() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'palimpsest-files-')))
  const root = join(folder, 'root')
  await mkdir(join(root, 'sub'), { recursive: true })
  await writeFile(join(root, 'sub', 'a.txt'), 'Wörter 🙂 here')
  await writeFile(join(root, 'bytes'), new Uint8Array([0xff, 0xfe, 0x00]))
  await writeFile(join(folder, 'secret.txt'), 'secret')
  await symlink(join(folder, 'secret.txt'), join(root, 'link'))
  return { folder, root, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

test('TO-5 text is read by characters, with the length of the whole file', async () => {
  await using workspace = await openWorkspace()
  const { root } = workspace
  expect(await workspaceFiles.readText(root, 'sub/a.txt', ALL)).toEqual({
    text: 'Wörter 🙂 here',
    totalCharacters: 14,
  })
  expect((await workspaceFiles.readText(root, './sub/../sub/a.txt', { offset: 10, limit: 2 })).text).toBe(
    'he',
  )
})

test.each(['../secret.txt', 'link', '/etc/passwd', 'sub/../../secret.txt'])(
  'TO-5 nothing outside the workspace is read (%s)',
  async (path) => {
    await using workspace = await openWorkspace()
    const reading = workspaceFiles.readText(workspace.root, path, ALL)
    await expect(reading).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('outside'),
    })
  },
)

test.each([
  ['gone.txt', 'does not exist'],
  ['sub', 'is not a file'],
  ['bytes', 'is not text'],
])('TO-5 a path that is not a text file is refused with the reason (%s)', async (path, why) => {
  await using workspace = await openWorkspace()
  await expect(workspaceFiles.readText(workspace.root, path, ALL)).rejects.toThrow(why)
})

test('SX-9 a link that is swapped in between the check and the opening is not followed', async () => {
  await using workspace = await openWorkspace()
  const { folder, root } = workspace
  await mkdir(join(folder, 'outside'))
  await writeFile(join(folder, 'outside', 'a.txt'), 'secret')
  let open = true
  const swapping = (async () => {
    while (open) {
      await rename(join(root, 'sub'), join(root, 'kept'))
      await symlink(join(folder, 'outside'), join(root, 'sub'))
      await rm(join(root, 'sub'))
      await rename(join(root, 'kept'), join(root, 'sub'))
    }
  })()
  const read = async () =>
    (await workspaceFiles.readText(root, 'sub/a.txt', ALL).catch(() => null))?.text ?? null
  const texts = new Set(await Promise.all(Array.from({ length: 500 }, read)))
  open = false
  await swapping
  expect([...texts].filter((text) => text !== null && text !== 'Wörter 🙂 here')).toEqual([])
})

test('SX-9 a root that is later replaced by a link opens nothing', async () => {
  await using workspace = await openWorkspace()
  const { folder, root } = workspace
  await rename(root, join(folder, 'moved'))
  await symlink(folder, root)
  await expect(workspaceFiles.readText(root, 'secret.txt', ALL)).rejects.toThrow('outside')
})

test.skipIf(process.platform !== 'linux').each(['proc/self/environ', 'proc/self/status', 'dev/null'])(
  'SX-9 files of the kernel are not read, even where the whole disk is allowed (%s)',
  async (path) => {
    await expect(workspaceFiles.readText('/', path, ALL)).rejects.toThrow('outside')
  },
)

test.skipIf(process.platform === 'win32')(
  'SX-9 a pipe is refused, without waiting for its writer',
  async () => {
    await using workspace = await openWorkspace()
    execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', join(workspace.root, 'pipe')])
    await expect(workspaceFiles.readText(workspace.root, 'pipe', ALL)).rejects.toThrow('is not a file')
  },
)
