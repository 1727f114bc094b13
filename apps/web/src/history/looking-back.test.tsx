// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

const TALK = ['Naming the boat', 'And its oars?', 'And its anchor?']
const rail = () => screen.findByRole('slider', { name: 'History of this chat' })
const bar = () => screen.queryByRole('region', { name: 'Preview of an earlier state' })
const says = async (text: string | RegExp) => waitFor(() => expect(bar()?.textContent).toMatch(text))

test('UI-39 the rail shows an earlier state in the place of the thread, changes nothing, and Escape leads back', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk(...TALK)
  const before = await lab.sessions.history.timeline(chat.id)
  chat.press('ArrowUp', await rail())
  await says(/before “And its anchor\?”, .* · 4 messages · [\d.]+k? tokens/)
  await waitFor(async () => expect(await chat.messages()).toHaveLength(4))
  expect(screen.queryAllByRole('button', { name: 'Rewind to here' })).toEqual([])
  chat.press('Home', await rail())
  await screen.findByText('There were no messages yet.')
  chat.press('Escape', document.body)
  await waitFor(() => expect(bar()).toBeNull())
  expect(await chat.messages()).toHaveLength(6)
  expect(await lab.sessions.history.timeline(chat.id)).toEqual(before)
})

test('UI-39 UI-29 Restore this makes the chat what the preview shows, and the state left is a point in turn', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk(...TALK)
  const points = Number((await rail()).getAttribute('aria-valuemax'))
  chat.press('ArrowUp', await rail())
  chat.press('ArrowUp', await rail())
  await says(/before “And its oars\?”/)
  await chat.click('Restore this')
  await waitFor(() => expect(bar()).toBeNull())
  await waitFor(async () => expect(await chat.messages()).toEqual(['Naming the boat', 'A reply.']))
  await waitFor(async () => expect((await rail()).getAttribute('aria-valuemax')).toBe(`${points + 1}`))
  chat.press('ArrowUp', await rail())
  await says(/before you restored, .* · 6 messages/)
  chat.press('Enter', await rail())
  const restore = screen.getByRole('button', { name: 'Restore this' })
  expect(document.activeElement).toBe(restore)
  fireEvent.click(restore)
  await waitFor(async () => expect(await chat.messages()).toHaveLength(6))
})

test('UI-29 the timeline lists what was sent as well, previews it, and leads to it by one press', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk(...TALK)
  await chat.rewind(2)
  chat.press('ctrl+shift+Y', document.body)
  const panel = within(await screen.findByRole('complementary', { name: 'Timeline' }))
  await panel.findByText(/^Undo goes back to before you rewound, /)
  const rows = () => panel.getAllByRole('listitem')
  await waitFor(() => expect(rows()).toHaveLength(4))
  const oars = () => within(rows()[2] ?? document.body)
  fireEvent.click(oars().getByRole('button', { name: 'Preview' }))
  await says(/before “And its oars\?”, .* · 2 messages/)
  await chat.click('Back to now')
  await waitFor(() => expect(bar()).toBeNull())
  fireEvent.click(oars().getByRole('button', { name: /^Restore: before you sent a message/ }))
  await waitFor(async () => expect(await chat.messages()).toEqual(['Naming the boat', 'A reply.']))
})

test('UI-17 a hidden message that is shown has copy and restore alone, and restore leads back to it', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk(...TALK)
  await chat.rewind(1)
  await chat.click('Show 3 messages hidden here')
  await chat.reads('And its anchor?')
  const hidden = [...document.querySelectorAll<HTMLElement>('.superseded')]
  expect(hidden).toHaveLength(3)
  for (const message of hidden)
    expect(
      within(message)
        .getAllByRole('button')
        .map((button) => button.getAttribute('aria-label')),
    ).toEqual(['Copy message', 'Restore hidden messages'])
  await chat.click('Restore hidden messages')
  await waitFor(() => expect(document.querySelectorAll('.superseded')).toHaveLength(0))
  expect(await chat.messages()).toHaveLength(6)
})
