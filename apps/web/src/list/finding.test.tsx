// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

type Lab = Awaited<ReturnType<typeof openChatLab>>

/** A chat about ink and a branch of it, in which something else was said; neither has a title of its own. */
async function forked(lab: Lab) {
  const id = await lab.talk(['Of iron and ink'])
  const { items } = await lab.sessions.messages({ sessionId: id })
  const branch = await lab.sessions.history.branch({ sessionId: id, fromMessageId: items[1]?.id ?? '' })
  await lab.talk(['Is vellum a skin?', 'And parchment?'], branch.id)
  return { id, branch: branch.id }
}

const sidebar = () => screen.findByRole('navigation', { name: 'Chats' })

async function search(text: string) {
  fireEvent.change(await screen.findByRole('searchbox', { name: 'Search chats' }), {
    target: { value: text },
  })
}

/** The rows of the sidebar: title, and the words that were found. */
async function rows() {
  const links = [...(await sidebar()).querySelectorAll('[data-session-row]')]
  return links.map((row) => row.textContent)
}

async function openPalette(text: string) {
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
  const field = await screen.findByRole('combobox', { name: 'Command palette' })
  fireEvent.change(field, { target: { value: text } })
  return field
}

test('UI-1 a search result names a branch apart from its parent, and highlights the words found', async () => {
  await using lab = await openChatLab()
  const { id } = await forked(lab)
  using _chat = lab.open(`/s/${id}`)
  await search('iron')
  await waitFor(async () =>
    expect((await rows()).toSorted()).toEqual([
      expect.stringMatching(/^Is vellum a skin\?/),
      expect.stringMatching(/^Of iron and ink(?! ·)/),
    ]),
  )
  const marks = (await sidebar()).querySelectorAll('mark')
  expect([...marks].map(({ textContent }) => textContent?.toLowerCase())).toEqual(['iron', 'iron'])
})

test('UI-1 UI-5 what was found only in a branch leads to the message in the branch', async () => {
  await using lab = await openChatLab()
  const { id, branch } = await forked(lab)
  using chat = lab.open(`/s/${id}`)
  await search('vellum')
  await waitFor(async () =>
    expect(await rows()).toEqual([expect.stringMatching(/^Is vellum a skin\?.*vellum/)]),
  )
  fireEvent.click(within(await sidebar()).getByRole('link', { name: /^Is vellum a skin/ }))
  await chat.reads('Is vellum a skin?')
  expect(window.location.pathname).toBe(`/s/${branch}`)
  expect(window.location.hash).toMatch(/^#msg_/)
})

test('UI-1 an emptied search shows the chats by day again, the branch under its parent', async () => {
  await using lab = await openChatLab()
  const { id } = await forked(lab)
  using _chat = lab.open(`/s/${id}`)
  await search('vellum')
  await waitFor(async () => expect(await rows()).toHaveLength(1))
  await search('')
  await waitFor(async () => expect(await rows()).toEqual(['Of iron and ink', 'Is vellum a skin?']))
})

test('UI-3 the palette finds a branch by the name that the sidebar gives it, and opens it', async () => {
  await using lab = await openChatLab()
  const { id, branch } = await forked(lab)
  using chat = lab.open(`/s/${id}`)
  await chat.reads('Of iron and ink')
  const field = await openPalette('vellum a skin')
  await screen.findByRole('option', { name: 'Is vellum a skin?' })
  fireEvent.keyDown(field, { key: 'Enter' })
  await waitFor(() => expect(window.location.pathname).toBe(`/s/${branch}`))
})

test('UI-3 what is said in a chat finds it in the palette, once, and leads to where it was said', async () => {
  await using lab = await openChatLab()
  const { id, branch } = await forked(lab)
  using chat = lab.open(`/s/${id}`)
  await chat.reads('Of iron and ink')
  const field = await openPalette('parchment')
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1))
  expect(screen.getByRole('option').textContent).toBe('Is vellum a skin?')
  fireEvent.keyDown(field, { key: 'Enter' })
  await waitFor(() => expect(window.location.pathname).toBe(`/s/${branch}`))
  expect(window.location.hash).toMatch(/^#msg_/)
})

test('UI-19 a chat that gets another title has it in the tree and in the crumbs of its branches', async () => {
  await using lab = await openChatLab()
  const { id, branch } = await forked(lab)
  using chat = lab.open(`/s/${branch}`)
  await chat.reads('Is vellum a skin?')
  chat.press('ctrl+shift+B', document.body)
  const tree = await screen.findByRole('dialog', { name: 'Branches' })
  await within(tree).findByText('Of iron and ink')
  await lab.sessions.rename(id, 'Inks and skins')
  await within(tree).findByText('Inks and skins')
  fireEvent.click(within(tree).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Branches' })).toBeNull())
  within(screen.getByRole('navigation', { name: 'Branched from' })).getByText('Inks and skins')
})

test('UI-4 a search that finds nothing says so and where it has looked, and Esc leads back', async () => {
  await using lab = await openChatLab()
  const { id } = await forked(lab)
  using _chat = lab.open(`/s/${id}`)
  await search('papyrus')
  await screen.findByText('Nothing found for “papyrus”')
  await screen.findByText('Titles and messages are searched.')
  fireEvent.keyDown(screen.getByRole('searchbox', { name: 'Search chats' }), { key: 'Escape' })
  await waitFor(async () => expect(await rows()).toHaveLength(2))
})
