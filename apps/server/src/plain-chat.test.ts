import { createHook } from 'node:async_hooks'
import { execFileSync } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@palimpsest/core'
import { openStore } from '@palimpsest/db'
import { reply } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { createGitSnapshots } from './adapters/git-snapshots/git-snapshots.ts'
import { createGitStatus } from './adapters/git-status/git-status.ts'
import { openWorkspaces } from './adapters/workspaces.ts'
import { callProcedure } from './testing/call-procedure.ts'
import { startTestServer } from './testing/index.ts'
import { NOTHING_PROTECTED } from './testing/nothing-protected.ts'
import { temporaryDatabase } from './testing/temporary-database.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

/** Counts the programs that this process starts. */
function countPrograms() {
  let started = 0
  const count = () => void started++
  subscribe('child_process', count)
  return {
    get started() {
      return started
    },
    [Symbol.dispose]: () => void unsubscribe('child_process', count),
  }
}

/** Counts the asynchronous calls of files that this process makes. */
function countFileCalls() {
  let made = 0
  const init = (_id: number, type: string) => {
    if (type.startsWith('FSREQ')) made += 1
  }
  const hook = createHook({ init }).enable()
  return {
    get made() {
      return made
    },
    [Symbol.dispose]: () => void hook.disable(),
  }
}

/** A server on SQLite in a checkout of git, and what it does. */
async function openCounted() {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await temporaryFolder())
  const database = opened.use(await temporaryDatabase())
  const root = join(folder.path, 'work')
  execFileSync('git', ['init', '--quiet', root])
  writeFileSync(join(root, 'a.txt'), 'a')
  const statements: string[] = []
  const observe = ({ sql }: { sql: string }) => void statements.push(sql)
  const store = await openStore({ url: database.url, clock: systemClock, observe })
  const git = createGitSnapshots({ folder: join(folder.path, 'snapshots'), places: NOTHING_PROTECTED })
  const captured: string[] = []
  const capture = (path: string) => {
    captured.push(path)
    return git.capture(path)
  }
  const allowed = await openWorkspaces([{ path: root, field: 'workspaces' }])
  const resolved: string[] = []
  const resolve = (path: string) => {
    resolved.push(path)
    return allowed.resolve(path)
  }
  const server = opened.use(
    await startTestServer({
      store,
      ports: { snapshots: { ...git, capture }, workspaces: { ...allowed, resolve } },
      coreSettings: { gitStatus: createGitStatus({ clock: systemClock }) },
    }),
  )
  server.provider.otherwise(() => reply({ text: Array(20).fill('Well. ') }))
  const call = async (path: string, input: object) =>
    JSON.parse((await callProcedure(server.url, { path, type: 'mutation' }, input)).body).result.data
  async function chat(id: string): Promise<void> {
    await call('session.create', { id, title: 'Named' })
    const message = { parts: [{ type: 'text', text: 'Hi' }] }
    const { runId } = await call('session.send', { sessionId: id, message })
    const stream = { path: 'session.stream', type: 'subscription' } as const
    await callProcedure(server.url, stream, { sessionId: id, runId })
  }
  const held = opened.move()
  return { server, statements, captured, resolved, chat, [Symbol.asyncDispose]: () => held.disposeAsync() }
}

test('PF-12 a short chat without a tool resolves its folder once, captures no files, starts no program, and takes a few transactions, statements and calls of files', async () => {
  using programs = countPrograms()
  await using counted = await openCounted()
  const { server, statements, captured, resolved, chat } = counted
  await chat('first')
  const { started } = programs
  await chat('second')
  await expect.poll(() => server.activeRuns).toBe(0)
  statements.length = 0
  captured.length = 0
  resolved.length = 0
  using files = countFileCalls()
  await chat('third')
  // With everything that its end has started in the background.
  await server.shutdown(0)
  expect(programs.started).toBe(started)
  expect(files.made).toBeGreaterThan(0)
  expect(files.made).toBeLessThanOrEqual(90)
  expect(captured).toEqual([])
  expect(resolved).toHaveLength(1)
  const transactions = statements.filter((sql) => sql === 'COMMIT').length
  // Its creation, its message, its first chunks, and its step with its end. Its chunks may need one more.
  expect(transactions).toBeGreaterThanOrEqual(4)
  expect(transactions).toBeLessThanOrEqual(5)
  expect(statements.length).toBeLessThanOrEqual(66)
  const sent = JSON.stringify(server.provider.requests.at(-1)?.body)
  expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(8_000)
})
