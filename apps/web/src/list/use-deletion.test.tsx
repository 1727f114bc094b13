// @vitest-environment happy-dom
import type { Client } from '@palimpsest/client'
import type { Session, SessionStatus } from '@palimpsest/core/domain'
import { act, cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { LineageNode } from '../session/forks.ts'
import { createApp } from '../stores/app.ts'
import { AppProvider } from '../stores/app-context.tsx'
import { createSessionWorld } from '../testing/session-world.ts'
import { useDeletion } from './use-deletion.ts'

afterEach(() => {
  cleanup()
  localStorage.clear()
  window.history.replaceState(null, '', '/')
})

/** Does something and waits until the page shows what came of it. */
const settled = (change: () => unknown) => act(async () => void (await change()))

const lost = () => Promise.reject(new Error('No connection'))
const done = () => Promise.resolve({})

type Call = (input: { sessionId: string; withBranches?: boolean }) => Promise<unknown>

function setUp(path = '/', root?: LineageNode) {
  const calls = {
    tree: vi.fn<Call>(() => (root === undefined ? lost() : Promise.resolve({ root }))),
    delete: vi.fn<Call>(done),
    restore: vi.fn<Call>(done),
    purge: vi.fn<Call>(done),
  }
  const session = {
    tree: { query: calls.tree },
    delete: { mutate: calls.delete },
    restore: { mutate: calls.restore },
    purge: { mutate: calls.purge },
  }
  // A deletion calls nothing else.
  const client = { session } as unknown as Client
  window.history.replaceState(null, '', path)
  const app = createApp(path, () => client)
  const titleOf = (id: string) => `Chat ${id}`
  const wrapper = ({ children }: { children: ReactNode }) => <AppProvider value={app}>{children}</AppProvider>
  const { result } = renderHook(() => useDeletion(titleOf), { wrapper })
  return {
    app,
    calls,
    pending: () => result.current.pending,
    cancel: () => settled(() => result.current.cancel()),
    purge: (id: string) => settled(() => result.current.actions.onPurge(id)),
    ask: (id: string) => settled(() => result.current.actions.onDelete(id)),
    /** Asks without waiting for the number of branches. */
    askSlowly: (id: string) => settled(() => void result.current.actions.onDelete(id)),
    confirm: (withBranches = false) => settled(() => result.current.confirm(withBranches)),
    status: (sessionId: string, status: SessionStatus) =>
      app.chats.onEvent({ type: 'status', sessionId, status }),
    toasts: () => app.toasts.get().map(({ message }) => message),
    undo: () => settled(() => app.toasts.get().at(-1)?.action?.onAction()),
  }
}

const session = (id: string, facts: Partial<Session> = {}): Session => ({
  ...createSessionWorld(id).snapshot(1).view,
  ...facts,
})
const node = (
  id: string,
  parentId: string | null,
  children: LineageNode[] = [],
  facts: Partial<Session> = {},
): LineageNode => ({ session: session(id, { parentId, ...facts }), forkMessageId: null, children })

const side = node('side', 'a', [], { metadata: { ephemeral: true } })
const TREE = node('root', null, [node('a', 'root', [node('a1', 'a'), side]), node('b', 'root')])

test.each([
  ['root', 3],
  ['a', 1],
  ['a1', 0],
  ['b', 0],
  ['elsewhere', 0],
])(
  'UI-32 the question before %s is deleted counts its %s branches, side questions not',
  async (id, branches) => {
    const deletion = setUp('/', TREE)
    await deletion.ask(id)
    expect(deletion.pending()).toMatchObject({ to: 'bin', title: `Chat ${id}`, branches })
  },
)

test('UI-4 UI-32 the question is asked although its branches can’t be read', async () => {
  const deletion = setUp()
  await deletion.ask('root')
  expect(deletion.pending()).toMatchObject({ branches: 0 })
  expect(deletion.toasts()).toEqual([])
})

const RUN = { runId: 'run_1', startedAt: 0 }

test.each<[string, boolean, SessionStatus]>([
  ['idle', false, { state: 'idle' }],
  ['busy', true, { state: 'busy', ...RUN }],
  ['waiting', true, { state: 'waiting', ...RUN, waitingOn: 'approval' }],
  ['retrying', true, { state: 'retrying', ...RUN, attempt: 1, message: 'Busy', retryAt: 1 }],
  ['failed', false, { state: 'error', runId: 'run_1', code: 'PROVIDER_ERROR', message: 'No' }],
])(
  'UI-32 of a chat that is %s the question says that a reply is stopped first: %s',
  async (_, running, status) => {
    const deletion = setUp('/', TREE)
    deletion.status('root', status)
    await deletion.ask('root')
    expect(deletion.pending()).toMatchObject({ running })
  },
)

test('UI-32 nothing is deleted by the question, nor once it is dismissed', async () => {
  const deletion = setUp('/', TREE)
  await deletion.ask('root')
  await deletion.cancel()
  await deletion.confirm()
  expect(deletion.pending()).toBeNull()
  expect([deletion.calls.delete.mock.calls, deletion.calls.purge.mock.calls]).toEqual([[], []])
})

test.each([false, true])(
  'UI-32 a confirmed deletion takes the branches along only when asked: %s',
  async (withBranches) => {
    const deletion = setUp('/', TREE)
    await deletion.ask('root')
    await deletion.confirm(withBranches)
    expect(deletion.calls.delete.mock.calls).toEqual([[{ sessionId: 'root', withBranches }]])
    expect(deletion.toasts()).toEqual(['“Chat root” is in the bin.'])
  },
)

test('UI-4 UI-32 a deletion that meets no server says so and leaves the page where it is', async () => {
  const deletion = setUp('/s/root', TREE)
  deletion.calls.delete.mockImplementation(lost)
  await deletion.ask('root')
  await deletion.confirm()
  expect(deletion.toasts()).toEqual(['The server can’t be reached.'])
  expect(deletion.app.router.get().sessionId).toBe('root')
})

test('UI-32 the page of a deleted chat becomes a new chat, and Undo leads back to it', async () => {
  const deletion = setUp('/s/root', TREE)
  await deletion.ask('root')
  await deletion.confirm()
  expect(deletion.app.router.get().sessionId).toBeNull()
  await deletion.undo()
  expect(deletion.app.router.get().sessionId).toBe('root')
  expect(deletion.calls.restore.mock.calls).toEqual([[{ sessionId: 'root' }]])
})

test('UI-32 Undo leaves the page alone when another chat was opened meanwhile', async () => {
  const deletion = setUp('/s/root', TREE)
  await deletion.ask('root')
  await deletion.confirm()
  deletion.app.router.push({ sessionId: 'b', anchor: null })
  await deletion.undo()
  expect(deletion.app.router.get().sessionId).toBe('b')
})

test('UI-32 a chat that is not open is deleted and restored without leaving the open one', async () => {
  const deletion = setUp('/s/b', TREE)
  await deletion.ask('root')
  await deletion.confirm()
  await deletion.undo()
  expect(deletion.app.router.get().sessionId).toBe('b')
})

test('UI-4 UI-32 an Undo that meets no server says so, and the chat stays in the bin', async () => {
  const deletion = setUp('/s/root', TREE)
  await deletion.ask('root')
  await deletion.confirm()
  deletion.calls.restore.mockImplementation(lost)
  await deletion.undo()
  expect(deletion.toasts()).toContain('The server can’t be reached.')
  expect(deletion.app.router.get().sessionId).toBeNull()
})

test('UI-32 a chat is deleted forever only after its own question, and its draft with it', async () => {
  const deletion = setUp()
  deletion.app.drafts.of('root').set({ text: 'Not sent', files: [] })
  await deletion.purge('root')
  expect(deletion.pending()).toEqual({ to: 'nowhere', id: 'root', title: 'Chat root' })
  expect(deletion.calls.purge.mock.calls).toEqual([])
  await deletion.confirm()
  expect(deletion.calls.purge.mock.calls).toEqual([[{ sessionId: 'root' }]])
  expect(deletion.calls.delete.mock.calls).toEqual([])
  expect(deletion.app.drafts.of('root').get().text).toBe('')
})

test('UI-4 UI-12 a chat that could not be deleted forever keeps its draft', async () => {
  const deletion = setUp()
  deletion.calls.purge.mockImplementation(lost)
  deletion.app.drafts.of('root').set({ text: 'Not sent', files: [] })
  await deletion.purge('root')
  await deletion.confirm()
  expect(deletion.toasts()).toEqual(['The server can’t be reached.'])
  expect(deletion.app.drafts.of('root').get().text).toBe('Not sent')
})

test('UI-32 of two deletions in a hurry the later one is asked about, whichever is counted first', async () => {
  const page = setUp('/', TREE)
  const slow = Promise.withResolvers<unknown>()
  page.calls.tree.mockImplementationOnce(() => slow.promise)
  await page.askSlowly('a')
  await page.ask('b')
  expect(page.pending()).toMatchObject({ id: 'b' })
  await settled(() => slow.reject(new Error('Late')))
  expect(page.pending()).toMatchObject({ id: 'b' })
})
