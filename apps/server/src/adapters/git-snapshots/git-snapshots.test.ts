import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type FileTree, snapshotsContract } from '@palimpsest/testing'
import { expect, test, vi } from 'vitest'
import { serverFiles } from '../../server-files.ts'
import { NOTHING_PROTECTED } from '../../testing/nothing-protected.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { openProtectedPlaces } from '../places/protected-places.ts'
import { createGitSnapshots } from './git-snapshots.ts'

// Each state takes several processes of git, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 })

const run = promisify(execFile)
const NUM_RUNS = process.env['TEST_PROFILE'] === 'long' ? 200 : 15

async function openWorkspace() {
  const folder = await temporaryFolder()
  const data = join(folder.path, 'data')
  const root = join(folder.path, 'work')
  await mkdir(root)
  const snapshots = createGitSnapshots({ folder: join(data, 'snapshots'), places: NOTHING_PROTECTED })
  const at = (path: string) => join(root, path)
  return {
    snapshots,
    root,
    data,
    at,
    async put(files: FileTree) {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(at(path)), { recursive: true })
        await writeFile(at(path), text)
      }
    },
    read: () => treeOf(root),
    captured: async () => (await snapshots.capture(root)).state,
    changedPaths: async (before: string, after: string) => {
      const [deltas = []] = await snapshots.changed(root, [{ before, after }])
      return deltas.filter(({ notKept }) => notKept === null).map(({ path }) => path)
    },
    /** Takes the files from one capture to another, as operations do. */
    async restore(from: string, to: string) {
      const [deltas = []] = await snapshots.changed(root, [{ before: from, after: to }])
      const kept = deltas.filter(({ notKept }) => notKept === null)
      const inOrder = [
        ...kept.filter(({ after }) => after === null),
        ...kept.filter(({ after }) => after !== null),
      ]
      for (const { path, before, after } of inOrder)
        await snapshots.move(root, { path, from: before, to: after })
    },
    git: async (...args: string[]) => {
      const person = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
      const name = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'init.defaultBranch=main']
      return (await run('git', [...name, ...args], { cwd: root, env: person })).stdout
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

/** Files with their text, but nothing of a repository. */
async function treeOf(root: string): Promise<FileTree> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !path.startsWith('.git/'))
  return Object.fromEntries(
    await Promise.all(files.map(async (path) => [path, await readFile(join(root, path), 'utf8')])),
  )
}

/** A digest of every byte, mode and time of change under a folder. */
async function fingerprint(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    await Promise.all(
      files.toSorted().map(async (path) => {
        const { mode, mtimeMs } = await stat(path)
        const bytes = createHash('sha256').update(await readFile(path))
        return [path, `${bytes.digest('hex')} ${mode} ${mtimeMs}`]
      }),
    ),
  )
}

snapshotsContract(
  'git snapshots',
  async () => {
    const workspace = await openWorkspace()
    const { snapshots, root, put, read } = workspace
    return {
      snapshots,
      root,
      async write(files) {
        for (const name of await readdir(root)) await rm(join(root, name), { recursive: true })
        await put(files)
      },
      read,
      [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose](),
    }
  },
  { numRuns: NUM_RUNS },
)

test('RW-5 a user’s repository keeps every byte: index, branches, stash, and untracked files', async () => {
  await using workspace = await openWorkspace()
  const { put, git, at } = workspace
  await git('init', '--quiet')
  await put({ kept: '1', staged: '1', stashed: '1', '.gitignore': 'ignored\n' })
  await git('add', '.')
  await git('commit', '--quiet', '-m', 'First')
  await git('branch', 'other')
  await put({ stashed: '2' })
  await git('stash')
  await put({ staged: '2', 'untracked/file': 'u', ignored: 'i' })
  await git('add', 'staged')
  await put({ staged: '3' })
  const repository = await fingerprint(at('.git'))
  const status = await git('--no-optional-locks', 'status', '--porcelain=v2', '--branch', '--show-stash')

  const before = await workspace.captured()
  await put({ kept: 'run', made: 'run' })
  const after = await workspace.captured()
  expect(await workspace.changedPaths(before, after)).toEqual(['kept', 'made'])
  await workspace.restore(after, before)
  expect(await workspace.read()).toEqual({
    '.gitignore': 'ignored\n',
    ignored: 'i',
    kept: '1',
    staged: '3',
    stashed: '1',
    'untracked/file': 'u',
  })
  expect(await fingerprint(at('.git'))).toEqual(repository)
  expect(await git('--no-optional-locks', 'status', '--porcelain=v2', '--branch', '--show-stash')).toBe(
    status,
  )
})

