// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../../testing/chat-lab.tsx'

type Lab = Awaited<ReturnType<typeof openChatLab>>

const field = () => screen.findByRole<HTMLInputElement>('searchbox', { name: 'Find in this chat' })
const bar = async () => (await field()).closest('search') ?? document.body
const outcome = async () => (await bar()).querySelector('[role=status]')?.textContent
const reads = (text: string) => waitFor(async () => expect(await outcome()).toBe(text))
const anchored = () => document.querySelector('.anchored')?.textContent ?? ''

async function find(text: string) {
  fireEvent.change(await field(), { target: { value: text } })
}

/** A chat with a visible anchor, two that a rewind hid, and one that a summary replaces. */
async function layered(lab: Lab) {
  const long = 'many words '.repeat(60)
  const id = await lab.talk([`Summarised anchor. ${long}`, ...Array.from({ length: 5 }, () => long)])
  await lab.sessions.history.compact(id)
  await lab.talk(['Hidden anchor', 'Another hidden anchor'], id)
  const { items } = await lab.sessions.messages({ sessionId: id, limit: 200 })
  const last = items.findLast(
    ({ parts }) => parts[0]?.type === 'text' && parts[0].text.startsWith('many words'),
  )
  await lab.sessions.history.rewind({ sessionId: id, messageId: last?.id ?? '' })
  await lab.talk(['Visible anchor and anchors'], id)
  const chat = lab.open(`/s/${id}`)
  await chat.reads('Visible anchor and anchors')
  return chat
}

test('UI-30 find covers visible, hidden and summarised text, badges each match with its layer, and opens what hides it', async () => {
  await using lab = await openChatLab()
  using chat = await layered(lab)
  chat.press('ctrl+f', document.body)
  await find('anch')
  await reads('4 of 4 messages · match 1 of 2')
  expect(anchored()).toContain('Visible anchor')
  expect(document.activeElement).toBe(await field())
  chat.press('Enter', await field())
  await reads('4 of 4 messages · match 2 of 2')
  chat.press('Enter', await field())
  await reads('1 of 4 messagesSummarised')
  await waitFor(() => expect(anchored()).toContain('Summarised anchor.'))
  chat.press('shift+Enter', await field())
  chat.press('shift+Enter', await field())
  await chat.click('Previous match')
  await reads('3 of 4 messagesHidden')
  await waitFor(() => expect(anchored()).toContain('Another hidden anchor'))
  expect(document.activeElement).toBe(await field())
})

test('UI-30 typing leads to visible matches only; hidden text is opened by a step', async () => {
  await using lab = await openChatLab()
  using chat = await layered(lab)
  chat.press('ctrl+f', document.body)
  await find('hidden')
  await reads('2 messages')
  expect(await chat.messages()).not.toContain('Hidden anchor')
  chat.press('Enter', await field())
  await reads('2 of 2 messagesHidden')
  await chat.reads('Another hidden anchor')
})

test('UI-30 the list of matches names the author and the layer of each, and leads there', async () => {
  await using lab = await openChatLab()
  using chat = await layered(lab)
  chat.press('ctrl+f', document.body)
  await find('anchor')
  await reads('4 of 4 messages · match 1 of 2')
  await chat.click('All matches')
  const list = await screen.findByRole('list', { name: 'Matches' })
  const rows = within(list).getAllByRole('button')
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^YouSummarised anchor.*Summarised$/),
    expect.stringMatching(/^YouHidden anchorHidden$/),
    expect.stringMatching(/^YouAnother hidden anchorHidden$/),
    'YouVisible anchor and anchors',
  ])
  fireEvent.click(rows[1] ?? list)
  await reads('2 of 4 messagesHidden')
  await waitFor(() => expect(anchored()).toContain('Hidden anchor'))
})

test('UI-3 UI-30 find opens by its keys, the palette and the menu; in its field the keys are the browser’s', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat')
  expect(chat.press('ctrl+f', await chat.field())).toBe(false)
  expect(chat.press('ctrl+f', await field())).toBe(true)
  fireEvent.focus(await chat.field())
  ;(await chat.field()).focus()
  expect(chat.press('ctrl+f', await chat.field())).toBe(false)
  await waitFor(async () => expect(document.activeElement).toBe(await field()))
  chat.press('Escape', await field())
  await waitFor(() => expect(screen.queryByRole('searchbox', { name: 'Find in this chat' })).toBeNull())
  await chat.send('/find')
  await field()
})

test('UI-23 UI-30 Esc closes find and gives the focus back, and stops no reply', async () => {
  await using lab = await openChatLab()
  using chat = lab.open('/')
  const speaker = await lab.beginReply(chat, 'Go on', 'Half a reply')
  ;(await chat.field()).focus()
  chat.press('ctrl+f')
  await waitFor(async () => expect(document.activeElement).toBe(await field()))
  await find('go on')
  await reads('1 of 1 message · match 1 of 2')
  chat.press('Escape', await field())
  await waitFor(async () => expect(document.activeElement).toBe(await chat.field()))
  expect(window.location.hash).toBe('')
  await screen.findByRole('button', { name: 'Stop' })
  speaker.finish()
})

test('UI-30 a new chat has nothing to find: the keys are the browser’s', async () => {
  await using lab = await openChatLab()
  using chat = lab.open('/')
  expect(chat.press('ctrl+f', await chat.field())).toBe(true)
})

test('UI-4 UI-30 find says that nothing matches, and that a search failed', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat')
  chat.press('ctrl+f', document.body)
  await find('zebra')
  await reads('No matches')
  chat.line.refuse('search.messages', 'INTERNAL', 'The ink ran dry.')
  await find('zebras')
  await reads('The search failed. Change the words to try again.')
})

test('UI-26 UI-30 what is said and hidden elsewhere is found anew', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat', 'And its anchor?')
  chat.press('ctrl+f', document.body)
  await find('anchor')
  await reads('1 of 1 message')
  await lab.talk(['Anchors away'], chat.id)
  await reads('1 of 2 messages')
  const { items } = await lab.sessions.messages({ sessionId: chat.id })
  await lab.sessions.history.rewind({ sessionId: chat.id, messageId: items[0]?.id ?? '' })
  await reads('1 of 2 messagesHidden')
})
