import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createMemoryStore, createMemoryTables, reply } from '@palimpsest/testing'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { callProcedure } from '../../testing/call-procedure.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../../testing/index.ts'
import { NOTHING_PROTECTED } from '../../testing/nothing-protected.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { createGitSnapshots } from './git-snapshots.ts'

// Each capture takes several processes of git, and the machine may be busy.
vi.setConfig({ testTimeout: 120_000 })

const run = promisify(execFile)

type Agent = NonNullable<NonNullable<TestServerOptions['coreSettings']>['agent']>
type Tools = NonNullable<Agent['tools']>

/** A tool that changes files as a command does. */
function toolFor(work: () => Promise<void>): Tools {
  return [
    {
      id: 'work',
      description: 'Changes files',
      input: z.object({}),
      changesFiles: true,
      requires: () => [{ permission: 'read', pattern: 'a' }],
      async execute() {
        await work()
        return { text: 'Done' }
      },
    },
  ]
}

function callerOf({ url }: TestServer) {
  return async (path: string, input: object, type: 'query' | 'mutation' = 'mutation') => {
    const { body } = await callProcedure(url, { path, type }, input)
    return JSON.parse(body).result.data
  }
}

async function ask(server: TestServer, messageId: string): Promise<void> {
  server.provider.script(reply({ toolCalls: [{ name: 'work', input: {} }] }), reply({ text: 'Done.' }))
  const parts = [{ type: 'text', text: 'Work' }]
  const { runId } = await callerOf(server)('session.send', {
    sessionId: 'chat',
    message: { id: messageId, parts },
  })
  const stream = { path: 'session.stream', type: 'subscription' } as const
  await callProcedure(server.url, stream, { sessionId: 'chat', runId })
}

async function filesIn(root: string): Promise<Record<string, string>> {
  const names = (await readdir(root)).filter((name) => name !== '.git').toSorted()
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(root, name), 'utf8')] as const)),
  )
}

test.for(['a repository', 'a folder without one'])(
  'RW-5 RW-11 over the wire a rewind restores what a call changed in %s, and an un-rewind puts it back',
  async (kind) => {
    await using folder = await temporaryFolder()
    const root = join(folder.path, 'work')
    const at = (path: string) => join(root, path)
    await run('git', ['init', '--quiet', root])
    if (kind !== 'a repository') await rm(at('.git'), { recursive: true })
    await writeFile(at('notes.md'), 'before\n')
    await writeFile(at('mine.md'), 'before')
    const snapshots = createGitSnapshots({
      folder: join(folder.path, 'snapshots'),
      places: NOTHING_PROTECTED,
    })
    const tools = toolFor(async () => {
      await Promise.all([writeFile(at('notes.md'), 'after\n'), writeFile(at('made.md'), 'made\n')])
    })
    await using server = await startTestServer({
      store: 'sqlite',
      ports: { snapshots },
      workspaces: [root],
      coreSettings: { agent: { tools } },
    })
    const call = callerOf(server)
    await call('session.create', { id: 'chat' })
    await ask(server, 'first')
    await writeFile(at('mine.md'), 'since')

    const { files } = await call('changes.list', { sessionId: 'chat' }, 'query')
    const named = files.map(({ path, change, lines }: Record<string, unknown>) => [path, change, lines])
    expect(named).toEqual([
      ['made.md', 'created', { added: 1, removed: 0 }],
      ['notes.md', 'changed', { added: 1, removed: 1 }],
    ])
    const { change } = await call('changes.diff', { sessionId: 'chat', path: 'notes.md' }, 'query')
    expect(change.diff).toContain('-before\n+after')
    const rewind = { sessionId: 'chat', messageId: 'first' }
    const shown = await call('session.rewind', { ...rewind, preview: true })
    expect(shown).toMatchObject({ files: { count: 2 } })
    const done = await call('session.rewind', rewind)
    expect(done).toMatchObject({ hidden: 1, files: shown.files })
    expect(await filesIn(root)).toEqual({ 'mine.md': 'since', 'notes.md': 'before\n' })
    await call('session.unrewind', { sessionId: 'chat' })
    const both = { 'made.md': 'made\n', 'mine.md': 'since', 'notes.md': 'after\n' }
    expect(await filesIn(root)).toEqual(both)

    const { patch } = await call('changes.patch', { sessionId: 'chat' }, 'query')
    await writeFile(join(folder.path, 'chat.patch'), patch)
    await call('changes.revert', { sessionId: 'chat', paths: ['made.md', 'notes.md'] })
    expect(await filesIn(root)).toEqual({ 'mine.md': 'since', 'notes.md': 'before\n' })
    await run('git', ['apply', join(folder.path, 'chat.patch')], { cwd: root })
    expect(await filesIn(root)).toEqual(both)
  },
)

const [FILES, ENDS] = process.env['TEST_PROFILE'] === 'long' ? [3_000, 60] : [12, 10]

test('RW-9 a server that ends anywhere in a rewind of many files, or in its undo, finishes it at its next start', async () => {
  await using folder = await temporaryFolder()
  await using opened = new AsyncDisposableStack()
  const root = join(folder.path, 'work')
  await mkdir(root)
  const names = Array.from({ length: FILES }, (_, n) => `${n}.txt`)
  const all = (text: string) => Object.fromEntries(names.toSorted().map((name) => [name, `${text} ${name}`]))
  const write = async (text: string) => {
    for (const name of names) await writeFile(join(root, name), `${text} ${name}`)
  }
  const tables = createMemoryTables()
  const over = Promise.withResolvers<never>()
  over.promise.catch(() => undefined)

  /** A server that stops after some steps of moves, as one that is killed there, until the test is over. */
  async function start(steps: number) {
    const ended = Promise.withResolvers<void>()
    let left = steps
    const snapshots = createGitSnapshots({
      folder: join(folder.path, 'snapshots'),
      places: NOTHING_PROTECTED,
      onStep: async () => {
        if (left-- > 0) return
        ended.resolve()
        await over.promise
      },
    })
    const server = opened.use(
      await startTestServer({
        store: createMemoryStore(tables),
        ports: { snapshots },
        workspaces: [root],
        coreSettings: { agent: { tools: toolFor(() => write('after')) } },
      }),
    )
    return { server, ended: ended.promise }
  }

  await write('before')
  const first = await start(0)
  await callerOf(first.server)('session.create', { id: 'chat' })
  await ask(first.server, 'first')
  expect(await filesIn(root)).toEqual(all('after'))
  const calls: Promise<unknown>[] = []
  for (let end = 0; end < ENDS; end++) {
    const isRewind = end % 2 === 0
    // A file takes five steps: the ends are spread over all of them.
    const { server, ended } = await start(Math.floor((end * 5 * FILES) / ENDS) + (end % 5))
    const input = { sessionId: 'chat', ...(isRewind && { messageId: 'first' }) }
    const call = callerOf(server)(isRewind ? 'session.rewind' : 'session.unrewind', input)
    calls.push(call.catch(() => undefined))
    await Promise.race([call, ended])
    const next = await start(Number.POSITIVE_INFINITY)
    expect(await filesIn(root)).toEqual(all(isRewind ? 'before' : 'after'))
    const { pending, conflicts } = await callerOf(next.server)('changes.list', { sessionId: 'chat' }, 'query')
    expect([pending, conflicts]).toEqual([null, []])
  }
  over.reject(new Error('The process has ended'))
  await Promise.all(calls)
})