test('RW-5 ignored files are neither captured nor changed: by ignore files, by the repository, and by parent folders', async () => {
  await using workspace = await openWorkspace()
  const { snapshots, put, git, at } = workspace
  await git('init', '--quiet')
  await writeFile(at('.git/info/exclude'), 'secret\n')
  await put({ '.gitignore': 'above\n', 'sub/.gitignore': 'own\n' })
  const sub = at('sub')
  await put({ 'sub/above': '1', 'sub/own': '1', 'sub/secret': '1', 'sub/seen': '1', beside: '1' })
  await snapshots.capture(sub)
  await put({ 'sub/above': '2', 'sub/own': '2', 'sub/secret': '2', 'sub/seen': '2', beside: '2' })
  const { changes } = await snapshots.capture(sub)
  expect(changes.map(({ path }) => path)).toEqual(['seen'])
  for (const { path, before, after } of changes) await snapshots.move(sub, { path, from: after, to: before })
  expect(await workspace.read()).toMatchObject({
    'sub/above': '2',
    'sub/own': '2',
    'sub/secret': '2',
    'sub/seen': '1',
    beside: '2',
  })
})

test('RW-5 a file that was there all the time is no change when the ignore rules that name it change', async () => {
  await using workspace = await openWorkspace()
  const { snapshots, root, put } = workspace
  await put({ '.gitignore': 'secret\n', secret: 's', log: 'l' })
  const old = new Date(Date.now() - 60_000)
  await utimes(join(root, 'secret'), old, old)
  await new Promise((resolve) => setTimeout(resolve, 30))
  await snapshots.capture(root)
  await put({ '.gitignore': 'log\n', made: 'm' })
  const { changes } = await snapshots.capture(root)
  expect(changes.map(({ path }) => path)).toEqual(['.gitignore', 'made'])
})

test('RW-5 a file that is too large is unchanged, before and after', async () => {
  await using workspace = await openWorkspace()
  const { put, at } = workspace
  const large = 'x'.repeat(11 * 1024 * 1024)
  await put({ grows: '1', shrinks: large, small: '1' })
  const before = await workspace.captured()
  await put({ grows: large, shrinks: '1', small: '2' })
  const after = await workspace.captured()
  expect(await workspace.changedPaths(before, after)).toEqual(['small'])
  await workspace.restore(after, before)
  expect(await readFile(at('small'), 'utf8')).toBe('1')
  expect([(await stat(at('grows'))).size, (await stat(at('shrinks'))).size]).toEqual([large.length, 1])
})

test('RW-5 links and file modes are restored, and nothing is written through a link', async () => {
  await using workspace = await openWorkspace()
  const { put, at, data } = workspace
  await put({ script: '#!', 'folder/file': '1', target: 't' })
  await chmod(at('script'), 0o755)
  await symlink('target', at('link'))
  const before = await workspace.captured()
  await rm(at('link'))
  await chmod(at('script'), 0o644)
  await put({ link: 'a file now' })
  const after = await workspace.captured()
  await workspace.restore(after, before)
  expect(await readlink(at('link'))).toBe('target')
  expect((await stat(at('script'))).mode & 0o111).toBe(0o111)

  await put({ 'folder/file': '2' })
  const edited = await workspace.captured()
  await rm(at('folder'), { recursive: true })
  await mkdir(join(data, 'elsewhere'), { recursive: true })
  await symlink(join(data, 'elsewhere'), at('folder'))
  await workspace.restore(edited, before)
  expect(await readdir(join(data, 'elsewhere'))).toEqual([])
})

test('RW-5 a file replaces a folder and a folder replaces a file', async () => {
  await using workspace = await openWorkspace()
  const { put, at } = workspace
  await put({ one: '1', 'two/inside': '2' })
  const before = await workspace.captured()
  await rm(at('one'))
  await rm(at('two'), { recursive: true })
  await put({ 'one/inside': '1', two: '2' })
  const after = await workspace.captured()
  await workspace.restore(after, before)
  expect(await workspace.read()).toEqual({ one: '1', 'two/inside': '2' })
  await workspace.restore(before, after)
  expect(await workspace.read()).toEqual({ 'one/inside': '1', two: '2' })
})

test('RW-5 attributes and line endings of a repository change no byte, and its filters and hooks do not run', async () => {
  await using workspace = await openWorkspace()
  const { put, git, at } = workspace
  await git('init', '--quiet')
  await git('config', 'filter.shout.clean', `touch ${at('ran')}; tr a-z A-Z`)
  await git('config', 'core.autocrlf', 'true')
  await put({
    '.gitattributes': '*.txt text=auto eol=crlf filter=shout ident\n',
    'a.txt': 'one\ntwo\r\n$Id$',
  })
  const before = await workspace.captured()
  await put({ 'a.txt': 'other' })
  await workspace.restore(await workspace.captured(), before)
  expect(await readFile(at('a.txt'), 'utf8')).toBe('one\ntwo\r\n$Id$')
  expect(Object.keys(await workspace.read())).not.toContain('ran')
})

