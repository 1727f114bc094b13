// @vitest-environment happy-dom
import type { BudgetLimits, ChatMessage } from '@palimpsest/core/domain'
import { fireEvent, renderHook, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { initialSessionState, type SessionState } from '../../session/session-state.ts'
import { AppProvider } from '../../stores/app-context.tsx'
import { openChatLab } from '../../testing/chat-lab.tsx'
import { useBudgetWarning } from './use-budget-warning.ts'

type Lab = Awaited<ReturnType<typeof openChatLab>>

const NO_TODOS = { todos: [] }

/** A chat with these limits, whose reply the first tool call ends. */
async function openSpent(lab: Lab, limits: BudgetLimits) {
  const id = await lab.talk(['Begin'])
  await lab.sessions.budget.set(id, limits)
  const chat = lab.open(`/s/${id}`)
  await chat.reads('Begin')
  const speaker = await lab.beginReply(chat, 'Go', 'Working.')
  speaker.call('todo', NO_TODOS)
  return Object.assign(chat, { id })
}

const fieldNamed = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name })

test('BU-1 a reply that the budget ended says which limit, and raising it continues the reply', async () => {
  await using lab = await openChatLab()
  using chat = await openSpent(lab, { session: { max_tool_calls: 1 } })
  await screen.findByText('1 of 1 tool calls in this chat.')
  fireEvent.click(await screen.findByRole('button', { name: 'Raise and continue' }))
  const field = await fieldNamed('Tool calls: This chat')
  expect(field.value).toBe('1')
  expect(document.activeElement).toBe(field)
  fireEvent.change(field, { target: { value: 'many' } })
  expect((await screen.findByRole('alert')).textContent).toBe('A limit is a number above 0.')
  fireEvent.change(field, { target: { value: '10' } })
  const save = screen.getAllByRole('button', { name: 'Raise and continue' }).at(-1)
  fireEvent.submit(save?.closest('form') ?? document.body)
  const speaker = await lab.models.speaker()
  speaker.say('Went on.')
  speaker.finish()
  await chat.reads('Went on.')
  expect((await lab.sessions.budget.get(chat.id)).own).toEqual({ run: {}, session: { max_tool_calls: 10 } })
})

test('BU-1 the warning of a limit is put away once the limit has ended the reply', async () => {
  await using lab = await openChatLab()
  using chat = await openSpent(lab, { session: { max_tool_calls: 5 } })
  const callMore = async () => (await lab.models.speaker()).call('todo', NO_TODOS)
  for (let calls = 1; calls < 4; calls += 1) await callMore()
  await chat.toast(/^The budget is nearly used up: 4 of 5 tool calls in this chat\.$/)
  await callMore()
  await screen.findByText('5 of 5 tool calls in this chat.')
  // A toast leaves by itself after six seconds.
  const warning = () => screen.queryByText(/^The budget is nearly used up/)
  await waitFor(() => expect(warning()).toBeNull(), { timeout: 3_000 })
})

test('BU-1 the warning stays when the reply that goes on ends before its message is here', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Begin')
  const spent: ChatMessage = {
    id: 'msg_spent',
    role: 'assistant',
    metadata: { schemaVersion: 1, createdAt: 0, finishReason: 'budget' },
    parts: [],
  }
  const { id: sessionId } = chat
  const idle: SessionState = { ...initialSessionState(sessionId, 'ready'), messages: [spent] }
  const use = { scope: 'session', limit: 'max_tool_calls', used: 8, max: 9 } as const
  const near: SessionState = {
    ...idle,
    budgetNear: use,
    status: { state: 'busy', runId: 'run_2', startedAt: 0 },
  }
  const raise = () => undefined
  const wrapper = (props: { children: ReactNode }) => (
    <AppProvider value={chat.app}>{props.children}</AppProvider>
  )
  const page = renderHook((state: SessionState) => useBudgetWarning(state, raise), {
    wrapper,
    initialProps: idle,
  })
  const warnings = () => chat.app.toasts.get().filter(({ message }) => message.startsWith('The budget'))
  page.rerender(near)
  await waitFor(() => expect(warnings()).toHaveLength(1))
  page.rerender({ ...idle, budgetNear: use })
  expect(warnings()).toHaveLength(1)
  page.rerender({ ...idle, budgetNear: use, messages: [spent, { ...spent, id: 'msg_next' }] })
  await waitFor(() => expect(warnings()).toHaveLength(0))
})

test('BU-1 a limit of one reply offers to continue, with a budget of its own', async () => {
  await using lab = await openChatLab()
  using chat = await openSpent(lab, { run: { max_tool_calls: 1 } })
  await screen.findByText('1 of 1 tool calls in this reply.')
  expect(screen.queryByRole('button', { name: 'Raise and continue' })).toBeNull()
  fireEvent.click(await screen.findByRole('button', { name: 'Continue' }))
  const speaker = await lab.models.speaker()
  speaker.say('Went on.')
  speaker.finish()
  await chat.reads('Went on.')
})

test('BU-1 a message beyond the budget is kept with the reason, and sent again once the budget is raised', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(['Begin'])
  await lab.sessions.budget.set(id, { session: { max_tokens: 5 } })
  using chat = lab.open(`/s/${id}`)
  await chat.reads('Begin')
  await chat.send('One more')
  await screen.findByText(/^The budget of this session is spent: [\d,]+ of 5 tokens\. Raise it to go on\.$/)
  expect((await lab.sessions.messages({ sessionId: id })).items).toHaveLength(2)
  await lab.sessions.budget.set(id, {})
  fireEvent.click(screen.getByRole('button', { name: 'Send again' }))
  await waitFor(async () => expect((await lab.sessions.messages({ sessionId: id })).items).toHaveLength(4))
})

test('BU-1 a person is warned near a limit, once, with the way to raise it', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(['Begin'])
  const { tokens } = (await lab.sessions.budget.get(id)).spent
  const max = Math.ceil((tokens + 1) / 0.8)
  await lab.sessions.budget.set(id, { session: { max_tokens: max } })
  using chat = lab.open(`/s/${id}`)
  await chat.reads('Begin')
  await chat.send('One more')
  await chat.toast(/^The budget is nearly used up: [\d,]+ of [\d,]+ tokens in this chat\.$/)
  fireEvent.click(screen.getByRole('button', { name: 'Raise' }))
  expect((await fieldNamed('Tokens: This chat')).value).toBe(String(max))
  expect((await fieldNamed('US dollars: Each reply')).placeholder).toBe('None')
})
