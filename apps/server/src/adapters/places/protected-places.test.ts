import {
  link,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { serverFiles } from '../../server-files.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { createWorkspaceFiles } from '../files/workspace-files.ts'
import { openWorkspaces } from '../workspaces.ts'
import { filesBelow } from './names-below.ts'
import { otherNames, parseMounts } from './names-by-mounts.ts'
import { outsidePlaces } from './outside-places.ts'
import { openProtectedPlaces } from './protected-places.ts'

/** The places of a server whose database and workspaces are at these paths of a folder; `files` are there with a text. */
async function openLab(at: { database: string; workspaces: string[]; files?: string[]; config?: string }) {
  const folder = await temporaryFolder()
  const path = await realpath(folder.path)
  const inLab = (name: string) => join(path, name)
  for (const name of [...(at.files ?? []), at.database]) {
    await mkdir(dirname(inLab(name)), { recursive: true })
    await writeFile(inLab(name), 'secret')
  }
  for (const name of at.workspaces) await mkdir(inLab(name), { recursive: true })
  const settings = {
    DATABASE_URL: `file:${inLab(at.database)}`,
    PALIMPSEST_CONFIG: inLab(at.config ?? 'config.json'),
  }
  const places = await openProtectedPlaces(serverFiles(settings), at.workspaces.map(inLab))
  return {
    at: inLab,
    places,
    files: createWorkspaceFiles(places),
    /** Which of these paths are protected. */
    covered: (...names: string[]) => names.filter((name) => places.covers(inLab(name))),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

const OWN = ['', '-wal', '-shm', '-journal', '.owner', '.blobs', '.blobs/sha256/ab/abcd'].map(
  (end) => `data/chat.db${end}`,
)
const BESIDE = [
  'data/palimpsest.key',
  'data/palimpsest.key.1.partial',
  'data/snapshots/x',
  'data/outputs/commands/x.txt',
]

test('TO-9 a data folder in a workspace is protected whole, and nothing beside it', async () => {
  await using lab = await openLab({ database: 'w/data/chat.db', workspaces: ['w'], config: 'w/my.json' })
  const own = [...OWN, ...BESIDE, 'data', 'data/backup.db', 'my.json'].map((name) => `w/${name}`)
  expect(lab.covered(...own)).toEqual(own)
  expect(
    lab.covered('w', 'w/data-2', 'w/database', 'w/src/data', 'w/my.json.txt', 'other', 'w/.env'),
  ).toEqual([])
  expect(lab.places.paths).toEqual(expect.arrayContaining([lab.at('w/data'), lab.at('w/data/chat.db-wal')]))
})

test('TO-9 in a workspace that holds the database itself only what the server keeps is protected', async () => {
  await using lab = await openLab({ database: 'data/chat.db', workspaces: ['data'] })
  expect(lab.covered(...OWN, ...BESIDE)).toEqual([...OWN, ...BESIDE])
  expect(
    lab.covered('data', 'data/src/a.ts', 'data/chat.dbx', 'data/palimpsest.keys', 'data/outputs-2'),
  ).toEqual([])
})

test('TO-9 a workspace inside the data folder is reachable, and the rest of that folder is not', async () => {
  await using lab = await openLab({ database: 'data/chat.db', workspaces: ['data/project', 'w'] })
  expect(lab.covered('data/project', 'data/project/a.ts', 'w/a')).toEqual([])
  expect(lab.covered(...OWN, ...BESIDE, 'data', 'data/notes.txt')).toHaveLength(
    OWN.length + BESIDE.length + 2,
  )
})

test('TO-9 a folder of texts inside the data folder is read', async () => {
  await using lab = await openLab({ database: 'home/chat.db', workspaces: ['w', 'home/.agents'] })
  await writeFile(lab.at('home/.agents/AGENTS.md'), 'Be brief.')
  expect(await lab.files.read(lab.at('home/.agents'), 'AGENTS.md')).not.toBeNull()
  await expect(lab.files.read(lab.at('home'), 'notes.txt')).rejects.toThrow('belongs to this server')
})

test('TO-9 a database that is a link is protected under both names, and so is a data folder that is one', async () => {
  await using lab = await openLab({ database: 'w/real/chat.db', workspaces: ['w'] })
  await mkdir(lab.at('w/data'))
  await symlink(lab.at('w/real/chat.db'), lab.at('w/data/link.db'))
  await symlink(lab.at('w/real'), lab.at('w/short'))
  const open = async (name: string) =>
    await openProtectedPlaces(serverFiles({ DATABASE_URL: `file:${lab.at(name)}` }), [lab.at('w')])
  const byFile = await open('w/data/link.db')
  for (const name of ['w/data/link.db', 'w/real/chat.db', 'w/real/chat.db-wal', 'w/data/palimpsest.key'])
    expect([name, byFile.covers(lab.at(name))]).toEqual([name, true])
  const byFolder = await open('w/short/chat.db')
  for (const name of ['w/real/chat.db-wal', 'w/real/palimpsest.key', 'w/short/palimpsest.key'])
    expect([name, byFolder.covers(lab.at(name))]).toEqual([name, true])
})

test('TO-9 a hard link of what the server keeps is recognised, also of a file that was made after the start', async () => {
  await using lab = await openLab({ database: 'w/data/chat.db', workspaces: ['w'], files: ['w/mine'] })
  await writeFile(lab.at('w/data/palimpsest.key'), 'secret')
  await link(lab.at('w/mine'), lab.at('w/mine-2'))
  expect(await lab.places.haveOtherNames(lab.at('w'))).toBe(false)
  await link(lab.at('w/data/palimpsest.key'), lab.at('w/innocent'))
  expect(await lab.places.haveOtherNames(lab.at('w'))).toBe(true)
  await expect(lab.files.read(lab.at('w'), 'innocent')).rejects.toThrow('belongs to this server')
  await expect(lab.files.write(lab.at('w'), 'innocent', new Uint8Array(), null)).rejects.toThrow('belongs to')
  expect(await lab.files.read(lab.at('w'), 'mine-2')).not.toBeNull()
})

test('TO-9 a hard link counts where it is: in a folder, in none beside it, and everywhere where a folder has too much to look at', async () => {
  await using lab = await openLab({
    database: 'w/data/chat.db',
    workspaces: ['w', 'v'],
    files: ['v/deep/er/a'],
  })
  const names = async (folder: string) => [
    await lab.places.fileWithOtherName(lab.at(folder)),
    await lab.places.haveOtherNames(lab.at(folder)),
  ]
  await mkdir(lab.at('backup'))
  await link(lab.at('w/data/chat.db'), lab.at('backup/chat.db'))
  expect(await lab.places.fileWithOtherName()).toBe('chat.db')
  for (const folder of ['w', 'v']) expect([folder, ...(await names(folder))]).toEqual([folder, null, false])
  expect(await names('backup')).toEqual(['chat.db', true])
  expect(await names('.')).toEqual(['chat.db', true])
  await link(lab.at('w/data/chat.db'), lab.at('v/deep/er/copy'))
  expect(await names('v')).toEqual(['chat.db', true])
  expect(await names('w')).toEqual([null, false])
  await mkdir(lab.at('many'))
  const { ino, dev } = await stat(lab.at('w/data/chat.db'))
  const found = async (most: number) =>
    (await filesBelow(lab.at('v'), [{ ino, dev: dev + 1 }], () => false, most)).length
  expect([await found(4), await found(3)]).toEqual([0, 1])
})

test('TO-9 no chat works in a protected place, and a start that allows one ends with its name', async () => {
  await using lab = await openLab({
    database: 'w/data/chat.db',
    workspaces: ['w'],
    files: ['w/data/outputs/x'],
  })
  const open = async (name: string) => await openWorkspaces([{ path: lab.at(name), field: 'workspaces.0' }])
  const allowed = outsidePlaces(await open('w'), lab.places)
  expect(await allowed.resolve(lab.at('w/data'))).toBeNull()
  expect(await allowed.resolve(lab.at('w'))).toBe(lab.at('w'))
  const own = await open('w/data/outputs')
  expect(() => outsidePlaces(own, lab.places)).toThrow('data/outputs holds what the server keeps')
})

test('TO-9 a folder that is swapped for a link to the data brings nothing of it out, and changes nothing there', async () => {
  await using lab = await openLab({ database: 'w/data/chat.db', workspaces: ['w'], files: ['w/data/a.txt'] })
  const root = lab.at('w')
  await mkdir(lab.at('w/sub'))
  await writeFile(lab.at('w/sub/a.txt'), 'mine')
  let open = true
  const swapping = (async () => {
    while (open) {
      await rename(lab.at('w/sub'), lab.at('w/aside'))
      // A write may have made the folder that is missing for a moment.
      await symlink('data', lab.at('w/sub')).catch(() => undefined)
      await rm(lab.at('w/sub'), { recursive: true })
      await rename(lab.at('w/aside'), lab.at('w/sub'))
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  const never = new AbortController().signal
  const query = { pattern: 'secret|mine', path: 'sub', glob: null, context: 0, firstOnly: false, limit: 9 }
  const found: string[] = []
  const operate = async (at: number) => {
    const bytes = await lab.files.read(root, 'sub/a.txt').catch(() => null)
    if (bytes !== null) found.push(new TextDecoder().decode(bytes))
    const names = await lab.files.list(root, 'sub', 9).catch(() => null)
    found.push(...(names?.names ?? []))
    await lab.files.write(root, `sub/palimpsest.key.${at}`, new Uint8Array([1]), null).catch(() => undefined)
    if (at % 20 > 0) return
    const { lines } = await lab.files.grep(root, query, never).catch(() => ({ lines: [] }))
    found.push(...lines.map(({ text }) => text))
  }
  for (let from = 0; from < 300; from += 20)
    await Promise.all(Array.from({ length: 20 }, (_, at) => operate(from + at)))
  open = false
  await swapping
  expect(found).toContain('mine')
  expect(found.filter((text) => text === 'secret' || text.startsWith('chat.db'))).toEqual([])
  expect(await readdir(lab.at('w/data'))).toEqual(['a.txt', 'chat.db'])
  expect(await readFile(lab.at('w/data/a.txt'), 'utf8')).toBe('secret')
})

test('TO-9 whatever files are beside it, a search never holds one of the data', async () => {
  await using lab = await openLab({
    database: 'w/da[t]a *!/chat.db',
    workspaces: ['w'],
    files: ['w/da[t]a *!/x', 'w/a/b', 'w/dat/y'],
  })
  const never = new AbortController().signal
  for (const pattern of ['**', 'da*/**', '**/*', 'da\\[t\\]a*/**']) {
    const { paths } = await lab.files.glob(lab.at('w'), { pattern, path: '.', limit: 99 }, never)
    expect(paths.filter((path) => path.startsWith('da['))).toEqual([])
  }
  const query = { pattern: 'secret', path: '.', glob: '**', context: 0, firstOnly: false, limit: 9 }
  const { lines } = await lab.files.grep(lab.at('w'), query, never)
  expect(lines.map(({ path }) => path)).toEqual(['a/b', 'dat/y'])
})

test('TO-9 a second mount of a folder, of one above it or of a part of it gives a path another name', () => {
  const mounts = parseMounts(
    [
      '22 1 8:1 / / rw - ext4 /dev/sda1 rw',
      '23 22 8:1 /srv/data /mnt/a\\040b rw - ext4 /dev/sda1 rw',
      '24 22 8:1 /srv /mnt/srv rw - ext4 /dev/sda1 rw',
      '25 22 8:1 /srv/data/outputs /mnt/out rw - ext4 /dev/sda1 rw',
      '26 22 8:2 /srv/data /mnt/other rw - ext4 /dev/sdb1 rw',
      '',
    ].join('\n'),
  )
  expect(otherNames('/srv/data', mounts)).toEqual(['/srv/data', '/mnt/a b', '/mnt/srv/data', '/mnt/out'])
  expect(otherNames('/srv/data/chat.db', mounts)).toEqual([
    '/srv/data/chat.db',
    '/mnt/a b/chat.db',
    '/mnt/srv/data/chat.db',
  ])
})

test('TO-9 whatever is below a protected folder is protected, and no name that only begins like it', async () => {
  await using lab = await openLab({ database: 'w/data/chat.db', workspaces: ['w'] })
  const name = fc.stringMatching(/^[\w .-]{1,8}$/).filter((text) => !/^\.+$/.test(text))
  fc.assert(
    fc.property(fc.array(name, { maxLength: 4 }), name, (below, end) => {
      expect(lab.places.covers(join(lab.at('w/data'), ...below))).toBe(true)
      expect(lab.places.covers(join(lab.at('w'), `data${end}`))).toBe(false)
    }),
  )
})
