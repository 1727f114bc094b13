// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

type Lab = Awaited<ReturnType<typeof openChatLab>>

const palette = () => screen.findByRole('combobox', { name: 'Command palette' })
const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent ?? '')
const sidebar = () => screen.findByRole('navigation', { name: 'Chats' })

/** Runs a command by what it is called. */
async function run(chat: Awaited<ReturnType<Lab['openTalk']>>, command: string): Promise<void> {
  chat.press('ctrl+k', document.body)
  const field = await palette()
  fireEvent.change(field, { target: { value: command } })
  await waitFor(() => expect(options()[0]).toContain(command))
  chat.press('Enter', field)
  await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Command palette' })).toBeNull())
}

function stubClipboard() {
  const writeText = vi.fn((_text: string) => Promise.resolve())
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(Object.assign(navigator.clipboard, { writeText }))
  return writeText
}

function stubUserAgent(userAgent: string): void {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent)
}

test('UI-3 UI-23 Ctrl K opens the palette over what is written, and Esc gives the field back as it was', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat')
  await chat.write('Half a thought')
  const field = await chat.field()
  field.focus()
  chat.press('ctrl+k', field)
  chat.press('Escape', await palette())
  await waitFor(() => expect(document.activeElement).toBe(field))
  expect(field.value).toBe('Half a thought')
})

test('UI-3 on a Mac Ctrl K belongs to the text and ⌘ K opens the palette', async () => {
  await using lab = await openChatLab()
  stubUserAgent('Macintosh; Intel Mac OS X')
  using chat = await lab.openTalk('Naming the boat')
  const field = await chat.field()
  expect(chat.press('ctrl+k', field)).toBe(true)
  expect(screen.queryByRole('combobox', { name: 'Command palette' })).toBeNull()
  expect(chat.press('meta+k', field)).toBe(false)
  await palette()
})

test('UI-3 a question mark that is typed is text, elsewhere it lists the shortcuts', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat')
  expect(chat.press('?', await chat.field())).toBe(true)
  expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeNull()
  chat.press('?', document.body)
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const name of ['Command palette', 'Add to the running reply', 'Timeline']) {
    within(dialog).getByText(name)
  }
})

test('UI-3 the palette leads to a chat by its title, and to a message by its words', async () => {
  await using lab = await openChatLab()
  const other = await lab.talk(['About the harbour', 'Pelicans at dawn'])
  using chat = await lab.openTalk('Naming the boat')
  chat.press('ctrl+k', document.body)
  fireEvent.change(await palette(), { target: { value: 'pelicans' } })
  await waitFor(() => expect(options()).toEqual(['About the harbour']))
  chat.press('Enter', await palette())
  await chat.reads('Pelicans at dawn')
  expect(window.location.pathname).toBe(`/s/${other}`)
  expect(window.location.hash).toMatch(/^#msg_/)
})

test('UI-3 what the palette does not find it says, and Enter on nothing does nothing', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat')
  chat.press('ctrl+k', document.body)
  fireEvent.change(await palette(), { target: { value: 'zzzz' } })
  await screen.findByText('Nothing matches')
  chat.press('Enter', await palette())
  expect(window.location.pathname).toBe(`/s/${chat.id}`)
})

test('UI-1 UI-3 a chat is renamed in its place, here and in the list; Esc leaves the old name', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat')
  await run(chat, 'Rename this chat')
  const field = await screen.findByRole('textbox', { name: 'Name of the chat' })
  fireEvent.change(field, { target: { value: 'Gone with Esc' } })
  chat.press('Escape', field)
  await screen.findByRole('button', { name: 'Naming the boat' })
  await run(chat, 'Rename this chat')
  const again = await screen.findByRole('textbox', { name: 'Name of the chat' })
  fireEvent.change(again, { target: { value: 'The good ship' } })
  chat.press('Enter', again)
  await within(await sidebar()).findByText('The good ship')
  await waitFor(() => expect(document.title).toBe('The good ship · Palimpsest'))
  expect((await lab.sessions.get(chat.id)).title).toBe('The good ship')
})

test('UI-1 a chat is deleted only after a question, and its page leads to a new one', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat')
  await chat.write('Never sent')
  await run(chat, 'Delete this chat')
  await screen.findByText(/“Naming the boat” and all its messages move to the bin/)
  await chat.click('Cancel')
  expect(await lab.sessions.get(chat.id)).toMatchObject({ id: chat.id })
  await run(chat, 'Delete this chat')
  await chat.click('Delete', -1)
  await screen.findByText('What shall we write?')
  expect(window.location.pathname).toBe('/')
  expect(within(await sidebar()).queryByText('Naming the boat')).toBeNull()
})

