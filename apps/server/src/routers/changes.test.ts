import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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

/** A chat in a real folder, in which one call has changed `notes.md` at two places and made `made.md`. */
async function openChat() {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await temporaryFolder())
  const root = join(folder.path, 'work')
  const at = (path: string) => join(root, path)
  await mkdir(root)
  await writeFile(at('notes.md'), BEFORE)
  const tool: NonNullable<Agent['tools']>[number] = {
    id: 'work',
    description: 'Changes files',
    input: z.object({}),
    changesFiles: true,
    requires: () => [{ permission: 'read', pattern: 'a' }],
    async execute() {
      await writeFile(at('notes.md'), AFTER)
      await writeFile(at('made.md'), 'made\n')
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
