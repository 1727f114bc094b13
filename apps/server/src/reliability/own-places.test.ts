import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { link, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { type AttackCall, openPlaceAttack } from './place-attack.ts'

// Each starts a real server.
vi.setConfig({ testTimeout: 120_000 })

/** What a call may search for, and what no model may get. */
const [MARK, CANARY] = ['kept by the server', 'canary-4c1f77']

/** What the server keeps, by the path in its workspace. The database is there already. */
const KEPT = [
  'data/palimpsest.key',
  'data/palimpsest.db-journal',
  'data/backup.db',
  'data/palimpsest.db.blobs/sha256/ab/abcd',
  'data/outputs/commands/prc_other.txt',
  'data/snapshots/other/HEAD',
  'palimpsest.config.json',
]
const DATABASE = 'data/palimpsest.db'
/** What may not exist yet. */
const ABSENT = ['data/palimpsest.key', 'data/new.txt', 'palimpsest.config.json', 'data/palimpsest.db-journal']

type Attack = Awaited<ReturnType<typeof openPlaceAttack>>

/** Writes what the server keeps with a text of ours, and links to it. */
async function layOut({ folder }: Attack): Promise<void> {
  for (const path of KEPT) {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await writeFile(join(folder, path), `${MARK} ${CANARY} ${path}\n`)
  }
  await mkdir(join(folder, 'src'))
  await writeFile(join(folder, 'src', 'mine.txt'), 'mine\n')
  await symlink('data', join(folder, 'link'))
  await symlink('../data/palimpsest.key', join(folder, 'src', 'link-key'))
  await symlink('..', join(folder, 'src', 'up'))
}

/** Every way of a file tool to a path. */
const fileCalls = (path: string): AttackCall[] => [
  { name: 'read', input: { path } },
  { name: 'write', input: { path, content: 'replaced' } },
  { name: 'edit', input: { path, edits: [{ old: MARK, new: 'replaced' }] } },
  { name: 'grep', input: { pattern: MARK, path } },
  { name: 'glob', input: { pattern: '**', path } },
]

/** Paths that lead to one, by `..`, links and absolute. */
const spellings = ({ folder }: Attack, path: string) => [
  path,
  `./src/../${path}`,
  join(folder, path),
  ...(path.startsWith('data/') ? [path.replace('data', 'link'), path.replace('data', 'src/up/data')] : []),
]

async function contents({ folder }: Attack): Promise<string[]> {
  return await Promise.all(KEPT.map((path) => readFile(join(folder, path), 'utf8')))
}

const namesOf = (calls: readonly AttackCall[]) => calls.map(({ name, input }) => ({ name, input }))
const toLine = (command: string): AttackCall => ({ name: 'bash', input: { command } })

test('TO-9 in a start without settings no file tool reads, finds or changes what the server keeps in its workspace', async () => {
  await using attack = await openPlaceAttack()
  await layOut(attack)
  const before = await contents(attack)
  for (const path of [...KEPT, DATABASE, 'data', 'src/link-key']) {
    const results = await attack.call(spellings(attack, path).flatMap(fileCalls))
    expect(namesOf(results.filter(({ text }) => !text.includes('belongs to this server')))).toEqual([])
  }
  expect(await contents(attack)).toEqual(before)
  const found = await attack.call([
    { name: 'grep', input: { pattern: `${MARK}|mine` } },
    { name: 'grep', input: { pattern: `${MARK}|mine`, glob: '**' } },
    { name: 'grep', input: { pattern: `${MARK}|mine`, glob: 'data/**' } },
    { name: 'grep', input: { pattern: MARK, files_only: true } },
    { name: 'glob', input: { pattern: '**' } },
    { name: 'glob', input: { pattern: '{data,link}/**' } },
    { name: 'read', input: { path: '.' } },
    { name: 'read', input: { path: 'src' } },
  ])
  expect(namesOf(found.filter(({ ended }) => ended !== 'result'))).toEqual([])
  const said = found.map(({ text }) => text.replace(/.*"output":/s, ''))
  expect(said.join()).toContain('mine.txt')
  for (const text of said) expect(text).not.toMatch(/canary|palimpsest\.|data\/|prc_other|backup/)
  for (const query of ['palimpsest', 'data/', 'prc_other', 'backup', 'HEAD', 'key'])
    expect([query, await attack.found(query)]).toEqual([query, []])
  for (const folder of ['data', 'link', 'data/outputs', 'data/snapshots/other', 'src/up/data'])
    expect([folder, await attack.createIn(folder)]).toEqual([
      folder,
      expect.stringContaining('does not allow'),
    ])
  expect(await attack.createIn('src')).toBe('created')
  expect(attack.hasSent(CANARY)).toBe(false)
})

test('TO-9 what does not exist yet is not made by a file tool, in full access either', async () => {
  await using attack = await openPlaceAttack({ mode: 'full-access' })
  await mkdir(join(attack.folder, 'src'))
  await symlink('data', join(attack.folder, 'link'))
  await symlink('..', join(attack.folder, 'src', 'up'))
  const writes = ABSENT.flatMap((path) => spellings(attack, path)).map((path) => ({
    name: 'write',
    input: { path, content: 'x' },
  }))
  const results = await attack.call(writes)
  expect(namesOf(results.filter(({ text }) => !text.includes('belongs to this server')))).toEqual([])
  expect(ABSENT.filter((path) => existsSync(join(attack.folder, path)))).toEqual([])
})

/** Lines that only read, and reach what the server keeps. */
const LINES = [
  'cat data/palimpsest.key',
  'cat ./src/../data/palimpsest.key',
  'cat link/palimpsest.key',
  'cat src/link-key',
  'cat src/up/data/palimpsest.key',
  'head data/*',
  'cat */palimpsest.key',
  'cat */*.key',
  'cd data && cat palimpsest.key',
  'cat < data/palimpsest.key',
  'grep -r kept data',
  'ls data',
  'wc -c palimpsest.config.json',
  'diff -r data src',
]

/** Those whose names the sandbox covers: without one they ask. */
const TREES = ['grep -r kept .', 'grep -rn kept', 'ls -R', 'cat *.json', 'diff -r src/up src', 'head *']

test('TO-9 without a sandbox a line that reads what the server keeps asks, by whatever name, link, glob or tree', async () => {
  await using attack = await openPlaceAttack()
  await layOut(attack)
  const key = join(attack.folder, 'data/palimpsest.key')
  const lines = [...LINES, ...TREES, `cat ${key}`, 'cat data/palimpsest.db-wal']
  const results = await attack.call(lines.map(toLine))
  expect(namesOf(results.filter(({ ended }) => ended !== 'asked'))).toEqual([])
  const fine = ['cat src/mine.txt', 'ls', 'grep -n mine src/mine.txt']
  const ran = await attack.call(fine.map(toLine))
  expect(namesOf(ran.filter(({ ended }) => ended !== 'result'))).toEqual([])
  // A second name, a hard link, looks like any file of the workspace.
  const names = ['data/palimpsest.key', 'data/backup.db', 'palimpsest.config.json', DATABASE]
  for (const [at, path] of names.entries())
    await link(join(attack.folder, path), join(attack.folder, `hard-${at}`))
  const before = await contents(attack)
  const files = await attack.call([
    ...names.flatMap((_, at) => fileCalls(`hard-${at}`)),
    { name: 'grep', input: { pattern: MARK } },
  ])
  expect(namesOf(files.filter(({ text }) => text.includes(CANARY)))).toEqual([])
  const hard = ['cat hard-0', 'cat hard*', 'grep -r kept src', 'head -c 9 < hard-0', 'cat hard-3']
  const asked = await attack.call(hard.map(toLine))
  expect(namesOf(asked.filter(({ ended }) => ended !== 'asked'))).toEqual([])
  expect(await contents(attack)).toEqual(before)
  expect(attack.hasSent(CANARY)).toBe(false)
})

test('TO-9 SX-13 in the sandbox a line that names it asks, and one that walks over it runs and finds nothing', async () => {
  await using attack = await openPlaceAttack({ sandboxed: true })
  await layOut(attack)
  const results = await attack.call(LINES.map(toLine))
  expect(namesOf(results.filter(({ ended }) => ended !== 'asked'))).toEqual([])
  const ran = await attack.call(['grep -rn kept .', 'ls -R', 'ls d*'].map(toLine))
  expect(namesOf(ran.filter(({ ended }) => ended !== 'result'))).toEqual([])
  expect(attack.hasSent(CANARY)).toBe(false)
})

const UNSHARE = 'unshare'
const MOUNTS = [
  UNSHARE,
  '-rm',
  'sh',
  '-c',
  'mkdir -p data mirror && mount --bind data mirror && exec "$@"',
  'sh',
]
const canMount = spawnSync(UNSHARE, ['-rm', 'mount', '--bind', '/tmp', '/tmp']).status === 0

test.skipIf(!canMount)(
  'TO-9 a second mount of the data folder in the workspace is not read either',
  async () => {
    await using attack = await openPlaceAttack({ through: MOUNTS })
    await writeFile(join(attack.folder, 'data/palimpsest.key'), CANARY)
    const results = await attack.call([
      ...['mirror', 'mirror/palimpsest.key', 'mirror/palimpsest.db'].flatMap(fileCalls),
      { name: 'bash', input: { command: 'cat mirror/palimpsest.key' } },
    ])
    expect(
      results.filter(({ ended }) => ended === 'result').map(({ name, input }) => ({ name, input })),
    ).toEqual([])
    expect(await readFile(join(attack.folder, 'data/palimpsest.key'), 'utf8')).toBe(CANARY)
    expect(attack.hasSent(CANARY)).toBe(false)
  },
)
