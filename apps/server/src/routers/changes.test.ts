import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { reply } from '@palimpsest/testing'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createGitSnapshots } from '../adapters/git-snapshots/git-snapshots.ts'
import { callProcedure } from '../testing/call-procedure.ts'
import { startTestServer, type TestServerOptions } from '../testing/index.ts'
import { NOTHING_PROTECTED } from '../testing/nothing-protected.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

// Each capture takes several processes of git, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 })

type Agent = NonNullable<NonNullable<TestServerOptions['coreSettings']>['agent']>

const LINES = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`)
const text = (change: (line: string) => string = (line) => line) => `${LINES.map(change).join('\n')}\n`
const BEFORE = text()
const AFTER = text((line) => (line === 'line 2' || line === 'line 28' ? `${line}, changed` : line))

type At = (path: string) => string

async function changeNotes(at: At) {
  await writeFile(at('notes.md'), AFTER)
  await writeFile(at('made.md'), 'made\n')
}

/**
 * A chat in a real folder, in which one call has changed `notes.md` at two places and made `made.md`, or has done `work`. `old` is a copy
 * of the folder before.
 */
async function openChat(work = changeNotes, before: (at: At) => Promise<void> = () => Promise.resolve()) {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await temporaryFolder())
  const root = join(folder.path, 'work')
  const at = (path: string) => join(root, path)
  await mkdir(root)
  await writeFile(at('notes.md'), BEFORE)
  await before(at)
  const old = join(folder.path, 'old')
  await cp(root, old, { recursive: true })
  const tool: NonNullable<Agent['tools']>[number] = {
    id: 'work',
    description: 'Changes files',
    input: z.object({}),
    changesFiles: true,
    requires: () => [{ permission: 'read', pattern: 'a' }],
    async execute() {
      await work(at)
      return { text: 'Done' }
    },
  }
  const snapshots = createGitSnapshots({ folder: join(folder.path, 'snapshots'), places: NOTHING_PROTECTED })
  const server = opened.use(
    await startTestServer({
      ports: { snapshots },
      workspaces: [root],
      coreSettings: { agent: { tools: [tool] } },
    }),
  )
  const answer = async (path: string, input: object, type: 'query' | 'mutation' | 'subscription') =>
    JSON.parse((await callProcedure(server.url, { path, type }, input)).body)
  const call = async (path: string, input: object = {}, type: 'query' | 'mutation' = 'mutation') =>
    (await answer(path, { sessionId: 'chat', ...input }, type)).result.data
  server.provider.script(reply({ toolCalls: [{ name: 'work', input: {} }] }), reply({ text: 'Done.' }))
  await answer('session.create', { id: 'chat' }, 'mutation')
  const { runId } = await call('session.send', { message: { parts: [{ type: 'text', text: 'Work' }] } })
  await callProcedure(
    server.url,
    { path: 'session.stream', type: 'subscription' },
    { sessionId: 'chat', runId },
  )
  const held = opened.move()
  return {
    at,
    root,
    old,
    snapshots,
    call,
    runId,
    read: (path: string) => readFile(at(path), 'utf8').catch(() => null),
    list: () => call('changes.list', {}, 'query'),
    async refusal(path: string, input: object, type: 'query' | 'mutation' = 'mutation') {
      const { error } = await answer(path, { sessionId: 'chat', ...input }, type)
      return [error?.data.appCode ?? error?.data.code, error?.data.field]
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

test('RW-11 the changes of a chat are listed over HTTP with their lines, and with what is there now', async () => {
  await using chat = await openChat()
  const { files, coverage } = await chat.list()
  expect(coverage).toBe('all')
  expect(files.map(({ entries: _, ...file }: { entries: unknown }) => file)).toEqual([
    { path: 'made.md', change: 'created', lines: { added: 1, removed: 0 }, now: 'as-left' },
    { path: 'notes.md', change: 'changed', lines: { added: 2, removed: 2 }, now: 'as-left' },
  ])
  await rm(chat.at('made.md'))
  await writeFile(chat.at('notes.md'), 'Mine')
  expect((await chat.list()).files.map(({ now }: { now: string }) => now)).toEqual(['gone', 'changed-since'])
})

test('RW-11 a part of a file is taken back, the other one stays, and an un-rewind brings it again', async () => {
  await using chat = await openChat()
  const diff = await chat.call('changes.diff', { path: 'notes.md' }, 'query')
  expect(diff.hunks).toBe(2)
  const { fates, operationId } = await chat.call('changes.revert', {
    hunks: [{ path: 'notes.md', hunks: [0] }],
  })
  expect(fates).toEqual([{ path: 'notes.md', fate: 'restored' }])
  expect(await chat.read('notes.md')).toBe(text((line) => (line === 'line 28' ? `${line}, changed` : line)))
  await chat.call('session.unrewind', { operationId })
  expect(await chat.read('notes.md')).toBe(AFTER)
})

test('RW-11 the parts are those of the difference until now, so that what a person has written since is one of them and stays', async () => {
  await using chat = await openChat()
  const mine = AFTER.replace('line 15', 'line 15, mine')
  await writeFile(chat.at('notes.md'), mine)
  await chat.call('changes.revert', { hunks: [{ path: 'notes.md', hunks: [2] }] })
  expect(await chat.read('notes.md')).toBe(mine.replace('line 28, changed', 'line 28'))
})

test.for([
  ['keep', { 'notes.md': 'Mine', 'notes.restored.md': null }],
  ['restore', { 'notes.md': BEFORE, 'notes.restored.md': null }],
  ['both', { 'notes.md': 'Mine', 'notes.restored.md': BEFORE }],
] as const)(
  'RW-12 a file that a person has changed stays until they choose: %s',
  async ([choice, expected]) => {
    await using chat = await openChat()
    await writeFile(chat.at('notes.md'), 'Mine')
    const { operationId, fates } = await chat.call('changes.revert', { paths: ['notes.md'] })
    expect(fates).toEqual([{ path: 'notes.md', fate: 'conflict' }])
    expect(await chat.read('notes.md')).toBe('Mine')
    expect((await chat.list()).conflicts).toMatchObject([{ operationId, path: 'notes.md' }])
    await chat.call('changes.resolve', { operationId, files: [{ path: 'notes.md', choice }] })
    for (const [path, content] of Object.entries(expected)) expect(await chat.read(path)).toBe(content)
    expect((await chat.list()).conflicts).toEqual([])
  },
)

test('RW-11 bad input is refused with its field, and changes nothing', async () => {
  await using chat = await openChat()
  const refusals = [
    ['changes.diff', { path: 'never.md' }, 'query'],
    ['changes.diff', { path: 'notes.md', from: { at: 'change', ordinal: 99 } }, 'query'],
    ['changes.revert', { paths: ['notes.md', 'never.md'] }],
    ['changes.revert', {}],
    ['changes.revert', { paths: ['notes.md'], hunks: [{ path: 'notes.md', hunks: [0] }] }],
    ['changes.revert', { hunks: [{ path: 'notes.md', hunks: [2] }] }],
    ['changes.resolve', { operationId: 'op_none', files: [{ path: 'notes.md', choice: 'keep' }] }],
  ] as const
  const found: unknown[] = []
  for (const [path, input, type] of refusals) found.push(await chat.refusal(path, input, type))
  expect(found).toEqual([
    ['INVALID_INPUT', 'path'],
    ['INVALID_INPUT', 'from'],
    ['INVALID_INPUT', 'paths.1'],
    ['INVALID_INPUT', 'paths'],
    ['INVALID_INPUT', 'paths'],
    ['INVALID_INPUT', 'hunks.0.hunks'],
    ['CONFLICT', 'files.0.path'],
  ])
  expect([await chat.read('notes.md'), await chat.read('made.md')]).toEqual([AFTER, 'made\n'])
})

test('RW-11 a file is taken back over HTTP, and what the list of its run says follows it', async () => {
  await using chat = await openChat()
  const { runId } = chat
  await chat.call('changes.revert', { paths: ['made.md', 'notes.md'], runId })
  expect([await chat.read('made.md'), await chat.read('notes.md')]).toEqual([null, BEFORE])
  const { files } = await chat.call('changes.list', { runId }, 'query')
  expect(files.map(({ path, change }: { path: string; change: string }) => [path, change])).toEqual([
    ['made.md', 'unchanged'],
    ['notes.md', 'unchanged'],
  ])
  expect((await chat.call('changes.list', { runId: 'run_none' }, 'query')).files).toEqual([])
})

test('RW-9 a file that can’t be written is settled over HTTP: tried again, given up, and restored once that is possible', async () => {
  await using chat = await openChat()
  const { move } = chat.snapshots
  chat.snapshots.move = () => Promise.reject(new Error('The disk is full'))
  const { operationId } = await chat.call('changes.revert', { paths: ['notes.md'] })
  const pending = { operationId, paths: ['notes.md'] }
  expect((await chat.list()).pending).toEqual(pending)
  expect(await chat.call('changes.settle')).toEqual({ pending })
  expect(await chat.refusal('changes.revert', { paths: ['made.md'] })).toEqual([
    'FILES_PENDING',
    'filesAsTheyAre',
  ])
  expect(await chat.call('changes.settle', { leave: true })).toEqual({ pending: null })
  chat.snapshots.move = move
  expect(await chat.call('changes.settle')).toEqual({ pending: null })
  expect(await chat.read('notes.md')).toBe(AFTER)
  await chat.call('changes.revert', { paths: ['notes.md'] })
  expect(await chat.read('notes.md')).toBe(BEFORE)
})

/** What a folder has: each file's bytes as text, and whether it can be executed. */
async function contentsOf(folder: string) {
  const found: Record<string, [text: string, executable: boolean]> = {}
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const executable = ((await stat(file)).mode & 0o100) !== 0
    found[file.slice(folder.length + 1)] = [await readFile(file, 'latin1'), executable]
  }
  return found
}

async function gitApply(folder: string, patch: string, ...options: string[]) {
  const file = `${folder}.patch`
  await writeFile(file, patch)
  // A repository of its own, so that git does not take the folder for a part of another one.
  await promisify(execFile)('git', ['init', '--quiet'], { cwd: folder })
  await promisify(execFile)('git', ['apply', '--whitespace=nowarn', ...options, file], { cwd: folder })
  await rm(join(folder, '.git'), { recursive: true })
}

const many = (word: string) =>
  Array.from({ length: 3_000 }, (_, at) => `${word} ${at}\n`).join('same\nsame\n')

/** What a call does to a folder, and the folder before it. */
const PATCHED: Record<string, [before: Record<string, string>, after: Record<string, string | null>]> = {
  'that are changed, made and deleted': [
    { 'a/b.txt': '1\n', gone: '1\n' },
    { 'a/b.txt': '2\n', gone: null, 'new/c.txt': '3\n' },
  ],
  'without a line end at their end': [
    { a: '1\n2', b: '1\n', c: '1' },
    { a: '1\n3', b: '1', c: '1\n' },
  ],
  'with line ends of Windows': [{ a: '1\r\n2\r\n' }, { a: '1\r\n3\r\n', b: '1\r\n' }],
  'with other names': [
    { 'a b.txt': '1\n', 'é 漢.txt': '1\n' },
    { 'a b.txt': '2\n', 'é 漢.txt': '2\n', ' c': '3\n' },
  ],
  'that are empty, and that were': [
    { was: '', gone: '' },
    { was: '1\n', gone: null, now: '' },
  ],
  'that are too different for a difference': [{ a: many('old') }, { a: many('new') }],
  'that are too different and have no line end at their end': [
    { a: `${many('old')}end`, b: many('old') },
    { a: `${many('new')}end`, b: `${many('new')}end` },
  ],
  'with a byte order mark': [
    { a: '\uFEFF1\n2\n', b: '1\n' },
    { a: '\uFEFF1\n3\n', b: '\uFEFF1\n' },
  ],
  'that are longer than what is shown': [{}, { a: many('a long line of a file '), b: '1\n' }],
}

test.for(Object.entries(PATCHED))(
  'RW-11 a patch of files %s takes the folder before to the one after with git apply, and back',
  async ([, [before, after]]) => {
    const put = (files: Record<string, string | null>) => async (at: At) => {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(join(at(path), '..'), { recursive: true })
        if (text === null) await rm(at(path))
        else await writeFile(at(path), text)
      }
    }
    await using chat = await openChat(put(after), put(before))
    const [start, end] = [await contentsOf(chat.old), await contentsOf(chat.root)]
    const { patch } = await chat.call('changes.patch', {}, 'query')
    await gitApply(chat.old, patch)
    expect(await contentsOf(chat.old)).toEqual(end)
    await gitApply(chat.old, patch, '--reverse')
    expect(await contentsOf(chat.old)).toEqual(start)
  },
)

test('RW-11 a patch of a file that can be executed now, with and without other changes, says so', async () => {
  await using chat = await openChat(
    async (at) => {
      await chmod(at('a'), 0o755)
      await chmod(at('b'), 0o755)
      await writeFile(at('b'), '2\n')
      await writeFile(at('c'), '3\n', { mode: 0o755 })
    },
    async (at) => {
      await writeFile(at('a'), '1\n')
      await writeFile(at('b'), '1\n')
    },
  )
  const { patch } = await chat.call('changes.patch', {}, 'query')
  await gitApply(chat.old, patch)
  expect(await contentsOf(chat.old)).toEqual(await contentsOf(chat.root))
})

test('RW-11 a patch of a run, or of some paths, has these alone', async () => {
  await using chat = await openChat()
  const { runId } = chat
  const of = async (input: object) =>
    (await chat.call('changes.patch', input, 'query')).patch.match(/^diff .*$/gm) ?? []
  const [made, notes] = ['diff --git a/made.md b/made.md', 'diff --git a/notes.md b/notes.md']
  expect(await of({ runId })).toEqual([made, notes])
  expect(await of({ runId, paths: ['notes.md'] })).toEqual([notes])
  expect(await of({ runId: 'run_none' })).toEqual([])
})
