// @vitest-environment happy-dom
import type { ChatMessage, SessionStatus } from '@palimpsest/core/domain'
import { act, cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { SessionApi } from '../session/session-api.ts'
import { initialSessionState, type SessionState } from '../session/session-state.ts'
import type { SessionStore } from '../session/session-store.ts'
import { createApp } from '../stores/app.ts'
import { AppProvider } from '../stores/app-context.tsx'
import { userMessage } from '../testing/session-world.ts'
import { type SessionCommands, useSessionCommands } from './use-session-commands.ts'

afterEach(() => {
  cleanup()
  localStorage.clear()
})

const settled = (change: () => unknown) => act(async () => void (await change()))
const lost = () => Promise.reject(new Error('No connection'))
const done = () => Promise.resolve()

const BUSY: SessionStatus = { state: 'busy', runId: 'run_1', startedAt: 0 }
const reply = (id: string): ChatMessage => ({ ...userMessage(id), role: 'assistant' })

function setUp(facts: Partial<SessionState> = {}) {
  const api = {
    abort: vi.fn<SessionApi['abort']>(done),
    resend: vi.fn<SessionApi['resend']>(done),
    continue: vi.fn<SessionApi['continue']>(done),
    queue: {
      edit: vi.fn<SessionApi['queue']['edit']>(() => Promise.resolve(userMessage('a'))),
      cancel: vi.fn<SessionApi['queue']['cancel']>(done),
      restore: vi.fn<SessionApi['queue']['restore']>(done),
      reorder: vi.fn<SessionApi['queue']['reorder']>(done),
      promote: vi.fn<SessionApi['queue']['promote']>(done),
    },
  }
  const state: SessionState = { ...initialSessionState('ses_1', 'ready'), ...facts }
  const page = createApp('/', () => {
    throw new Error('Commands go by the session’s own calls')
  })
  // The commands make no other calls, and read the store only.
  const app = { ...page, sessionApi: api as unknown as SessionApi }
  const store = { get: () => state } as SessionStore
  const wrapper = ({ children }: { children: ReactNode }) => <AppProvider value={app}>{children}</AppProvider>
  const { result } = renderHook(() => useSessionCommands(store), { wrapper })
  return {
    api,
    run: (command: (commands: SessionCommands) => unknown) => settled(() => command(result.current)),
    toasts: () => app.toasts.get().map(({ message }) => message),
    press: () => settled(() => app.toasts.get().at(-1)?.action?.onAction()),
  }
}

test('UI-15 a stop ends the run that is shown, and says nothing more while nothing is queued', async () => {
  const { api, run, toasts } = setUp({ status: BUSY })
  await run(({ stop }) => stop())
  expect(api.abort.mock.calls).toEqual([['ses_1', 'run_1']])
  expect(toasts()).toEqual([])
})

test('UI-15 a stop names the message that is sent next, and offers to stop that one too', async () => {
  const queue = [userMessage('a', 'The next words'), userMessage('b', 'Later words')]
  const { api, run, toasts, press } = setUp({ status: BUSY, queue })
  await run(({ stop }) => stop())
  expect(toasts()).toEqual(['Stopped. Next: “The next words”'])
  await press()
  expect(api.abort.mock.calls.at(-1)).toEqual(['ses_1', null, { pauseQueue: true }])
})

test.each<[string, SessionStatus]>([
  ['idle', { state: 'idle' }],
  ['failed', { state: 'error', runId: 'run_1', code: 'PROVIDER_ERROR', message: 'No' }],
])('UI-15 a stop of a chat that is %s asks nothing of the server', async (_, status) => {
  const { api, run, toasts } = setUp({ status, queue: [userMessage('a')] })
  await run(({ stop }) => stop())
  expect([api.abort.mock.calls, toasts()]).toEqual([[], []])
})

test.each<[string, SessionStatus]>([
  ['waits', { state: 'waiting', runId: 'run_2', startedAt: 0, waitingOn: 'answer' }],
  [
    'is tried again',
    { state: 'retrying', runId: 'run_2', startedAt: 0, attempt: 2, message: '', retryAt: 9 },
  ],
])('UI-15 a run that %s is stopped', async (_, status) => {
  const { api, run } = setUp({ status })
  await run(({ stop }) => stop())
  expect(api.abort.mock.calls).toEqual([['ses_1', 'run_2']])
})

test('UI-4 a stop that meets no server says so and promises no next message', async () => {
  const { api, run, toasts } = setUp({ status: BUSY, queue: [userMessage('a')] })
  api.abort.mockImplementation(lost)
  await run(({ stop }) => stop())
  expect(toasts()).toEqual(['The server can’t be reached.'])
})

test('UI-15 “Stop all” names no run, so that whatever runs by then is stopped', async () => {
  const { api, run } = setUp({ status: BUSY })
  await run(({ stopAll }) => stopAll())
  expect(api.abort.mock.calls).toEqual([['ses_1', null, { pauseQueue: true }]])
})

const TALK = [userMessage('q1'), reply('r1'), userMessage('q2'), reply('r2'), reply('r2b')]
const MODEL = { providerId: 'lab', modelId: 'm2' }

test.each([
  ['q1', 'q1'],
  ['r1', 'q1'],
  ['r2', 'q2'],
  ['r2b', 'q2'],
])('UI-28 another reply asked for at %s answers the question %s', async (at, question) => {
  const { api, run } = setUp({ messages: TALK })
  await run(({ resend }) => resend(at))
  await run(({ resend }) => resend(at, MODEL))
  expect(api.resend.mock.calls).toEqual([
    ['ses_1', question, null],
    ['ses_1', question, MODEL],
  ])
})

test.each([
  ['a message that is not shown', 'elsewhere', TALK],
  ['a reply whose question is not shown', 'r1', TALK.slice(1)],
  ['an empty chat', 'q1', []],
])('UI-28 another reply to %s is not asked for', async (_, at, messages) => {
  const { api, run, toasts } = setUp({ messages })
  await run(({ resend }) => resend(at))
  expect([api.resend.mock.calls, toasts()]).toEqual([[], []])
})

test('UI-15 a message that was removed from the queue comes back by Undo', async () => {
  const { api, run, toasts, press } = setUp()
  await run(({ cancelQueued }) => cancelQueued('a'))
  expect(toasts()).toEqual(['Removed from the queue.'])
  expect(api.queue.restore.mock.calls).toEqual([])
  await press()
  expect(api.queue.restore.mock.calls).toEqual([['ses_1', 'a']])
})

test('UI-4 UI-15 a message that could not be removed offers no Undo', async () => {
  const { api, run, toasts } = setUp()
  api.queue.cancel.mockImplementation(lost)
  await run(({ cancelQueued }) => cancelQueued('a'))
  expect(toasts()).toEqual(['The server can’t be reached.'])
})

test('UI-4 UI-15 an Undo that meets no server says so', async () => {
  const { api, run, toasts, press } = setUp()
  await run(({ cancelQueued }) => cancelQueued('a'))
  api.queue.restore.mockImplementation(lost)
  await press()
  expect(toasts()).toEqual(['Removed from the queue.', 'The server can’t be reached.'])
})

test('UI-15 an edit that came too late says why, and that it was not saved', async () => {
  const { api, run, toasts } = setUp()
  const saved: boolean[] = []
  const edit = () =>
    run(async ({ editQueued }) => saved.push(await editQueued('a', [{ type: 'text', text: 'New' }])))
  await edit()
  const gone = Object.assign(new Error('It was sent.'), { data: { appCode: 'CONFLICT' } })
  api.queue.edit.mockImplementation(() => Promise.reject(gone))
  await edit()
  expect(saved).toEqual([true, false])
  expect(toasts()).toEqual(['It was sent.'])
  expect(api.queue.edit.mock.calls[0]).toEqual(['ses_1', 'a', { parts: [{ type: 'text', text: 'New' }] }])
})

test.each<[string, (commands: SessionCommands) => void]>([
  ['continue', (commands) => commands.continue()],
  ['reorder', ({ reorderQueue }) => reorderQueue(['b', 'a'])],
  ['promote', ({ promote }) => promote('a')],
  ['resend', ({ resend }) => resend('q1')],
])('UI-4 a command that is refused says why: %s', async (name, command) => {
  const { api, run, toasts } = setUp({ messages: TALK })
  const no = () => Promise.reject(Object.assign(new Error('Not now.'), { data: { appCode: 'CONFLICT' } }))
  api.continue.mockImplementation(no)
  api.resend.mockImplementation(no)
  api.queue.reorder.mockImplementation(no)
  api.queue.promote.mockImplementation(no)
  await run(command)
  expect([name, ...toasts()]).toEqual([name, 'Not now.'])
})
