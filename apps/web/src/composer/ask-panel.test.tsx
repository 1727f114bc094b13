// @vitest-environment happy-dom
import type { PendingPermission, PendingQuestion } from '@palimpsest/core/domain'
import { act, cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Asks } from '../session/asks.ts'
import type { SessionApi } from '../session/session-api.ts'
import { createApp } from '../stores/app.ts'
import { AppProvider } from '../stores/app-context.tsx'
import { AskPanel } from './ask-panel.tsx'

// Ample, so that a busy machine fails nothing that would have passed.
configure({ asyncUtilTimeout: 20_000 })

afterEach(() => {
  cleanup()
  localStorage.clear()
})

const permission = (id: string, facts: Partial<PendingPermission> = {}): PendingPermission => ({
  id,
  sessionId: 'ses_1',
  rootSessionId: 'ses_1',
  runId: 'run_1',
  messageId: 'm',
  toolCallId: 'c',
  tool: 'bash',
  args: { command: `echo ${id}` },
  reason: 'No rule allows this.',
  patterns: [],
  createdAt: 1,
  ...facts,
})
const question = (id: string, createdAt: number): PendingQuestion => {
  const { tool: _t, args: _a, reason: _r, patterns: _p, ...ids } = permission(id, { createdAt })
  return {
    ...ids,
    questions: [{ question: `Which ${id}?`, options: [{ label: 'Left' }, { label: 'Right' }] }],
  }
}
const asking = (...permissions: PendingPermission[]): Asks => ({ permissions, questions: [] })
const done = () => Promise.resolve()
const refused = (appCode: string) => () =>
  Promise.reject(Object.assign(new Error('It was too late.'), { data: { appCode } }))

function show(asks: Asks) {
  const replyToPermission = vi.fn<SessionApi['replyToPermission']>(done)
  const answer = vi.fn<SessionApi['answer']>(done)
  const page = createApp('/', () => {
    throw new Error('Replies go by the session’s own calls')
  })
  // The panel makes no other calls.
  const sessionApi = { replyToPermission, answer } as Partial<SessionApi> as SessionApi
  const app = { ...page, sessionApi }
  const element = (shown: Asks) => (
    <AppProvider value={app}>
      <AskPanel state={{ asks: shown }} onLeave={() => undefined} />
    </AppProvider>
  )
  const rendered = render(element(asks))
  return {
    app,
    replyToPermission,
    answer,
    update: (next: Asks) => rendered.rerender(element(next)),
    toasts: () => app.toasts.get().map(({ message }) => message),
  }
}

const dockText = () => screen.queryByRole('region')?.textContent ?? ''
const gone = () => waitFor(() => expect(screen.queryByRole('button', { name: /Deny/ })).toBeNull())

async function press(name: RegExp) {
  const button = await screen.findByRole<HTMLButtonElement>('button', { name })
  await waitFor(() => expect(button.disabled).toBe(false))
  await act(async () => void fireEvent.click(button))
}

test('UI-16 nothing is shown while nothing is asked', () => {
  show(asking())
  expect(screen.queryByRole('button', { name: /Allow once/ })).toBeNull()
})

test('UI-16 of several requests the oldest is shown, whatever it asks for', () => {
  show({
    permissions: [permission('late', { createdAt: 3 }), permission('later', { createdAt: 4 })],
    questions: [question('way', 2)],
  })
  expect(dockText()).toContain('Which way?')
  expect(dockText()).not.toContain('echo late')
})

test.each([
  ['Allow once', { reply: 'once' }],
  ['In this chat', { reply: 'session', pattern: 'bash git *' }],
  ['In this folder', { reply: 'project', pattern: 'bash git *' }],
  ['Deny', { reply: 'deny' }],
])('UI-16 the reply “%s” is given once, for this request', async (name, reply) => {
  const { replyToPermission } = show(asking(permission('one', { patterns: ['bash git *', 'bash *'] })))
  await press(new RegExp(`^${name}`))
  await gone()
  expect(replyToPermission.mock.calls).toEqual([[{ permissionId: 'one', ...reply }]])
})

test('UI-16 a lasting reply allows the pattern that was chosen', async () => {
  const { replyToPermission } = show(asking(permission('one', { patterns: ['bash git *', 'bash *'] })))
  fireEvent.click(await screen.findByRole('radio', { name: /^bash \*$/ }))
  await press(/^In this chat/)
  await gone()
  expect(replyToPermission.mock.calls).toEqual([
    [{ permissionId: 'one', reply: 'session', pattern: 'bash *' }],
  ])
})

