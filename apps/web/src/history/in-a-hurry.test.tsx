// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

type Lab = Awaited<ReturnType<typeof openChatLab>>

async function opened(lab: Lab) {
  const id = await lab.talk(['Naming the boat', 'And its oars?'])
  const chat = lab.open(`/s/${id}`)
  await chat.reads('And its oars?')
  const made = (path: string) => chat.line.calls.filter((call) => call === path)
  return Object.assign(chat, { id, made })
}

/** Presses a button twice before anybody can answer. */
async function twice(name: string, at = 0): Promise<void> {
  const button = (await screen.findAllByRole('button', { name })).at(at) ?? document.body
  fireEvent.click(button)
  fireEvent.click(button)
}

async function busy(lab: Lab) {
  const chat = await opened(lab)
  lab.models.answer(null)
  await chat.send('Go on')
  const speaker = await lab.models.speaker()
  speaker.say('Going on')
  await chat.reads('Going on')
  const runs = async () => (await lab.sessions.status(chat.id)).state !== 'idle'
  return Object.assign(chat, { runs })
}

const errors = () => screen.queryAllByText(/can’t|not|out of reach/i, { selector: '.popup span' })

test('UI-19 a branch that is asked for by a double click is one', async () => {
  await using lab = await openChatLab()
  using chat = await opened(lab)
  await chat.click('More actions', 1)
  const item = await screen.findByRole('menuitem', { name: 'Branch from here' })
  fireEvent.click(item)
  fireEvent.click(item)
  await chat.toast(/^You are on a new branch/)
  expect((await lab.sessions.history.tree(chat.id)).root.children).toHaveLength(1)
  expect(chat.made('session.branch')).toHaveLength(1)
})

test('UI-17 a rewind and its undoing by double clicks are one each, and nothing is complained of', async () => {
  await using lab = await openChatLab()
  using chat = await opened(lab)
  await chat.click('Rewind to here')
  await twice('Rewind without sending')
  await screen.findByText('3 messages hidden')
  await twice('Restore')
  await waitFor(async () => expect(await chat.messages()).toHaveLength(4))
  const { length } = await lab.sessions.history.timeline(chat.id)
  expect(length).toBe(2)
  expect(errors()).toEqual([])
})

test('UI-11 Send again by a double click sends once', async () => {
  await using lab = await openChatLab()
  using chat = await opened(lab)
  chat.line.refuse('session.send', 'RATE_LIMITED', 'Too many at once.')
  await chat.send('Once')
  await screen.findByText('Too many at once.')
  await twice('Send again')
  await waitFor(async () => expect((await chat.messages()).slice(-2)).toEqual(['Once', 'A reply.']))
  expect(chat.made('session.send')).toHaveLength(2)
})

test('ID-2 UI-2 two first messages in a hurry arrive in their order, each once', async () => {
  await using lab = await openChatLab()
  using chat = lab.open('/')
  await chat.send('One')
  await chat.send('Two')
  await waitFor(async () => expect(await chat.messages()).toEqual(['One', 'A reply.', 'Two', 'A reply.']))
  expect((await lab.sessions.list({})).items).toHaveLength(1)
})

test('ID-2 UI-12 a first message that met no server is there after a reload, and makes its session then', async () => {
  await using lab = await openChatLab()
  const first = lab.open('/')
  await first.field()
  first.line.cut()
  await first.send('Hello?')
  await screen.findByText('Not sent.')
  const address = window.location.pathname
  first.leave()
  using again = lab.open(address)
  await waitFor(async () => expect(await again.messages()).toEqual(['Hello?', 'A reply.']))
  expect((await lab.sessions.list({})).items.map(({ id }) => `/s/${id}`)).toEqual([address])
})

