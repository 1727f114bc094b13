// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

const TALK = ['Naming the boat', 'And its oars?', 'And its anchor?']
const CHANGED = ['Naming the boat', 'A reply.', 'And its sails?', 'A reply.']
const edits = () => screen.findByRole('group', { name: 'Edits of this message' })
const replies = () => screen.findByRole('group', { name: 'Replies to this message' })
const step = async (group: Promise<HTMLElement>, name: string) =>
  fireEvent.click(within(await group).getByRole('button', { name }))
const tray = () => screen.findByRole('region', { name: 'Rewound' })

const trayTells = (text: string) =>
  waitFor(() => within(screen.getByRole('region', { name: 'Rewound' })).getByText(text))

/** A talk whose second question was changed. */
async function edited(lab: Awaited<ReturnType<typeof openChatLab>>) {
  const chat = await lab.openTalk(...TALK)
  const { items } = await lab.sessions.messages({ sessionId: chat.id })
  const message = { parts: [{ type: 'text' as const, text: 'And its sails?' }] }
  await lab.sessions.send({ sessionId: chat.id, message, replaceMessageId: items[2]?.id ?? '' })
  await chat.reads('And its sails?')
  await waitFor(async () => expect(await chat.messages()).toEqual(CHANGED))
  return chat
}

test('UI-28 a question that was changed has both versions, each with its own continuation, and no model is asked', async () => {
  await using lab = await openChatLab()
  using chat = await edited(lab)
  await waitFor(async () => expect((await edits()).textContent).toContain('Version 2 of 2'))
  await step(edits(), 'Previous version')
  await chat.reads('And its anchor?')
  await waitFor(async () => expect((await edits()).textContent).toContain('Version 1 of 2'))
  expect(await chat.messages()).toHaveLength(6)
  expect(document.activeElement).toBe(await edits())
  chat.press('ArrowRight', await edits())
  await waitFor(async () => expect(await chat.messages()).toEqual(CHANGED))
  expect(screen.queryByRole('region', { name: 'Rewound' })).toBeNull()
})

test('UI-28 another reply to an earlier question says how many messages it hides before it does it', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk(...TALK)
  await chat.reads('And its anchor?')
  const regenerate = async () => {
    fireEvent.click(
      (await screen.findAllByRole('button', { name: /^Try again|^Regenerate/ }))[0] ?? document.body,
    )
    const item = screen.queryAllByRole('menuitem', { name: /^Try again|^Regenerate/ })[0]
    if (item !== undefined) fireEvent.click(item)
  }
  await regenerate()
  await screen.findByText(/^This hides 4 messages after it\./)
  expect(await chat.messages()).toHaveLength(6)
  await chat.click('Cancel')
  await waitFor(() => expect(screen.queryByText(/^This hides 4 messages/)).toBeNull())
  lab.models.answer('Another reply.')
  await regenerate()
  await chat.click('Get another reply')
  await chat.reads('Another reply.')
  expect(await chat.messages()).toEqual(['Naming the boat', 'Another reply.'])
  await waitFor(async () => expect((await replies()).textContent).toContain('Version 2 of 2'))
  await step(replies(), 'Previous version')
  await waitFor(async () => expect(await chat.messages()).toHaveLength(6))
})

test('UI-29 rewind, then something else: Restore lands in the state before the rewind, with the same numbers', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk(...TALK)
  await chat.rewind(1)
  await trayTells('3 messages hidden')
  await chat.send('Something else')
  await trayTells('4 messages hidden')
  await screen.findByRole('button', { name: 'Show 4 messages hidden here' })
  await waitFor(async () => expect(await chat.messages()).toHaveLength(4))
  fireEvent.click(within(await tray()).getByRole('button', { name: 'Restore' }))
  await waitFor(async () =>
    expect((await chat.messages()).filter((text) => text !== 'A reply.')).toEqual(TALK),
  )
})

test('UI-29 the timeline returns to a state that no undo leads to, by its name', async () => {
  await using lab = await openChatLab()
  using chat = await edited(lab)
  await step(edits(), 'Previous version')
  await chat.reads('And its anchor?')
  chat.press('ctrl+shift+Y', document.body)
  await chat.click(/^Restore: before you changed the question, /)
  await waitFor(async () => expect(await chat.messages()).toHaveLength(6))
})
