// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

test('UI-2 the first message makes the session, shows at once, and names it in the address', async () => {
  await using lab = await openChatLab()
  using chat = lab.open('/')
  const answer = chat.line.hold('session.create')
  await chat.send('What is oak gall ink?')
  await chat.reads('What is oak gall ink?')
  expect(window.location.pathname).toMatch(/^\/s\/ses_/)
  expect((await chat.field()).value).toBe('')
  answer()
  await chat.reads('A reply.')
  expect(await chat.messages()).toEqual(['What is oak gall ink?', 'A reply.'])
  const { items } = await lab.sessions.list({})
  expect(items.map(({ id }) => `/s/${id}`)).toEqual([window.location.pathname])
})

test('UI-2 a suggestion is sent as if it were written, and the chat after it is a new one', async () => {
  await using lab = await openChatLab()
  using chat = lab.open('/')
  const [first] = await within(await screen.findByLabelText('Suggestions')).findAllByRole('button')
  fireEvent.click(first ?? document.body)
  await chat.reads('A reply.')
  const address = window.location.pathname
  chat.press('ctrl+shift+o')
  await screen.findByText('What shall we write?')
  await chat.send('Another matter')
  await chat.reads('Another matter')
  expect(window.location.pathname).not.toBe(address)
  await waitFor(async () => expect((await lab.sessions.list({})).items).toHaveLength(2))
})

test('UI-2 a double click on Send and an Enter too many send one message', async () => {
  await using lab = await openChatLab()
  using chat = lab.open('/')
  await chat.write('Once')
  const send = await screen.findByRole('button', { name: 'Send' })
  fireEvent.click(send)
  fireEvent.click(send)
  chat.press('Enter', await chat.field())
  await chat.reads('A reply.')
  expect(chat.line.calls.filter((path) => path === 'session.send')).toHaveLength(1)
})

test('UI-4 UI-12 a message that meets no connection stays in sight, and goes out once when there is one', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Before')
  chat.line.cut()
  await screen.findByText('Reconnecting. Nothing is lost.')
  await chat.send('Into the void')
  await screen.findByText('Not sent.')
  await screen.findByText(/The server can’t be reached. It is sent as soon as/)
  expect(await chat.messages()).toEqual(['Before', 'A reply.', 'Into the void'])
  chat.line.mend()
  await waitFor(async () =>
    expect(await chat.messages()).toEqual(['Before', 'A reply.', 'Into the void', 'A reply.']),
  )
  expect(screen.queryByText('Not sent.')).toBeNull()
  expect(screen.queryByText('Reconnecting. Nothing is lost.')).toBeNull()
  const { items } = await lab.sessions.messages({ sessionId: chat.id })
  expect(items).toHaveLength(4)
})

test('UI-11 of several messages that were not sent each notice says which it is', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Before')
  chat.line.cut()
  await screen.findByText('Reconnecting. Nothing is lost.')
  await chat.send('Into the void')
  await chat.send('And after it')
  await screen.findByText('Not sent: “Into the void”.')
  await screen.findByText('Not sent: “And after it”.')
})

test('UI-11 a message that was to wait in the queue stays in sight when it can not be sent', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Before')
  await lab.beginReply(chat, 'Go on', 'Half a ')
  chat.line.refuse('session.send', 'RATE_LIMITED', 'The queue is full.')
  await chat.send('For later')
  await screen.findByText('The queue is full.')
  await screen.findByText('For later')
  await chat.click('Discard')
  await waitFor(() => expect(screen.queryByText('For later')).toBeNull())
})

test('UI-12 what was on its way when the page was closed goes out when it is opened again', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(['Before'])
  const first = lab.open(`/s/${id}`)
  await first.reads('Before')
  first.line.cut()
  await first.send('Left behind')
  await screen.findByText('Not sent.')
  first.leave()
  using again = lab.open(`/s/${id}`)
  await waitFor(async () =>
    expect(await again.messages()).toEqual(['Before', 'A reply.', 'Left behind', 'A reply.']),
  )
})

test('UI-11 a message that the server refuses says why, and is sent again or taken back by hand', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Before')
  chat.line.refuse('session.send', 'INVALID_INPUT', 'This message is too long.')
  await chat.send('Far too long')
  await screen.findByText('This message is too long.')
  chat.line.refuse('session.send', 'INVALID_INPUT', 'Still too long.')
  await chat.click('Send again')
  await screen.findByText('Still too long.')
  expect(await chat.messages()).toEqual(['Before', 'A reply.', 'Far too long'])
  await chat.click('Discard')
  await waitFor(async () => expect(await chat.messages()).toEqual(['Before', 'A reply.']))
  expect(screen.queryByText('Not sent.')).toBeNull()
})

test('UI-11 a reply that fails says why and is asked for again in its place', async () => {
  await using lab = await openChatLab()
  using chat = lab.open('/')
  const first = await lab.beginReply(chat, 'Try', 'Half a ')
  first.fail('The ink ran dry.')
  await screen.findByText('The reply failed.')
  await screen.findByText(/^Outcome: The reply failed. .+/)
  lab.models.answer('A whole reply.')
  await chat.click('Try again')
  await chat.reads('A whole reply.')
  expect(await chat.messages()).toEqual(['Try', 'A whole reply.'])
})

test('UI-15 Esc stops the reply, whose words stay, and the message field is ready', async () => {
  await using lab = await openChatLab()
  using chat = lab.open('/')
  await lab.beginReply(chat, 'Go on', 'Going on and')
  chat.press('Escape', await chat.field())
  await screen.findByText('Stopped.')
  expect(await chat.messages()).toEqual(['Go on', 'Going on and'])
  await screen.findByRole('button', { name: 'Continue' })
  expect(document.activeElement).toBe(await chat.field())
})

test('UI-7 UI-26 a message sent from another surface is shown here too, with its reply', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Before')
  await lab.talk(['From elsewhere'], chat.id)
  await waitFor(async () =>
    expect(await chat.messages()).toEqual(['Before', 'A reply.', 'From elsewhere', 'A reply.']),
  )
})

test('UI-5 late answers of the session that was left do not reach the one that was gone to', async () => {
  await using lab = await openChatLab()
  const one = await lab.talk(['In the first'])
  const two = await lab.talk(['In the second'])
  using chat = lab.open(`/s/${one}`)
  await screen.findByRole('textbox', { name: 'Message' })
  const answer = chat.line.hold('session.messages')
  chat.app.router.push({ sessionId: two, anchor: null })
  chat.app.router.push({ sessionId: one, anchor: null })
  chat.app.router.push({ sessionId: two, anchor: null })
  answer()
  await chat.reads('In the second')
  expect(await chat.messages()).toEqual(['In the second', 'A reply.'])
  await waitFor(() => expect(document.title).toBe('In the second · Palimpsest'))
})
