// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

const QUESTIONS = [
  { question: 'Which way?', options: [{ label: 'Left', description: 'By the river' }, { label: 'Right' }] },
]

type Lab = Awaited<ReturnType<typeof openChatLab>>

/** A chat whose reply waits for an answer, or for an approval. */
async function openWaiting(lab: Lab, tool: 'question' | 'read' = 'question') {
  const chat = await lab.openTalk('Before')
  const speaker = await lab.beginReply(chat, 'Go', 'Well')
  speaker.call(tool, tool === 'question' ? { questions: QUESTIONS } : { path: 'README.md' })
  await dock()
  return chat
}

const dock = () => screen.findByRole('region', { name: /question for you|^Allow / })
const noDock = () =>
  waitFor(() => expect(screen.queryByRole('region', { name: /for you|^Allow/ })).toBeNull())
const enabled = async (name: string) => {
  const button = await screen.findByRole<HTMLButtonElement>('button', { name })
  await waitFor(() => expect(button.disabled).toBe(false))
  return button
}

test('UI-16 a question is answered above the composer, and the reply goes on with the answer', async () => {
  await using lab = await openChatLab()
  using chat = await openWaiting(lab)
  expect(document.title).toMatch(/^Waiting for you: /)
  await waitFor(() => expect(screen.getAllByText('Waiting for you').length).toBeGreaterThan(1))
  expect(screen.queryByText('Thinking')).toBeNull()
  fireEvent.click(await screen.findByRole('radio', { name: /^Left/ }))
  fireEvent.click(await enabled('Answer'))
  const speaker = await lab.models.speaker()
  await noDock()
  speaker.say('Left it is')
  speaker.finish()
  await chat.reads('Left it is')
  await chat.reads('Answered: Left')
  await waitFor(() => expect(document.title).not.toContain('Waiting'))
})

/** Opens the line of the only call, once it has ended. */
async function openCall(): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name: /^Read ?README\.md/ }))
}

test('UI-16 a call is allowed once, and the opened call says so', async () => {
  await using lab = await openChatLab({ asksAlways: true })
  using chat = await openWaiting(lab, 'read')
  expect((await dock()).textContent).toContain('README.md')
  fireEvent.click(await enabled('Allow once'))
  const speaker = await lab.models.speaker()
  speaker.finish()
  await openCall()
  await chat.reads('Allowed once')
  await noDock()
})

test('UI-16 a call is allowed in the chat from now on, and the opened call names the rule', async () => {
  await using lab = await openChatLab({ asksAlways: true })
  using chat = await openWaiting(lab, 'read')
  fireEvent.click(await enabled('In this chat'))
  const speaker = await lab.models.speaker()
  speaker.finish()
  await openCall()
  await chat.reads('Allowed in this chat: read README.md')
  await noDock()
  expect(await lab.sessions.permissions.rules({ sessionId: chat.id })).toMatchObject([{ source: 'session' }])
})

test('UI-16 the composer shows the mode of the chat, and full access only after a confirmation', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Before')
  const choose = async (from: string, to: RegExp) => {
    fireEvent.click(await screen.findByRole('button', { name: `Mode: ${from}` }))
    fireEvent.click(await screen.findByRole('menuitem', { name: to }))
  }
  await choose('Ask', /^Plan/)
  await screen.findByRole('button', { name: 'Mode: Plan' })
  await choose('Plan', /^Full/)
  await screen.findByRole('dialog', { name: 'Give full access?' })
  expect(await lab.sessions.get(chat.id)).toMatchObject({ permissions: [{ mode: 'plan' }] })
  await chat.click('Give full access')
  await screen.findByRole('button', { name: 'Mode: Full' })
  expect(await lab.sessions.get(chat.id)).toMatchObject({ permissions: [{ mode: 'full-access' }] })
})

test('UI-16 the mode of a new chat is chosen before its first message, and the next new chat asks again', async () => {
  await using lab = await openChatLab()
  using chat = lab.open('/')
  fireEvent.click(await screen.findByRole('button', { name: 'Mode: Ask' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: /^Plan/ }))
  await screen.findByRole('button', { name: 'Mode: Plan' })
  await chat.send('Look around')
  await chat.reads('A reply.')
  const [session] = (await lab.sessions.list({})).items
  expect(session).toMatchObject({ permissions: [{ mode: 'plan' }] })
  await screen.findByRole('button', { name: 'Mode: Plan' })
  chat.app.router.push({ sessionId: null, anchor: null })
  await screen.findByRole('button', { name: 'Mode: Ask' })
})

test('UI-16 a denial has its reason in the thread', async () => {
  await using lab = await openChatLab({ asksAlways: true })
  using chat = await openWaiting(lab, 'read')
  await enabled('Deny')
  const reason = await screen.findByRole('textbox', { name: 'Reason, if you deny' })
  fireEvent.change(reason, { target: { value: 'Not that one' } })
  chat.press('Enter', reason)
  const speaker = await lab.models.speaker()
  speaker.finish()
  await chat.reads('Denied: Not that one')
})

