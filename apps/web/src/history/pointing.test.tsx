// @vitest-environment happy-dom
import type { ChatMessage } from '@palimpsest/core/domain'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

const TALK = ['Naming the boat', 'And its oars?', 'And its anchor?']
const LONG_TALK = Array.from({ length: 6 }, (_, at) => `Question ${at}: ${'many words '.repeat(60)}`)

type Lab = Awaited<ReturnType<typeof openChatLab>>

const textOf = ({ parts }: ChatMessage) => (parts[0]?.type === 'text' ? parts[0].text : '')

/** The id of the first message that begins so, a hidden one too. */
async function idOf(lab: Lab, sessionId: string, beginning: string): Promise<string> {
  const { items } = await lab.sessions.messages({ sessionId, limit: 200, hidden: true })
  return items.find((message) => textOf(message).startsWith(beginning))?.id ?? ''
}

const anchored = () => document.querySelector('.anchored')?.textContent ?? ''

/** Waits until a message is on the page, marked, and has the focus. */
async function pointsAt(id: string, text: string): Promise<void> {
  await waitFor(() => expect(anchored()).toContain(text))
  await waitFor(() => expect(document.activeElement?.id).toBe(id))
}

async function rewound(lab: Lab) {
  const id = await lab.talk(TALK)
  const messageId = await idOf(lab, id, 'Naming the boat')
  await lab.sessions.history.rewind({ sessionId: id, messageId })
  return { id, hidden: await idOf(lab, id, 'And its anchor?') }
}

test('UI-30 a link to a hidden message shows it at its place, marks it and focuses it', async () => {
  await using lab = await openChatLab()
  const { id, hidden } = await rewound(lab)
  using _chat = lab.open(`/s/${id}#${hidden}`)
  await pointsAt(hidden, 'And its anchor?')
  expect(document.getElementById(hidden)?.querySelector('.superseded')).not.toBeNull()
  await screen.findByRole('button', { name: 'Hide 5 messages again' })
})

test('UI-30 a link to a summarised message opens the summary and the messages that it replaces', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(LONG_TALK)
  await lab.sessions.history.compact(id)
  const target = await idOf(lab, id, 'Question 1')
  using _chat = lab.open(`/s/${id}#${target}`)
  await pointsAt(target, 'Question 1')
  await screen.findByRole('button', { name: 'Hide the messages' })
})

test('UI-30 a link to a message in a summary of a summary opens both', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(LONG_TALK)
  await lab.sessions.history.compact(id)
  const target = await idOf(lab, id, 'Question 1')
  await lab.talk(
    LONG_TALK.map((text) => `More of ${text}`),
    id,
  )
  await lab.sessions.history.compact(id)
  using _chat = lab.open(`/s/${id}#${target}`)
  await pointsAt(target, 'Question 1')
  expect(await screen.findAllByRole('button', { name: /^Summarised \d+ earlier messages/ })).toHaveLength(2)
})

test('UI-30 a link to a hidden message on a page that is not loaded yet opens there', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(Array.from({ length: 60 }, (_, at) => `Question ${at} of many`))
  await lab.sessions.history.rewind({ sessionId: id, messageId: await idOf(lab, id, 'Question 0 ') })
  await lab.talk(
    Array.from({ length: 30 }, (_, at) => `Another ${at}`),
    id,
  )
  const target = await idOf(lab, id, 'Question 3 ')
  using _chat = lab.open(`/s/${id}#${target}`)
  await pointsAt(target, 'Question 3 of many')
})

test('UI-30 a search result that is hidden is shown, also when another chat was open', async () => {
  await using lab = await openChatLab()
  const { id, hidden } = await rewound(lab)
  using _chat = await lab.openTalk('Something else')
  fireEvent.change(await screen.findByRole('searchbox', { name: 'Search chats' }), {
    target: { value: 'anchor' },
  })
  fireEvent.click(await screen.findByRole('link', { name: /^Naming the boat.*anchor/ }))
  await pointsAt(hidden, 'And its anchor?')
  expect(window.location.pathname).toBe(`/s/${id}`)
})