test('UI-3 UI-15 Esc closes what lies over the page first, and stops the reply only then', async () => {
  await using lab = await openChatLab()
  using chat = await busy(lab)
  chat.press('ctrl+k', document.body)
  chat.press('Escape', await screen.findByRole('combobox', { name: 'Command palette' }))
  await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Command palette' })).toBeNull())
  expect(await chat.runs()).toBe(true)
  chat.press('ctrl+shift+Y', document.body)
  const panel = await screen.findByRole('complementary', { name: 'Timeline' })
  expect(document.activeElement).toBe(panel)
  chat.press('Escape', panel)
  await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Timeline' })).toBeNull())
  expect(await chat.runs()).toBe(true)
  chat.press('Escape', document.body)
  await screen.findByText('Stopped.')
})

test('UI-15 UI-17 Esc in an edit leaves the edit, in a search empties the search; neither stops the reply', async () => {
  await using lab = await openChatLab()
  using chat = await busy(lab)
  await chat.click('Edit and send again', 0)
  chat.press('Escape', await screen.findByRole('textbox', { name: 'Edit message' }))
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Edit message' })).toBeNull())
  const search = await screen.findByRole('searchbox', { name: 'Search chats' })
  fireEvent.change(search, { target: { value: 'boat' } })
  chat.press('Escape', search)
  await waitFor(() => expect(search).toHaveProperty('value', ''))
  expect(await chat.runs()).toBe(true)
})

test('UI-15 Esc in the list of models closes the list and stops nothing', async () => {
  await using lab = await openChatLab()
  using chat = await busy(lab)
  fireEvent.click(await screen.findByRole('button', { name: /^Model: / }))
  chat.press('Escape', await screen.findByRole('combobox', { name: 'Search models' }))
  await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Search models' })).toBeNull())
  expect(await chat.runs()).toBe(true)
})

test('UI-12 UI-26 what was being written when the chat was archived elsewhere is there when it comes back', async () => {
  await using lab = await openChatLab()
  using chat = await opened(lab)
  await chat.write('Half a thought')
  await lab.sessions.archive(chat.id)
  const notice = await screen.findByText('This chat is archived.')
  expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull()
  fireEvent.click(within(notice.closest('.enter') ?? document.body).getByRole('button'))
  await waitFor(async () => expect((await chat.field()).value).toBe('Half a thought'))
})

test('UI-11 UI-17 an edit whose reply could not be stopped is open again with its words', async () => {
  await using lab = await openChatLab()
  using chat = await busy(lab)
  await chat.click('Edit and send again', 0)
  const editor = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Edit message' })
  fireEvent.change(await editor(), { target: { value: 'Naming the ship' } })
  chat.line.refuse('session.abort', 'RATE_LIMITED', 'Too many at once.')
  chat.press('Enter', await editor())
  await chat.toast('Too many at once.')
  await waitFor(async () => expect((await editor()).value).toBe('Naming the ship'))
  expect(await chat.runs()).toBe(true)
  lab.models.answer('A ship.')
  chat.press('Enter', await editor())
  await waitFor(async () => expect(await chat.messages()).toEqual(['Naming the ship', 'A ship.']))
})

test('UI-15 UI-17 a rewind that stops a reply is not overtaken by what is queued, which waits', async () => {
  await using lab = await openChatLab()
  using chat = await busy(lab)
  await chat.send('And its sails?')
  await screen.findByText('1 message queued')
  await chat.rewind(1)
  await chat.click('Stop and continue')
  const left = ['Naming the boat', 'A reply.', 'And its oars?']
  await waitFor(async () => expect(await chat.messages()).toEqual(left))
  expect((await lab.sessions.queue.list(chat.id)).length).toBe(1)
  expect(errors()).toEqual([])
})

test('UI-15 UI-17 an edit that stops a reply is sent before what is queued', async () => {
  await using lab = await openChatLab()
  using chat = await busy(lab)
  await chat.send('And its sails?')
  await screen.findByText('1 message queued')
  lab.models.answer('Well.')
  await chat.click('Edit and send again', 0)
  const editor = await screen.findByRole('textbox', { name: 'Edit message' })
  fireEvent.change(editor, { target: { value: 'Naming the ship' } })
  chat.press('Enter', editor)
  const said = ['Naming the ship', 'Well.', 'And its sails?', 'Well.']
  await waitFor(async () => expect(await chat.messages()).toEqual(said))
})
