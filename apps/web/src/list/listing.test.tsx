// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

const sidebar = () => screen.findByRole('navigation', { name: 'Chats' })
const search = async () => within(await sidebar()).findByRole('searchbox', { name: 'Search chats' })
const links = () =>
  [...document.querySelectorAll('nav [data-session-row]')].map((row) => row.getAttribute('href'))
const row = (id: string) => document.querySelector(`nav [data-session-row][href^="/s/${id}"]`)

test('UI-1 the chat in which something was said moves to the top, wherever it was said', async () => {
  await using lab = await openChatLab()
  const one = await lab.talk(['One'])
  const two = await lab.talk(['Two'])
  using _chat = lab.open('/')
  await waitFor(() => expect(links()).toEqual([`/s/${two}`, `/s/${one}`]))
  await lab.talk(['Again'], one)
  await waitFor(() => expect(links()).toEqual([`/s/${one}`, `/s/${two}`]))
})

test('UI-1 UI-26 chats that are made, named, archived and deleted elsewhere follow in the list', async () => {
  await using lab = await openChatLab()
  using _chat = lab.open('/')
  await within(await sidebar()).findByText('No chats yet')
  const { id } = await lab.sessions.create({ title: 'Made elsewhere' })
  await within(await sidebar()).findByText('Made elsewhere')
  await lab.sessions.rename(id, 'Named elsewhere')
  await within(await sidebar()).findByText('Named elsewhere')
  await lab.sessions.archive(id)
  await waitFor(() => expect(links()).toEqual([]))
  await lab.sessions.unarchive(id)
  await waitFor(() => expect(links()).toEqual([`/s/${id}`]))
  await lab.sessions.delete(id)
  await waitFor(() => expect(links()).toEqual([]))
})

test('UI-1 a chat that runs is marked while it runs', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(['One'])
  using _chat = lab.open('/')
  await waitFor(() => expect(links()).toHaveLength(1))
  lab.models.answer(null)
  await lab.sessions.send({ sessionId: id, message: { parts: [{ type: 'text', text: 'Go on' }] } })
  const speaker = await lab.models.speaker()
  await waitFor(() =>
    expect(within(row(id)?.closest('li') ?? document.body).getByText('Running')).toBeTruthy(),
  )
  speaker.finish()
  await waitFor(() =>
    expect(within(row(id)?.closest('li') ?? document.body).queryByText('Running')).toBeNull(),
  )
})

test('UI-1 a search finds chats by what was said in them and leads to the message; Esc ends it', async () => {
  await using lab = await openChatLab()
  await lab.talk(['About the harbour'])
  const other = await lab.talk(['Birds', 'Pelicans at dawn'])
  using chat = lab.open('/')
  await waitFor(() => expect(links()).toHaveLength(2))
  fireEvent.change(await search(), { target: { value: 'pelicans' } })
  await screen.findByText('1 chat found')
  await waitFor(() => expect(row(other)?.textContent).toBe('BirdsPelicans at dawn'))
  expect(links()).toEqual([expect.stringMatching(new RegExp(`^/s/${other}#msg_`))])
  fireEvent.click(row(other) ?? document.body)
  await chat.reads('Pelicans at dawn')
  chat.press('Escape', await search())
  await waitFor(() => expect(links()).toHaveLength(2))
  expect(await search()).toHaveProperty('value', '')
})

test('UI-1 a search that finds nothing says so, and what is searched', async () => {
  await using lab = await openChatLab()
  await lab.talk(['About the harbour'])
  using _chat = lab.open('/')
  await waitFor(() => expect(links()).toHaveLength(1))
  fireEvent.change(await search(), { target: { value: 'zebra' } })
  await screen.findByText('Nothing found for “zebra”')
  await screen.findByText('0 chats found')
})

test('UI-1 the results of an earlier search are never shown for a later one', async () => {
  await using lab = await openChatLab()
  const harbour = await lab.talk(['About the harbour'])
  await lab.talk(['About birds'])
  using chat = lab.open('/')
  await waitFor(() => expect(links()).toHaveLength(2))
  const answer = chat.line.hold('search.messages')
  fireEvent.change(await search(), { target: { value: 'birds' } })
  await waitFor(() => expect(chat.line.calls.filter((path) => path === 'search.messages')).toHaveLength(1))
  fireEvent.change(await search(), { target: { value: 'harbour' } })
  await waitFor(() => expect(chat.line.calls.filter((path) => path === 'search.messages')).toHaveLength(2))
  answer()
  await waitFor(() => expect(links()).toEqual([expect.stringContaining(harbour)]))
  await screen.findByText('1 chat found')
})

test('UI-1 archived chats are listed apart, and can be restored', async () => {
  await using lab = await openChatLab()
  const [kept, put] = [await lab.talk(['Kept']), await lab.talk(['Put away'])]
  await lab.sessions.archive(put)
  using chat = lab.open(`/s/${put}`)
  await screen.findByText('This chat is archived.')
  await waitFor(() => expect(links()).toEqual([`/s/${kept}`]))
  await chat.choose('More lists and help', 'Show archived chats')
  await waitFor(() => expect(links()).toEqual([`/s/${put}`]))
  await chat.click('Restore from archive', -1)
  await waitFor(() => expect(screen.queryByText('This chat is archived.')).toBeNull())
  await within(await sidebar()).findByText('Nothing archived')
  await chat.click('Back to active chats')
  await waitFor(() => expect(links()).toHaveLength(2))
  expect((await chat.field()).value).toBe('')
})

test('UI-1 a branch is listed under its parent, and says that nothing was asked in it', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(['Naming the boat'])
  using _chat = lab.open('/')
  const { items } = await lab.sessions.messages({ sessionId: id })
  const branch = await lab.sessions.history.branch({ sessionId: id, fromMessageId: items[1]?.id ?? '' })
  await waitFor(() => expect(links()).toEqual([`/s/${id}`, `/s/${branch.id}`]))
  expect(row(branch.id)?.textContent).toContain('New branch, no question yet')
})

test('UI-1 older chats come when they are asked for, below the others and once', async () => {
  await using lab = await openChatLab()
  for (let at = 0; at < 53; at++) await lab.sessions.create({ title: `Chat ${at}` })
  using chat = lab.open('/')
  await waitFor(() => expect(links()).toHaveLength(50))
  await chat.click('Show older chats')
  await waitFor(() => expect(links()).toHaveLength(53))
  expect(new Set(links()).size).toBe(53)
  expect(screen.queryByRole('button', { name: 'Show older chats' })).toBeNull()
})

test('UI-12 a draft that is begun on a new chat is there after a visit to another', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(['One'])
  using chat = lab.open('/')
  await waitFor(() => expect(links()).toHaveLength(1))
  await chat.write('A beginning')
  fireEvent.click(row(id) ?? document.body)
  await chat.reads('One')
  fireEvent.click(within(await sidebar()).getByRole('link', { name: /New chat/ }))
  await screen.findByText('What shall we write?')
  expect((await chat.field()).value).toBe('A beginning')
})
