// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'
import type { openChatPage } from '../testing/chat-page.tsx'

const TALK = ['Naming the boat', 'And its oars?', 'And its anchor?']
const LEAVE_OUT = 'Leave out of the model’s view'
const BRING_BACK = 'Bring back into the model’s view'
const NOTE = 'Left out of what the model reads'

const noted = () => screen.queryAllByText(NOTE).length

/** Chooses it at the message of this place, questions and replies in turn. */
const change = (chat: ReturnType<typeof openChatPage>, place: number, name: string) =>
  chat.choose('More actions', name, place)

test('PR-5 any visible message is left out and brought back at the message, which says so', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk(...TALK)
  await chat.reads('And its anchor?')
  for (const place of [0, 4]) {
    await change(chat, place, LEAVE_OUT)
    await waitFor(() => expect(noted()).toBe(place === 0 ? 1 : 2))
  }
  const { items } = await lab.sessions.messages({ sessionId: chat.id })
  expect(items.flatMap(({ metadata }, index) => (metadata?.leftOut ? [index] : []))).toEqual([0, 4])
  for (const [place, left] of [
    [0, 1],
    [4, 0],
  ] as const) {
    await change(chat, place, BRING_BACK)
    await waitFor(() => expect(noted()).toBe(left))
  }
})

test('PR-5 a toast offers the way back, and a reload shows what is left out', async () => {
  await using lab = await openChatLab()
  const first = await lab.openTalk(...TALK)
  await first.reads('And its anchor?')
  await change(first, 0, LEAVE_OUT)
  await screen.findByText(/^The model no longer reads this message/)
  first.leave()
  using again = lab.open(`/s/${first.id}`)
  await again.reads('And its anchor?')
  expect(noted()).toBe(1)
  await again.click('Bring back')
  await waitFor(() => expect(noted()).toBe(0))
})

test('UI-29 the tray leads to any of the latest states, by a menu that ends at the timeline', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk(...TALK)
  await chat.rewind(1)
  const tray = await screen.findByRole('region', { name: 'Rewound' })
  fireEvent.click(within(tray).getByRole('button', { name: 'Earlier states' }))
  const names = async () =>
    (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent ?? '')
  await waitFor(async () => expect(await names()).toHaveLength(5))
  const [rewind, ...sent] = await names()
  expect(rewind).toMatch(/^before you rewound/)
  expect(sent.slice(0, 3).map((name) => name.slice(0, 18))).toEqual([
    'before “And its an',
    'before “And its oa',
    'before “Naming the',
  ])
  expect(sent.at(-1)).toBe('More in the timeline')
  fireEvent.click(screen.getByRole('menuitem', { name: /And its oars/ }))
  await waitFor(async () => expect(await chat.messages()).toEqual(['Naming the boat', 'A reply.']))
})

test('UI-29 the menu of the tray opens the timeline', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk(...TALK)
  await chat.rewind(1)
  const tray = await screen.findByRole('region', { name: 'Rewound' })
  fireEvent.click(within(tray).getByRole('button', { name: 'Earlier states' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'More in the timeline' }))
  await screen.findByRole('complementary', { name: 'Timeline' })
})
