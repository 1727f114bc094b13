import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newSession } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { backupStore } from '../backup.ts'
import { openStore } from '../open-store.ts'
import { CLOCK, temporaryFolder } from '../testing/temporary-store.ts'

const SUFFIXES = ['', '-wal', '-shm', '.owner']

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8)
}

async function modesOf(path: string): Promise<string[]> {
  return await Promise.all(SUFFIXES.map((suffix) => modeOf(`${path}${suffix}`)))
}

/** Sets the umask until it is disposed. */
function umask(mask: number): Disposable {
  const before = process.umask(mask)
  return { [Symbol.dispose]: () => void process.umask(before) }
}

async function openAndWrite(path: string) {
  const store = await openStore({ url: `file:${path}`, clock: CLOCK })
  await store.sessions.create(newSession('s'))
  return store
}

test.for([0o000, 0o022, 0o077])(
  'DA-6 under umask %o a new database, its log and its lock are for their owner alone, and so is its folder',
  async (mask) => {
    await using folder = await temporaryFolder()
    using _ = umask(mask)
    const path = join(folder.path, 'new/data/a.db')
    await using store = await openAndWrite(path)
    expect(await modesOf(path)).toEqual(['600', '600', '600', '600'])
    expect(await modeOf(join(folder.path, 'new/data'))).toBe('700')
    expect((await store.sessions.get('s'))?.id).toBe('s')
    const copy = join(folder.path, 'backups/copy.db')
    await backupStore(path, copy)
    expect(await modeOf(copy)).toBe('600')
    expect(await modeOf(join(folder.path, 'backups'))).toBe('700')
  },
)

test('DA-6 an existing database that others can read is made private, and its folder stays as it is', async () => {
  await using folder = await temporaryFolder()
  const data = join(folder.path, 'data')
  await mkdir(data)
  await chmod(data, 0o755)
  const path = join(data, 'a.db')
  await (await openAndWrite(path))[Symbol.asyncDispose]()
  for (const suffix of ['', '.owner']) await chmod(`${path}${suffix}`, 0o644)
  await writeFile(`${path}-wal`, '', { mode: 0o644 })
  await using store = await openStore({ url: `file:${path}`, clock: CLOCK })
  await store.sessions.rename('s', 'Renamed', 2_000)
  expect(await modesOf(path)).toEqual(['600', '600', '600', '600'])
  expect(await modeOf(data)).toBe('755')
})
