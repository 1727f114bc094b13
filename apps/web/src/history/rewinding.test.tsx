// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

const TALK = ['Naming the boat', 'And its oars?', 'And its anchor?']

type Lab = Awaited<ReturnType<typeof openChatLab>>

const tray = () => screen.findByRole('region', { name: 'Rewound' })
const editor = () => screen.findByRole('textbox', { name: 'Edit message' })
const trayTells = (text: string) =>
  waitFor(() => within(screen.getByRole('region', { name: 'Rewound' })).getByText(text))
const shown = async (lab: Lab, sessionId: string) => (await lab.sessions.messages({ sessionId })).items.length

test('UI-17 a rewind hides what came after, says how many, and Restore brings all of it back', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk(...TALK)
  await chat.rewind(1)
  await trayTells('3 messages hidden')
  expect(await chat.messages()).toEqual(['Naming the boat', 'A reply.', 'And its oars?'])
  fireEvent.click(within(await tray()).getByRole('button', { name: 'Restore' }))
  await waitFor(async () => expect(await chat.messages()).toHaveLength(6))
  expect(screen.queryByRole('region', { name: 'Rewound' })).toBeNull()
})

test('UI-17 what was hidden is peeked at in its place and hidden again; the address leads there', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk(...TALK)
  await chat.rewind(0)
  fireEvent.click(within(await tray()).getByRole('button', { name: 'Show' }))
  await chat.reads('And its anchor?')
  expect(window.location.hash).toMatch(/^#msg_/)
  const hidden = (await chat.log()).querySelectorAll('.superseded')
  expect(hidden).toHaveLength(5)
  expect(
    within(await tray())
      .getByRole('button', { name: 'Hide' })
      .getAttribute('aria-pressed'),
  ).toBe('true')
  fireEvent.click(within(await tray()).getByRole('button', { name: 'Hide' }))
  await waitFor(async () => expect(await chat.messages()).toEqual(['Naming the boat']))
  expect(window.location.hash).toBe('')
})

test('UI-17 the tray that was put away stays away through a reload, and the trace still leads back', async () => {
  await using lab = await openChatLab()
  const first = await lab.openTalk(...TALK)
  await first.rewind(1)
  fireEvent.click(within(await tray()).getByRole('button', { name: 'Dismiss' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Rewound' })).toBeNull())
  first.leave()
  using again = lab.open(`/s/${first.id}`)
  await again.reads('And its oars?')
  expect(screen.queryByRole('region', { name: 'Rewound' })).toBeNull()
  await again.click('Show 3 messages hidden here')
  await again.reads('And its anchor?')
  const trace = await screen.findByRole('button', { name: 'Hide 3 messages again' })
  expect(trace.getAttribute('aria-expanded')).toBe('true')
  await again.click('Restore')
  await waitFor(async () => expect(await again.messages()).toHaveLength(6))
})

test('UI-17 the next message takes the place of the one that has no reply, and the one after it takes the tray away', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk(...TALK)
  await chat.rewind(0)
  await tray()
  await chat.send('Something else')
  await trayTells('6 messages hidden')
  await waitFor(async () => expect(await chat.messages()).toEqual(['Something else', 'A reply.']))
  await chat.send('And more')
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Rewound' })).toBeNull())
  await screen.findByRole('button', { name: 'Show 6 messages hidden here' })
})

test('UI-17 an edit opens in the place of its message with its words, and Esc leaves all as it was', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk(...TALK)
  await chat.click('Edit and send again', 1)
  const field = await editor()
  await waitFor(() => expect(field).toHaveProperty('value', 'And its oars?'))
  expect(document.activeElement).toBe(field)
  await screen.findByText(/hides 3 messages after it/)
  fireEvent.change(field, { target: { value: 'Gone with Esc' } })
  chat.press('Escape', field)
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Edit message' })).toBeNull())
  expect(await chat.messages()).toHaveLength(6)
  await chat.click('Edit and send again', 1)
  await waitFor(async () => expect(await editor()).toHaveProperty('value', 'And its oars?'))
})

test('UI-17 an edit survives a reload and, sent, takes the place of its message; the draft of the chat stays', async () => {
  await using lab = await openChatLab()
  const first = await lab.openTalk(...TALK)
  await first.write('My own draft')
  await first.click('Edit and send again', 1)
  await waitFor(async () => expect(await editor()).toHaveProperty('value', 'And its oars?'))
  fireEvent.change(await editor(), { target: { value: 'And its sails?' } })
  first.leave()
  using again = lab.open(`/s/${first.id}`)
  await waitFor(async () => expect(await editor()).toHaveProperty('value', 'And its sails?'))
  await again.click('Save and send')
  await waitFor(async () =>
    expect(await again.messages()).toEqual(['Naming the boat', 'A reply.', 'And its sails?', 'A reply.']),
  )
  await trayTells('4 messages hidden')
  expect((await again.field()).value).toBe('My own draft')
})

test('UI-17 an edit that is sent twice in a hurry goes out once', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk(...TALK)
  await chat.click('Edit and send again', 2)
  const field = await editor()
  fireEvent.change(field, { target: { value: 'And its keel?' } })
  const send = await screen.findByRole('button', { name: 'Save and send' })
  fireEvent.click(send)
  fireEvent.click(send)
  await chat.reads('And its keel?')
  await waitFor(async () => expect(await shown(lab, chat.id)).toBe(6))
  expect(chat.line.calls.filter((path) => path === 'session.send')).toHaveLength(1)
})