test('RW-5 a repository nested in the workspace is not captured', async () => {
  await using workspace = await openWorkspace()
  const { put, git } = workspace
  await git('init', '--quiet', 'inner')
  await put({ 'inner/file': '1', outer: '1' })
  const before = await workspace.captured()
  await put({ 'inner/file': '2', outer: '2' })
  const after = await workspace.captured()
  expect(await workspace.changedPaths(before, after)).toEqual(['outer'])
  await workspace.restore(after, before)
  expect(await workspace.read()).toMatchObject({ 'inner/file': '2', outer: '1' })
})

test('TO-9 RW-5 what the server keeps is in no state of a workspace, whatever the rules of the workspace say', async () => {
  await using workspace = await openWorkspace()
  const { root, put, at } = workspace
  const places = await openProtectedPlaces(serverFiles({ DATABASE_URL: `file:${at('chat[1].db')}` }), [root])
  const snapshots = createGitSnapshots({ folder: at('snapshots'), places })
  const own = [
    'chat[1].db',
    'chat[1].db-wal',
    'chat[1].db.blobs/uploads/a',
    'palimpsest.key',
    'outputs/commands/a.txt',
  ]
  const all = (text: string) =>
    Object.fromEntries([...own, 'mine', 'outputs-2/b'].map((path) => [path, text]))
  // No rule of the workspace takes that back.
  await put({ '.gitignore': own.map((path) => `!/${path}`).join('\n'), ...all('1') })
  await snapshots.capture(root)
  await put(all('2'))
  const { changes } = await snapshots.capture(root)
  expect(changes.map(({ path }) => path)).toEqual(['mine', 'outputs-2/b'])
  for (const { path, before, after } of changes) await snapshots.move(root, { path, from: after, to: before })
  const key = await snapshots.look(root, 'palimpsest.key')
  expect(key).toEqual({ type: 'blocked', reason: 'folder' })
  const forced = await snapshots.move(root, { path: 'palimpsest.key', from: null, to: null })
  expect(forced).toMatchObject({ type: 'changed', found: key })
  expect(await workspace.read()).toMatchObject({ mine: '1', 'palimpsest.key': '2', 'chat[1].db': '2' })
})

test('RW-10 a capture works with a stale lock and a damaged index, and goes on from the capture before', async () => {
  await using workspace = await openWorkspace()
  const { snapshots, root, put, data } = workspace
  await expect(snapshots.capture(`${root}/gone`)).rejects.toThrow()
  await put({ a: '1' })
  await workspace.captured()
  const [place = ''] = await readdir(join(data, 'snapshots'))
  const repository = join(data, 'snapshots', place)
  const index = (await readdir(repository)).find((name) => /^index-[0-9a-f]+$/.test(name)) ?? ''
  await writeFile(join(repository, `${index}.lock`), '')
  await put({ a: '2' })
  expect((await snapshots.capture(root)).changes).toHaveLength(1)
  await writeFile(join(repository, index), 'DIRC damaged')
  await put({ a: '3' })
  const { changes } = await snapshots.capture(root)
  expect(changes).toHaveLength(1)
  const [{ before = null } = {}] = changes
  expect(Buffer.from((await snapshots.read(root, before?.id ?? '')) ?? []).toString()).toBe('2')
})

test('RW-10 without git contents are kept, read and restored all the same, and only a capture fails', async () => {
  await using workspace = await openWorkspace()
  const { root, put, data } = workspace
  await put({ a: '1' })
  vi.stubEnv('PATH', '/nowhere')
  try {
    const without = createGitSnapshots({ folder: join(data, 'snapshots'), places: NOTHING_PROTECTED })
    const first = await without.look(root, 'a')
    const from = first.type === 'file' ? first.state : null
    const to = { id: await without.keep(root, Buffer.from('2')), mode: '100755' as const }
    expect(await without.move(root, { path: 'a', from, to })).toEqual({ type: 'done', others: [] })
    expect([await readFile(join(root, 'a'), 'utf8'), (await stat(join(root, 'a'))).mode & 0o111]).toEqual([
      '2',
      0o111,
    ])
    await expect(without.capture(root)).rejects.toThrow('Git could not be started')
  } finally {
    vi.unstubAllEnvs()
  }
})

test('RW-5 a value that is not a state id never reaches git', async () => {
  await using workspace = await openWorkspace()
  const { snapshots, root, put, at } = workspace
  await put({ a: '1' })
  const state = await workspace.captured()
  await expect(snapshots.changed(root, [{ before: `--output=${at('made')}`, after: state }])).rejects.toThrow(
    'no state',
  )
  expect(await workspace.read()).toEqual({ a: '1' })
})

test('RW-5 sessions that work in one workspace at the same time do not interfere', async () => {
  await using workspace = await openWorkspace()
  const { snapshots, root, put } = workspace
  await put({ a: '1' })
  const captures = await Promise.all(Array.from({ length: 6 }, () => snapshots.capture(root)))
  expect(new Set(captures.map(({ state }) => state)).size).toBe(1)
})
