import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createMemorySnapshots, createMemoryStore, newSession, reply } from '@palimpsest/testing'
import { expect, test, vi } from 'vitest'
import { callProcedure, PROCEDURES } from '../testing/call-procedure.ts'
import { startTestServer } from '../testing/index.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

/** A server that allows one folder, with a sibling folder that holds a secret. */
async function open() {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await temporaryFolder())
  const path = await realpath(folder.path)
  const [allowed, outside] = [join(path, 'allowed'), join(path, 'outside')]
  for (const each of [join(allowed, 'sub'), outside]) await mkdir(each, { recursive: true })
  await writeFile(join(allowed, 'note.txt'), 'a note')
  await writeFile(join(outside, 'note.txt'), 'a secret')
  const gitStatus = vi.fn(() => Promise.resolve('## main'))
  const snapshots = createMemorySnapshots()
  const capture = vi.spyOn(snapshots, 'capture')
  const store = await createMemoryStore()
  const settings = { workspaces: [allowed], coreSettings: { gitStatus }, ports: { snapshots }, store }
  const server = opened.use(await startTestServer(settings))

  async function call(name: string, input: object) {
    const procedure = PROCEDURES.find(({ path }) => path === name)
    if (procedure === undefined) throw new Error(`There is no ${name}`)
    const { body, failure } = await callProcedure(server.url, procedure, input)
    return { data: JSON.parse(body).result?.data, failure }
  }
  const held = opened.move()
  return {
    allowed,
    outside,
    gitStatus,
    capture,
    store,
    provider: server.provider,
    call,
    /** Sends a message whose reply reads `note.txt`, and returns the messages after it. */
    async readNote(sessionId: string) {
      server.provider.script(reply({ toolCalls: [{ name: 'read', input: { path: 'note.txt' } }] }))
      server.provider.script(reply({ text: 'Done' }))
      await call('session.send', { sessionId, message: { parts: [{ type: 'text', text: 'Read it' }] } })
      const state = async () => (await call('session.status', { sessionId })).data.state
      await expect.poll(state).toBe('idle')
      return (await call('session.messages', { sessionId })).data.items
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

test('SX-9 a folder is stored by its real path, however it is spelled', async () => {
  await using lab = await open()
  const link = join(lab.allowed, 'link')
  await symlink(join(lab.allowed, 'sub'), link)
  for (const spelled of ['sub', 'sub/', './sub/../sub', 'link'].map((path) => `${lab.allowed}/${path}`)) {
    const { data } = await lab.call('session.create', { workspaceRoot: spelled })
    expect(data.workspaceRoot, spelled).toBe(join(lab.allowed, 'sub'))
  }
})

test('UI-12 SX-9 files are found by what is typed of their path, in the folder of a session only', async () => {
  await using opened = await open()
  const { call, allowed, outside } = opened
  await writeFile(join(allowed, 'sub', 'other.md'), '')
  const { data: session } = await call('session.create', { workspaceRoot: join(allowed, 'sub') })
  const found = async (input: object) => (await call('workspace.files', input)).data?.paths
  expect(await found({ query: 'ote' })).toEqual(['note.txt', 'sub/other.md'])
  expect(await found({ query: 'o', sessionId: session.id })).toEqual(['other.md'])
  const { failure } = await call('workspace.files', { query: 'note', workspaceRoot: outside })
  expect(failure?.data).toMatchObject({ appCode: 'PERMISSION_DENIED', field: 'workspaceRoot' })
})

test('SX-9 a session can be created in an allowed folder only; any other is denied by the field’s name', async () => {
  await using opened = await open()
  const { call, allowed, outside, store } = opened
  for (const workspaceRoot of [allowed, join(allowed, 'sub')]) {
    expect((await call('session.create', { workspaceRoot })).data.workspaceRoot).toBe(workspaceRoot)
  }
  const denied = ['/', '/proc/self', '/etc', outside, `${allowed}/..`, `${allowed}/gone`, 'sub', '.']
  for (const workspaceRoot of denied) {
    const { failure } = await call('session.create', { id: 'denied', workspaceRoot })
    expect([workspaceRoot, failure?.data]).toMatchObject([
      workspaceRoot,
      { appCode: 'PERMISSION_DENIED', httpStatus: 403, field: 'workspaceRoot' },
    ])
  }
  expect(await store.sessions.get('denied')).toBeNull()
  expect((await call('system.info', {})).data.workspaces).toEqual([allowed])
})

test('SX-9 a session that was stored with another folder reads nothing there, starts no git, keeps no files, and still answers', async () => {
  await using opened = await open()
  const { call, store, outside, gitStatus, capture, provider, readNote } = opened
  const model = { providerId: 'lab', modelId: 'm1' }
  await store.sessions.create(newSession('old', { workspaceRoot: outside, agent: 'assistant', model }))
  const items = await readNote('old')
  expect(JSON.stringify(items)).toContain('not allowed by the operator')
  expect(JSON.stringify(items)).toContain('Done')
  const fromMessageId = items.at(-1).id
  const { data: branch } = await call('session.branch', { sessionId: 'old', fromMessageId })
  expect(branch.workspaceRoot).toBe(outside)
  expect(JSON.stringify(await readNote(branch.id))).not.toContain('a secret')
  expect(gitStatus).not.toHaveBeenCalled()
  expect(capture).not.toHaveBeenCalled()
  expect(JSON.stringify(provider.requests)).not.toContain(outside)
})

test('SX-9 a session in an allowed folder reads its files', async () => {
  await using opened = await open()
  const { call, allowed, gitStatus, readNote } = opened
  const { data } = await call('session.create', { workspaceRoot: allowed })
  expect(JSON.stringify(await readNote(data.id))).toContain('a note')
  expect(gitStatus).toHaveBeenCalledWith(allowed)
})