test('UI-17 an edit while a reply is written stops it first, and says so beforehand', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk(...TALK)
  await lab.beginReply(chat, 'Something long', 'On and on')
  await chat.click('Edit and send again', -1)
  const field = await editor()
  fireEvent.change(field, { target: { value: 'Something short' } })
  lab.models.answer('Short.')
  await chat.click('Stop, save and send')
  await chat.reads('Short.')
  await waitFor(async () => expect((await chat.messages()).slice(-2)).toEqual(['Something short', 'Short.']))
})

test('UI-17 an edit that the server refuses leaves the thread as it was and its words in sight', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk(...TALK)
  chat.line.refuse('session.send', 'INVALID_INPUT', 'Too many words.')
  await chat.click('Edit and send again', 1)
  fireEvent.change(await editor(), { target: { value: 'Very many words' } })
  await chat.click('Save and send')
  await screen.findByText('Too many words.')
  expect(await chat.messages()).toEqual([...TALK.flatMap((text) => [text, 'A reply.']), 'Very many words'])
  await chat.click('Send again')
  await waitFor(async () =>
    expect(await chat.messages()).toEqual(['Naming the boat', 'A reply.', 'Very many words', 'A reply.']),
  )
})

test('UI-17 a rewind during a run asks first, and stops the run once confirmed', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk(...TALK)
  await lab.beginReply(chat, 'Something long', 'On and on')
  await chat.rewind(0)
  await chat.toast('A reply is running.')
  expect(await chat.messages()).toHaveLength(8)
  await chat.click('Stop and continue')
  await trayTells('7 messages hidden')
  expect(await chat.messages()).toEqual(['Naming the boat'])
})

test('UI-17 UI-23 Esc twice lists one’s own messages, the latest first; Esc leaves and returns the focus', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk(...TALK)
  const field = await chat.field()
  field.focus()
  chat.press('Escape', field)
  chat.press('Escape', field)
  const search = await screen.findByRole('combobox', { name: 'Rewind to one of your messages' })
  const options = () =>
    screen.getAllByRole('option').map((option) => option.querySelector('span')?.textContent)
  expect(options()).toEqual([...TALK].reverse())
  await screen.findByText('Nothing is deleted, and files are not restored.')
  fireEvent.change(search, { target: { value: 'oars' } })
  expect(options()).toEqual(['And its oars?'])
  chat.press('Escape', search)
  await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(field))
  expect(await chat.messages()).toHaveLength(6)
})