test('UI-16 a call without a pattern is allowed once or denied, and not for longer', async () => {
  show(asking(permission('one')))
  await screen.findByRole('button', { name: /^Allow once/ })
  expect(screen.queryByRole('button', { name: /^In this chat/ })).toBeNull()
})

test('UI-16 a denial carries its reason without spaces around it', async () => {
  const { app, replyToPermission } = show(asking(permission('one')))
  await act(async () => app.askDrafts.of('one').set({ reason: '  Not that one ', answers: [] }))
  await press(/^Deny/)
  await gone()
  expect(replyToPermission.mock.calls).toEqual([
    [{ permissionId: 'one', reply: 'deny', reason: 'Not that one' }],
  ])
})

test('UI-16 an allowed call carries no reason, and what was entered is gone with the request', async () => {
  const { app, replyToPermission } = show(asking(permission('one')))
  await act(async () => app.askDrafts.of('one').set({ reason: 'Half a reason', answers: [] }))
  await press(/^Allow once/)
  await gone()
  expect(replyToPermission.mock.calls).toEqual([[{ permissionId: 'one', reply: 'once' }]])
  expect(app.askDrafts.of('one').get().reason).toBe('')
})

test('UI-16 after a reply the next request is shown before the server reports the first as over', async () => {
  const both = asking(permission('one'), permission('two', { createdAt: 2 }))
  const { replyToPermission, update } = show(both)
  await press(/^Allow once/)
  await waitFor(() => expect(dockText()).toContain('echo two'))
  update(asking(permission('two', { createdAt: 2 })))
  expect(dockText()).toContain('echo two')
  await press(/^Deny/)
  await gone()
  expect(replyToPermission.mock.calls.map(([{ permissionId }]) => permissionId)).toEqual(['one', 'two'])
})

test('UI-16 a reply that came second says so, is over here, and is no error', async () => {
  const { app, replyToPermission, toasts } = show(asking(permission('one')))
  replyToPermission.mockImplementation(refused('CONFLICT'))
  await press(/^Allow once/)
  await gone()
  expect(toasts()).toEqual(['Answered elsewhere.'])
  expect(app.toasts.get()[0]?.tone).toBe('info')
})

test.each([
  ['is refused', refused('INVALID_INPUT'), 'It was too late.'],
  ['meets no server', () => Promise.reject(new Error('lost')), 'The server can’t be reached.'],
])('UI-4 UI-16 a reply that %s says why, keeps what was entered, and can be given again', async (...row) => {
  const [, fail, message] = row
  const { app, replyToPermission, toasts } = show(asking(permission('one')))
  await act(async () => app.askDrafts.of('one').set({ reason: 'No', answers: [] }))
  replyToPermission.mockImplementationOnce(fail)
  await press(/^Deny/)
  await waitFor(() => expect(toasts()).toEqual([message]))
  expect(app.askDrafts.of('one').get().reason).toBe('No')
  await press(/^Deny/)
  await gone()
  expect(replyToPermission).toHaveBeenCalledTimes(2)
})

test('UI-16 while a reply is on its way no second one is given', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { replyToPermission } = show(asking(permission('one')))
  replyToPermission.mockImplementation(() => promise)
  await press(/^Allow once/)
  const deny = await screen.findByRole<HTMLButtonElement>('button', { name: /^Deny/ })
  expect(deny.disabled).toBe(true)
  fireEvent.click(deny)
  await act(async () => resolve())
  await gone()
  expect(replyToPermission).toHaveBeenCalledOnce()
})

test('UI-16 the arguments of a call are shown as they are and never as markup', () => {
  const command = '<img src=x onerror=alert(1)> && rm -rf /'
  show(asking(permission('one', { args: { command } })))
  expect(dockText()).toContain(command)
  expect(document.querySelector('img')).toBeNull()
})

test('UI-16 a reply whose answer comes late leaves the next request, which has its reply on the way, closed', async () => {
  const one = permission('one')
  const two = permission('two', { createdAt: 2 })
  const page = show(asking(one, two))
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  for (const { promise } of answers) page.replyToPermission.mockImplementationOnce(() => promise)
  const allow = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Allow once' })
  await waitFor(() => expect(allow().disabled).toBe(false))
  fireEvent.click(allow())
  page.update(asking(two))
  await waitFor(() => expect(dockText()).toContain('echo two'))
  await waitFor(() => expect(allow().disabled).toBe(false))
  fireEvent.click(allow())
  expect(allow().disabled).toBe(true)
  await act(async () => answers[0]?.resolve())
  expect(allow().disabled).toBe(true)
})