test('UI-16 what was entered survives a reload', async () => {
  await using lab = await openChatLab()
  const first = await openWaiting(lab)
  fireEvent.click(await screen.findByRole('radio', { name: 'Something else…' }))
  const own = await screen.findByRole('textbox', { name: 'Your own answer: Which way?' })
  fireEvent.change(own, { target: { value: 'Straight on' } })
  first.leave()
  using _second = lab.open(`/s/${first.id}`)
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^Your own answer/ })
  expect(field.value).toBe('Straight on')
  fireEvent.click(await enabled('Answer'))
  ;(await lab.models.speaker()).finish()
  await noDock()
  expect(Object.keys(localStorage).filter((key) => key.startsWith('palimpsest.ask'))).toEqual([])
})

test('UI-16 a reply that comes second changes nothing, and says that another came first', async () => {
  await using lab = await openChatLab({ asksAlways: true })
  using chat = await openWaiting(lab, 'read')
  chat.line.refuse('permission.reply', 'CONFLICT', 'It was answered.')
  fireEvent.click(await enabled('Allow once'))
  await chat.toast('Answered elsewhere.')
  await noDock()
})

test('UI-16 a reply that meets no connection can be given again', async () => {
  await using lab = await openChatLab()
  using chat = await openWaiting(lab)
  fireEvent.click(await screen.findByRole('radio', { name: 'Right' }))
  await enabled('Answer')
  chat.line.cut()
  fireEvent.click(await enabled('Answer'))
  await chat.toast('The server can’t be reached.')
  chat.line.mend()
  fireEvent.click(await enabled('Answer'))
  ;(await lab.models.speaker()).finish()
  await chat.reads('Answered: Right')
})

test('UI-26 a request that is answered elsewhere goes here', async () => {
  await using lab = await openChatLab()
  using chat = await openWaiting(lab)
  const [pending] = await lab.sessions.questions.pending(chat.id)
  await lab.sessions.questions.answer(pending?.id ?? '', [['Right']])
  await noDock()
  ;(await lab.models.speaker()).finish()
  await chat.reads('Answered: Right')
})

test('UI-16 the shortcut leads to the request, and Esc back to the message field without stopping the run', async () => {
  await using lab = await openChatLab()
  using chat = await openWaiting(lab)
  chat.press('ctrl+shift+a', await chat.field())
  expect(document.activeElement).toBe(await dock())
  chat.press('Escape')
  expect(document.activeElement).toBe(await chat.field())
  expect(await lab.sessions.status(chat.id)).toMatchObject({ state: 'waiting' })
})

test('UI-16 Esc again says that the run waits; stopping it keeps what was entered in the message field', async () => {
  await using lab = await openChatLab()
  using chat = await openWaiting(lab)
  fireEvent.click(await screen.findByLabelText('Something else…'))
  const own = await screen.findByRole('textbox', { name: /^Your own answer/ })
  fireEvent.change(own, { target: { value: 'Straight on' } })
  own.focus()
  chat.press('Escape')
  expect(document.activeElement).toBe(await chat.field())
  chat.press('Escape', await chat.field())
  chat.press('Escape', await chat.field())
  await chat.toast('The run waits for your answer.')
  expect(await lab.sessions.status(chat.id)).toMatchObject({ state: 'waiting' })
  await chat.click('Stop it')
  await noDock()
  expect(await chat.field()).toHaveProperty('value', 'Straight on')
})

test('UI-16 Esc in a chat that waits stops its own run, not that of another chat that waits', async () => {
  await using lab = await openChatLab()
  const other = await lab.talk(['Other'])
  using chat = await openWaiting(lab)
  await lab.sessions.send({ sessionId: other, message: { parts: [{ type: 'text', text: 'Go' }] } })
  ;(await lab.models.speaker()).call('question', { questions: QUESTIONS })
  chat.press('Escape', document.body)
  await chat.toast('The run waits for your answer.')
  chat.app.router.push({ sessionId: other, anchor: null })
  await chat.reads('Other')
  await dock()
  chat.press('Escape', document.body)
  await chat.click('Stop it')
  await noDock()
  expect(await lab.sessions.status(chat.id)).toMatchObject({ state: 'waiting' })
})

test('UI-15 UI-16 while a run waits, a message is queued, and Stop ends the run with its request', async () => {
  await using lab = await openChatLab()
  using chat = await openWaiting(lab)
  await chat.send('And then?')
  await screen.findByText('1 message queued')
  await chat.click('Stop')
  await noDock()
  ;(await lab.models.speaker()).finish()
  await waitFor(() => expect(screen.queryByText('1 message queued')).toBeNull())
})