test('UI-30 a timeline entry shows the message that it changed although a later change hid it', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(TALK)
  const [first, third] = [await idOf(lab, id, 'Naming'), await idOf(lab, id, 'And its anchor?')]
  await lab.sessions.history.rewind({ sessionId: id, messageId: third })
  await lab.sessions.history.rewind({ sessionId: id, messageId: first })
  using chat = lab.open(`/s/${id}`)
  await chat.reads('Naming the boat')
  chat.press('ctrl+shift+Y', document.body)
  const panel = await screen.findByRole('complementary', { name: 'Timeline' })
  const buttons = await within(panel).findAllByRole('button', { name: 'Go to this message' })
  fireEvent.click(buttons.at(-1) ?? panel)
  await pointsAt(third, 'And its anchor?')
})

test('UI-30 a message that is pointed at again is marked again', async () => {
  await using lab = await openChatLab()
  const { id, hidden } = await rewound(lab)
  using chat = lab.open(`/s/${id}#${hidden}`)
  await pointsAt(hidden, 'And its anchor?')
  const before = document.querySelector('.anchored')?.className
  ;(await chat.field()).focus()
  chat.app.router.replace({ sessionId: id, anchor: hidden })
  await pointsAt(hidden, 'And its anchor?')
  expect(document.querySelector('.anchored')?.className).not.toBe(before)
})

test('UI-30 words that were added to a running reply are shown in that reply', async () => {
  await using lab = await openChatLab()
  using chat = lab.open('/')
  const speaker = await lab.beginReply(chat, 'Go on', 'Going ')
  const { sessionId } = chat.app.router.get()
  await chat.send('A little to the left', 'ctrl+Enter')
  await waitFor(async () => expect(await lab.sessions.queue.list(sessionId ?? '')).toHaveLength(1))
  lab.models.answer('To the left.')
  speaker.call('todo', { items: [] })
  await chat.reads('To the left.')
  const target = await idOf(lab, sessionId ?? '', 'A little to the left')
  chat.app.router.replace({ sessionId, anchor: target })
  await waitFor(() => expect(anchored()).toContain('To the left.'))
})

test('UI-30 a link to a message that is not in the chat says so', async () => {
  await using lab = await openChatLab()
  using chat = lab.open(`/s/${await lab.talk(TALK)}#msg_nowhere`)
  await chat.reads('And its anchor?')
  await chat.toast('That message is not in this chat.')
})

test('UI-30 a link to a message of another branch opens that branch there, with the way back', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(TALK)
  const branch = await lab.sessions.history.branch({
    sessionId: id,
    fromMessageId: await idOf(lab, id, 'And its oars?'),
  })
  await lab.talk(['And its sail?'], branch.id)
  const target = await idOf(lab, branch.id, 'And its sail?')
  using chat = lab.open(`/s/${id}#${target}`)
  await pointsAt(target, 'And its sail?')
  expect(chat.app.router.get()).toEqual({ sessionId: branch.id, anchor: target })
  fireEvent.click(await screen.findByRole('button', { name: 'Back' }))
  await waitFor(() => expect(window.location.pathname).toBe(`/s/${id}`))
  await chat.reads('And its anchor?')
})

test('UI-30 a link to a message of a chat in the bin says where it is, and leads there once it is restored', async () => {
  await using lab = await openChatLab()
  const [id, gone] = [await lab.talk(TALK), await lab.talk(['Paint the hull'])]
  const target = await idOf(lab, gone, 'Paint the hull')
  await lab.sessions.delete(gone)
  using chat = lab.open(`/s/${id}#${target}`)
  await chat.toast('That message is in “Paint the hull”, which is in the bin.')
  fireEvent.click(await screen.findByRole('button', { name: 'Restore the chat' }))
  await pointsAt(target, 'Paint the hull')
})

test('UI-30 a link into a chat in the bin says so, and shows the message once the chat is restored', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(TALK)
  const target = await idOf(lab, id, 'And its oars?')
  await lab.sessions.delete(id)
  using _chat = lab.open(`/s/${id}#${target}`)
  await screen.findByRole('heading', { name: 'This chat is in the bin' })
  fireEvent.click(await screen.findByRole('button', { name: 'Restore the chat' }))
  await pointsAt(target, 'And its oars?')
})

test('UI-30 UI-4 a link with an unknown chat opens the chat of its message, or reads as missing', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(TALK)
  const target = await idOf(lab, id, 'And its oars?')
  using chat = lab.open(`/s/ses_nowhere#${target}`)
  await pointsAt(target, 'And its oars?')
  expect(window.location.pathname).toBe(`/s/${id}`)
  chat.app.router.push({ sessionId: 'ses_gone', anchor: 'msg_nowhere' })
  await screen.findByRole('heading', { name: 'There is nothing on this page' })
})
