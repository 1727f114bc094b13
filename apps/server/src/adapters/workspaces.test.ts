import { mkdir, realpath, rename, symlink, writeFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { openWorkspaces } from './workspaces.ts'

async function openDisk() {
  const folder = await temporaryFolder()
  const path = await realpath(folder.path)
  const at = (name: string) => join(path, name)
  for (const name of ['work/sub', 'more', 'workshop', 'outside']) await mkdir(at(name), { recursive: true })
  await writeFile(at('work/file'), '')
  await symlink(at('outside'), at('work/out'))
  await symlink(at('work/sub'), at('in'))
  const named = ['work', 'more'].map((name, index) => ({ path: at(name), field: `workspaces.${index}` }))
  return { at, named, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

test('SX-9 an allowed folder and the folders inside it resolve to their real paths', async () => {
  await using disk = await openDisk()
  const { resolve, folders } = await openWorkspaces(disk.named)
  expect(folders).toEqual([disk.at('work'), disk.at('more')])
  for (const name of ['work', 'work/sub', 'more']) expect(await resolve(disk.at(name))).toBe(disk.at(name))
  expect(await resolve(disk.at('in'))).toBe(disk.at('work/sub'))
  expect(await resolve(`${disk.at('outside')}/../work/`)).toBe(disk.at('work'))
})

test('SX-9 nothing else resolves: no sibling, no parent, no link that points outside, no file, no relative path', async () => {
  await using disk = await openDisk()
  const { resolve } = await openWorkspaces(disk.named)
  const names = ['', 'outside', 'workshop', 'work/..', 'work/out', 'work/file', 'work/gone', 'work\0']
  for (const name of names) expect([name, await resolve(disk.at(name))]).toEqual([name, null])
  for (const path of ['/', '', '.', 'work', '/proc/self', '/etc', `${disk.at('work')}/out/..`])
    expect([path, await resolve(path)]).toEqual([path, null])
})

test('SX-9 a link that later points elsewhere is no longer allowed', async () => {
  await using disk = await openDisk()
  const { resolve } = await openWorkspaces(disk.named)
  await symlink(disk.at('work/sub'), disk.at('work/link'))
  expect(await resolve(disk.at('work/link'))).toBe(disk.at('work/sub'))
  await symlink(disk.at('work/sub'), disk.at('work/swap'))
  await rename(disk.at('work/out'), disk.at('work/swap'))
  expect(await resolve(disk.at('work/swap'))).toBeNull()
})

test('CF-1 a folder that cannot be a workspace is refused with the name of its setting', async () => {
  await using disk = await openDisk()
  for (const [path, words] of [
    [disk.at('gone'), 'not a folder'],
    [disk.at('work/file'), 'not a folder'],
    ['/proc/self', 'no files of people'],
    ['/sys', 'no files of people'],
  ] as const) {
    await expect(openWorkspaces([{ path, field: 'workspaces.3' }])).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      field: 'workspaces.3',
      message: expect.stringContaining(words),
    })
  }
})

test('SX-9 the whole disk is allowed only by name, and its kernel folders never', async () => {
  const { root } = parse(process.cwd())
  await expect(openWorkspaces([{ path: root, field: null }])).rejects.toThrow('PALIMPSEST_WORKSPACE')
  const { resolve } = await openWorkspaces([{ path: root, field: 'PALIMPSEST_WORKSPACE' }])
  expect(await resolve(process.cwd())).toBe(await realpath(process.cwd()))
  for (const path of ['/proc', '/proc/self', '/sys', '/dev']) expect(await resolve(path)).toBeNull()
})