test('UI-32 a deleted chat comes back whole by Undo, and from the bin where it is open elsewhere', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat')
  await run(chat, 'Delete this chat')
  await screen.findByText(
    /“Naming the boat” and all its messages move to the bin\. You can restore them for 30 days/,
  )
  await chat.click('Delete', -1)
  await screen.findByText('“Naming the boat” is in the bin.')
  await chat.click('Undo')
  await waitFor(() => expect(window.location.pathname).toBe(`/s/${chat.id}`))
  await within(await sidebar()).findByText('Naming the boat')
  await screen.findByRole('log')
  await lab.sessions.delete(chat.id)
  await screen.findByText('There is nothing on this page')
  await chat.choose('More lists and help', 'Show deleted chats')
  await chat.click('Restore Naming the boat')
  await waitFor(() => expect(screen.queryByText('There is nothing on this page')).toBeNull())
  expect(await lab.sessions.get(chat.id)).toMatchObject({ deletedAt: null })
})

test('UI-32 a chat is deleted with its branch only when that is asked for, and forever after a second question', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat')
  const { items } = await lab.sessions.messages({ sessionId: chat.id })
  await lab.sessions.history.branch({ sessionId: chat.id, fromMessageId: items.at(-1)?.id ?? '' })
  await run(chat, 'Delete this chat')
  await screen.findByText(/Its branch stays in the list unless you delete it too\./)
  await chat.click('Delete with its branch')
  await waitFor(async () => expect((await lab.sessions.list({ deleted: true })).items).toHaveLength(2))
  expect((await lab.sessions.list({})).items).toEqual([])
  await chat.choose('More lists and help', 'Show deleted chats')
  await chat.click('Delete Naming the boat forever…')
  await screen.findByText(/This can’t be undone\./)
  expect((await lab.sessions.list({ deleted: true })).items).toHaveLength(2)
  await chat.click('Delete forever')
  await screen.findByText('The bin is empty')
  expect((await lab.sessions.list({ deleted: true })).items).toEqual([])
})

test('UI-4 UI-26 a chat that is deleted elsewhere while it is read is in the bin, and says so', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat')
  await lab.sessions.delete(chat.id)
  await screen.findByText('This chat is in the bin')
  await waitFor(async () => expect(within(await sidebar()).queryByText('Naming the boat')).toBeNull())
})

test('UI-4 an address that names no chat is a page that is not there', async () => {
  await using lab = await openChatLab()
  using _chat = lab.open('/s/ses_nowhere')
  await screen.findByText('There is nothing on this page')
})

test('UI-4 a chat that can’t be read says why, and is read when one tries again', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(['Naming the boat'])
  const line = lab.connect()
  line.refuse('session.get', 'INTERNAL', 'The ink ran dry.')
  using chat = lab.open(`/s/${id}`, line)
  await screen.findByText('The ink ran dry.')
  await chat.click('Try again')
  await chat.reads('Naming the boat')
})

test('UI-4 UI-23 from a page that is not there the chats are within reach, when they were put away too', async () => {
  await using lab = await openChatLab()
  await lab.talk(['Naming the boat'])
  using chat = lab.open('/s/ses_nowhere')
  await screen.findByText('There is nothing on this page')
  expect(screen.queryByRole('button', { name: 'Open sidebar' })).toBeNull()
  chat.press('ctrl+shift+S', document.body)
  await chat.click('Open sidebar')
  await waitFor(async () => expect((await sidebar()).closest('[inert]')).toBeNull())
  fireEvent.click(within(await sidebar()).getByText('Naming the boat'))
  await chat.reads('Naming the boat')
})

test('UI-4 a chat that is loading has its name from the list, and none while the list lacks it', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(['Naming the boat'])
  const line = lab.connect()
  const [list, get] = [line.hold('session.list'), line.hold('session.get')]
  using chat = lab.open(`/s/${id}`, line)
  await screen.findByRole('button', { name: 'Chat actions' })
  expect(screen.queryByRole('heading', { level: 1 })).toBeNull()
  list()
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Naming the boat')
  get()
  await chat.reads('Naming the boat')
})

