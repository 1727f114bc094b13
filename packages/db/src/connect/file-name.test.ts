import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, link, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { newSession } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { openStore } from '../open-store.ts'
import { CLOCK, temporaryFolder } from '../testing/temporary-store.ts'
import { lockOwnership } from './owner-lock.ts'

const open = (path: string) => openStore({ url: `file:${path}`, clock: CLOCK })

/** A process that owns the file under this name and has created the session `s`, until it is killed. */
async function startOwner(path: string, cwd: string) {
  const module = new URL('../open-store.ts', import.meta.url).href
  const script = `
    import { openStore } from '${module}'
    globalThis.store = await openStore({ url: 'file:' + process.argv[1], clock: { now: () => 1_000 } })
    const session = ${JSON.stringify(newSession('s'))}
    await store.sessions.create(session)
    console.log('open')
    setInterval(() => {}, 1e6)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, '--', path], { cwd })
  let failure = ''
  child.stderr.on('data', (data: Buffer) => {
    failure += data.toString()
  })
  const exited = once(child, 'exit')
  await Promise.race([
    once(child.stdout, 'data'),
    exited.then(() => {
      throw new Error(failure)
    }),
  ])
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  return { pid: child.pid, kill, [Symbol.asyncDispose]: kill }
}

/** Makes another name for the file, which may not be there yet, and returns it. */
type Naming = (folder: string, file: string) => Promise<string> | string

const OTHER_NAMES: [how: string, name: Naming][] = [
  [
    'a symbolic link',
    async (folder, file) => {
      await symlink(file, join(folder, 'link.db'))
      return join(folder, 'link.db')
    },
  ],
  [
    'a symbolic link to a symbolic link',
    async (folder, file) => {
      await symlink('second.db', join(folder, 'first.db'))
      await symlink(relative(folder, file), join(folder, 'second.db'))
      return join(folder, 'first.db')
    },
  ],
  [
    'a folder that is a symbolic link',
    async (folder, file) => {
      await symlink(join(file, '..'), join(folder, 'elsewhere'))
      return join(folder, 'elsewhere', 'a.db')
    },
  ],
  ['a path with dots', (folder) => `${folder}/data/../data/./a.db`],
  ['a relative path', (_, file) => `./${relative(process.cwd(), file)}`],
]

const HARD_LINK: Naming = async (folder, file) => {
  await mkdir(join(folder, 'other'))
  await link(file, join(folder, 'other/hard.db'))
  return join(folder, 'other/hard.db')
}

async function fileIn(folder: string): Promise<string> {
  await mkdir(join(folder, 'data'))
  return join(folder, 'data/a.db')
}

test.for([...OTHER_NAMES, ['a hard link', HARD_LINK] as const])(
  'DA-6 a second host is refused over %s with the owner named, and the next one finds all that a killed one wrote',
  async ([, naming]) => {
    await using folder = await temporaryFolder()
    const file = await fileIn(folder.path)
    await using owner = await startOwner(file, folder.path)
    const other = await naming(folder.path, file)
    await expect(open(other)).rejects.toMatchObject({
      code: 'STORE_ERROR',
      message: expect.stringContaining(`process ${owner.pid} on `),
    })
    await owner.kill()
    await using next = await open(other)
    expect((await next.sessions.get('s'))?.id).toBe('s')
  },
)

test('DA-6 a host that was started over a link owns the file itself', async () => {
  await using folder = await temporaryFolder()
  const file = await fileIn(folder.path)
  await symlink(file, join(folder.path, 'link.db'))
  await using owner = await startOwner(join(folder.path, 'link.db'), folder.path)
  await expect(open(file)).rejects.toThrow(`process ${owner.pid} on `)
})

test('DA-6 a host of an earlier release, whose lock is beside a link, is respected by the next one over that link', async () => {
  await using folder = await temporaryFolder()
  const file = await fileIn(folder.path)
  const other = join(folder.path, 'link.db')
  await symlink(file, other)
  using earlier = lockOwnership(other, 5)
  await expect(open(other)).rejects.toThrow(`process ${process.pid} on `)
  earlier[Symbol.dispose]()
  await using next = await open(other)
  expect(await next.sessions.get('s')).toBeNull()
})

test.runIf(process.platform === 'linux')(
  'DA-6 a second host is refused over the working folder of a process, with the owner named',
  async () => {
    await using folder = await temporaryFolder()
    const file = await fileIn(folder.path)
    await using owner = await startOwner('/proc/self/cwd/data/a.db', folder.path)
    await expect(open(file)).rejects.toThrow(`process ${owner.pid} on `)
  },
)

test('DA-6 a second host is refused on a file that was renamed under the owner, and not on a copy of it', async () => {
  await using folder = await temporaryFolder()
  const file = await fileIn(folder.path)
  await (await open(file))[Symbol.asyncDispose]()
  await copyFile(file, join(folder.path, 'copy.db'))
  await using owner = await startOwner(file, folder.path)
  await (await open(join(folder.path, 'copy.db')))[Symbol.asyncDispose]()
  await rename(file, join(folder.path, 'moved.db'))
  await expect(open(join(folder.path, 'moved.db'))).rejects.toThrow(`process ${owner.pid} on `)
})

test('DA-6 a hard link of a file that records no name is refused, and opens when it is the only name', async () => {
  await using folder = await temporaryFolder()
  const file = await fileIn(folder.path)
  await writeFile(file, '')
  const other = await HARD_LINK(folder.path, file)
  for (const name of [file, other]) {
    await expect(open(name)).rejects.toMatchObject({
      code: 'STORE_ERROR',
      message: expect.stringContaining(`${name} has several names (hard links)`),
    })
  }
  await rm(file)
  await using store = await open(other)
  expect(await store.reports.counts()).toEqual({ sessions: 0, messages: 0 })
})

test('DA-6 a database that was moved while nothing ran opens where it is now', async () => {
  await using folder = await temporaryFolder()
  const file = await fileIn(folder.path)
  const before = await open(file)
  await before.sessions.create(newSession('s'))
  await before[Symbol.asyncDispose]()
  const moved = join(folder.path, 'moved.db')
  await rename(file, moved)
  for (const _ of [1, 2]) {
    await using store = await open(moved)
    expect((await store.sessions.get('s'))?.id).toBe('s')
  }
})
