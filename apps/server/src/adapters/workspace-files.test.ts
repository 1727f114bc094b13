import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { workspaceFiles } from './workspace-files.ts'

const ALL = { offset: 0, limit: 1000 }

async function openWorkspace() {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-files-'))
  const root = join(folder, 'root')
  await mkdir(join(root, 'sub'), { recursive: true })
  await writeFile(join(root, 'sub', 'a.txt'), 'Wörter 🙂 here')
  await writeFile(join(root, 'bytes'), new Uint8Array([0xff, 0xfe, 0x00]))
  await writeFile(join(folder, 'secret.txt'), 'secret')
  await symlink(join(folder, 'secret.txt'), join(root, 'link'))
  return { root, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

test('TO-5 text comes by characters, with the length of the whole', async () => {
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
  'TO-5 nothing outside of the workspace is read (%s)',
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
])('TO-5 what is no text file says why (%s)', async (path, why) => {
  await using workspace = await openWorkspace()
  await expect(workspaceFiles.readText(workspace.root, path, ALL)).rejects.toThrow(why)
})