test('UI-4 without a network the page says so, keeps what it shows, and takes it back', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat')
  fireEvent(window, new Event('offline'))
  await screen.findByText(/^You are offline. Nothing is lost/)
  expect(await chat.messages()).toEqual(['Naming the boat', 'A reply.'])
  fireEvent(window, new Event('online'))
  await waitFor(() => expect(screen.queryByText(/^You are offline/)).toBeNull())
})

test('UI-4 what happened while the connection was lost is there once it is back', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat')
  chat.line.cut()
  await screen.findByText('Reconnecting. Nothing is lost.')
  await lab.talk(['Meanwhile'], chat.id)
  await lab.talk(['A whole new chat'])
  chat.line.mend()
  await chat.reads('Meanwhile')
  await within(await sidebar()).findByText('A whole new chat')
  expect(await chat.messages()).toEqual(['Naming the boat', 'A reply.', 'Meanwhile', 'A reply.'])
})

test('UI-5 the link to a chat is copied, and where the browser lets nobody it is said', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat')
  const writeText = stubClipboard()
  await run(chat, 'Copy a link to this chat')
  await chat.toast('Link copied')
  expect(writeText.mock.calls).toEqual([[`${window.location.origin}/s/${chat.id}`]])
  writeText.mockRejectedValue(new Error('Not allowed'))
  await run(chat, 'Copy a link to this chat')
  await chat.toast('The browser did not allow copying.')
})

test('UI-3 the last reply is copied by a key', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat')
  const writeText = stubClipboard()
  chat.press('ctrl+shift+C', document.body)
  await chat.toast('Reply copied')
  expect(writeText.mock.calls).toEqual([['A reply.']])
})

test('UI-3 a key hides the sidebar, and the next visit keeps it hidden', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat')
  chat.press('ctrl+shift+S', document.body)
  await waitFor(() => expect(document.cookie).toContain('palimpsest-sidebar=collapsed'))
  expect((await sidebar()).closest('[inert]')).not.toBeNull()
  chat.press('ctrl+shift+S', document.body)
  await waitFor(() => expect(document.cookie).toContain('palimpsest-sidebar=open'))
})

test('UI-3 a theme is chosen by its name and kept', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat')
  await run(chat, 'Theme: dark')
  expect(document.documentElement.dataset['theme']).toBe('dark')
  expect(document.cookie).toContain('palimpsest-theme=dark')
  await run(chat, 'Theme: system')
  expect(document.documentElement.dataset['theme']).toBeUndefined()
})

test('UI-2 UI-5 UI-31 how to add a model has an address of its own, and leaving it leads back', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat')
  await run(chat, 'Add a model')
  const choice = await screen.findByRole('region', { name: 'Add a provider' })
  expect(window.location.pathname).toBe('/settings/models')
  await screen.findByText(/^OPENAI_API_KEY=…/)
  const writeText = stubClipboard()
  fireEvent.click(screen.getAllByRole('button', { name: 'Copy' }).at(-1) ?? choice)
  expect(JSON.parse(writeText.mock.lastCall?.[0] ?? '')).toMatchObject({
    providers: { lab: { anyModel: true } },
  })
  fireEvent.click(screen.getByRole('button', { name: 'Close settings' }))
  await waitFor(() => expect(window.location.pathname).toBe(`/s/${chat.id}`))
})

test('UI-31 a provider that does not answer keeps its form open, and is listed once it is saved anyway', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat')
  await run(chat, 'Add a model')
  fireEvent.click(await screen.findByRole('button', { name: 'Another server' }))
  const form = await screen.findByRole('form', { name: 'Add a provider' })
  fireEvent.change(within(form).getByLabelText('Name'), { target: { value: 'My lab' } })
  fireEvent.change(within(form).getByLabelText('Address'), { target: { value: 'http://127.0.0.1:9/v1' } })
  fireEvent.click(within(form).getByRole('button', { name: 'Save and test' }))
  await within(form).findByText('There is no network here.')
  fireEvent.click(within(form).getByRole('button', { name: 'Save anyway' }))
  const card = await screen.findByRole('article', { name: 'My lab' })
  expect(card.textContent).toContain('No key')
  fireEvent.click(within(card).getByRole('button', { name: 'Remove' }))
  const dialog = await screen.findByRole('dialog', { name: 'Remove My lab?' })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(screen.queryByRole('article', { name: 'My lab' })).toBeNull())
})