test('UI-17 in the list of prompts Enter edits the one that is pointed at and Ctrl Enter only rewinds', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk(...TALK)
  await chat.send('/rewind')
  const search = await screen.findByRole('combobox', { name: 'Rewind to one of your messages' })
  chat.press('ArrowDown', search)
  chat.press('Enter', search)
  const field = await editor()
  await waitFor(() => expect(field).toHaveProperty('value', 'And its oars?'))
  chat.press('Escape', field)
  await chat.send('/rewind')
  const again = await screen.findByRole('combobox', { name: 'Rewind to one of your messages' })
  chat.press('ctrl+Enter', again)
  await trayTells('1 message hidden')
  expect((await chat.messages()).at(-1)).toBe('And its anchor?')
})

test('UI-15 UI-17 the Esc that stops a reply is not the first of two that lead back', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk(...TALK)
  await lab.beginReply(chat, 'Something long', 'On and on')
  chat.press('Escape', await chat.log())
  await screen.findByText('Stopped.')
  chat.press('Escape', await chat.log())
  expect(screen.queryByRole('combobox', { name: 'Rewind to one of your messages' })).toBeNull()
  chat.press('Escape', await chat.log())
  await screen.findByRole('combobox', { name: 'Rewind to one of your messages' })
})

test('UI-17 there is nothing to rewind to in a new chat, which says so', async () => {
  await using lab = await openChatLab()
  using chat = lab.open('/')
  await chat.send('/rewind')
  await chat.toast('You have no message to rewind to yet.')
})

test('UI-17 the list of prompts opens over a chat that is still on its way, and fills as it comes', async () => {
  await using lab = await openChatLab()
  const line = lab.connect()
  const answer = line.hold('session.messages')
  using chat = lab.open(`/s/${await lab.talk(TALK)}`, line)
  await chat.send('/rewind')
  const list = await screen.findByRole('listbox', { name: 'Rewind to one of your messages' })
  answer()
  await waitFor(() => expect(within(list).getAllByRole('option')).toHaveLength(TALK.length))
})

test('UI-18 the timeline lists what was done, the latest first, with what it hid; undoing one adds to it', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk(...TALK)
  await chat.rewind(1)
  await tray()
  chat.press('ctrl+shift+Y', document.body)
  const panel = await screen.findByRole('complementary', { name: 'Timeline' })
  const names = () =>
    within(panel)
      .getAllByRole('heading', { level: 3 })
      .map(({ textContent }) => textContent)
      .filter((name) => name !== 'You sent a message')
  await waitFor(() => expect(names()).toEqual(['Rewound']))
  fireEvent.click(within(panel).getByRole('button', { name: 'What it hid: 3 messages' }))
  await waitFor(() => expect(within(panel).getAllByText('And its anchor?')).toHaveLength(2))
  fireEvent.click(within(panel).getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(names()).toEqual(['Restored', 'Rewound']))
  expect(await chat.messages()).toHaveLength(6)
  chat.press('Escape', panel)
  await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Timeline' })).toBeNull())
})

test('UI-18 UI-26 a rewind that somebody else makes shows here, with its way back', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk(...TALK)
  const { items } = await lab.sessions.messages({ sessionId: chat.id })
  await lab.sessions.history.rewind({ sessionId: chat.id, messageId: items[0]?.id ?? '' })
  await waitFor(async () => expect(await chat.messages()).toEqual(['Naming the boat']))
  await trayTells('5 messages hidden')
})

test('UI-17 a rewind without a connection says so and hides nothing', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk(...TALK)
  chat.line.cut()
  await chat.rewind(0)
  await chat.toast('The server can’t be reached.')
  expect(await chat.messages()).toHaveLength(6)
})
