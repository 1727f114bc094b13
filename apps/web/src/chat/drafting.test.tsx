// @vitest-environment happy-dom
import { LIMITS } from '@palimpsest/core/domain'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

const file = (name: string, text = 'words') => new File([text], name, { type: 'text/plain' })

/** Chooses files by the button beside the message field. */
async function attach(...files: File[]): Promise<void> {
  const chooser = await screen.findByLabelText('Attach files', { selector: 'input' })
  Object.defineProperty(chooser, 'files', { configurable: true, value: files })
  fireEvent.change(chooser)
}

const attachments = () =>
  [...(screen.queryByRole('list', { name: 'Attachments' })?.children ?? [])].map((item) => item.textContent)

test('UI-12 each session keeps its own draft while one goes from one to the other and back', async () => {
  await using lab = await openChatLab()
  const [one, two] = [await lab.talk(['First chat']), await lab.talk(['Second chat'])]
  using chat = lab.open(`/s/${one}`)
  await chat.reads('First chat')
  await chat.write('for the first')
  chat.app.router.push({ sessionId: two, anchor: null })
  await chat.reads('Second chat')
  expect((await chat.field()).value).toBe('')
  await chat.write('for the second')
  chat.app.router.push({ sessionId: one, anchor: null })
  await chat.reads('First chat')
  expect((await chat.field()).value).toBe('for the first')
  chat.app.router.push({ sessionId: null, anchor: null })
  await screen.findByText('What shall we write?')
  expect((await chat.field()).value).toBe('')
})

test('UI-12 a draft with its files is there again after a reload, and gone once it was sent', async () => {
  await using lab = await openChatLab()
  const first = lab.open('/')
  await first.write('With a leaf')
  await attach(file('leaf.txt'))
  await waitFor(() => expect(attachments()).toEqual(['leaf.txt5 B']))
  first.leave()
  const again = lab.open('/')
  expect((await again.field()).value).toBe('With a leaf')
  expect(attachments()).toEqual(['leaf.txt5 B'])
  await again.click('Send')
  await again.reads('A reply.')
  again.leave()
  using last = lab.open('/')
  expect((await last.field()).value).toBe('')
  expect(attachments()).toEqual([])
})

test('UI-12 a message carries its files before its words', async () => {
  await using lab = await openChatLab()
  using chat = lab.open('/')
  await chat.write('Read this')
  await attach(file('a.txt', 'one'), file('b.txt', 'two'))
  await waitFor(() => expect(attachments()).toEqual(['a.txt3 B', 'b.txt3 B']))
  await chat.click('Send')
  await chat.reads('Read this')
  const sessionId = chat.app.router.get().sessionId ?? ''
  const { items } = await lab.sessions.messages({ sessionId })
  expect(items[0]?.parts).toMatchObject([
    { type: 'file', filename: 'a.txt', url: `data:text/plain;base64,${btoa('one')}` },
    { type: 'file', filename: 'b.txt' },
    { type: 'text', text: 'Read this' },
  ])
})

test('UI-12 a file that is taken out while it is read does not come back', async () => {
  await using lab = await openChatLab()
  using chat = lab.open('/')
  await chat.field()
  await attach(file('slow.txt'))
  await chat.click('Remove slow.txt')
  expect(attachments()).toEqual([])
  await attach(file('kept.txt'))
  await waitFor(() => expect(attachments()).toEqual(['kept.txt5 B']))
})

test('UI-12 nothing is sent while a file is being read', async () => {
  await using lab = await openChatLab()
  using chat = lab.open('/')
  await chat.write('Wait for it')
  await attach(file('leaf.txt'))
  chat.press('Enter', await chat.field())
  expect((await chat.field()).value).toBe('Wait for it')
  await waitFor(() => expect(attachments()).toEqual(['leaf.txt5 B']))
  chat.press('Enter', await chat.field())
  await chat.reads('Wait for it')
  expect(chat.line.calls.filter((path) => path === 'session.send')).toHaveLength(1)
})

test('AP-4 UI-12 files that are too many stay out with the reason, the others are taken', async () => {
  await using lab = await openChatLab()
  using chat = lab.open('/')
  await chat.field()
  const many = Array.from({ length: LIMITS.filesPerMessage + 2 }, (_, at) => file(`${at}.txt`))
  await attach(...many)
  await chat.toast(`You can attach up to ${LIMITS.filesPerMessage} files to a message.`)
  await waitFor(() => expect(attachments()).toHaveLength(LIMITS.filesPerMessage))
  await attach(file('more.txt'))
  await waitFor(() =>
    expect(
      screen.getAllByText(`You can attach up to ${LIMITS.filesPerMessage} files to a message.`),
    ).toHaveLength(2),
  )
  expect(attachments()).toHaveLength(LIMITS.filesPerMessage)
})

test('AP-4 a file that can’t be read says so and leaves what was written', async () => {
  await using lab = await openChatLab()
  using chat = lab.open('/')
  await chat.write('Look at this')
  vi.spyOn(FileReader.prototype, 'readAsDataURL').mockImplementation(function fail(this: FileReader) {
    queueMicrotask(() => this.dispatchEvent(new Event('error')))
  })
  await attach(file('torn.txt'))
  await chat.toast('“torn.txt” can’t be read.')
  expect(attachments()).toEqual([])
  expect((await chat.field()).value).toBe('Look at this')
})

test('UI-12 ↑ in an empty field recalls the last message, and in a written one leaves it', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(['First words', 'Last words'])
  using chat = lab.open(`/s/${id}`)
  await chat.reads('Last words')
  chat.press('ArrowUp', await chat.field())
  await waitFor(async () => expect((await chat.field()).value).toBe('Last words'))
  await chat.write('Own words')
  chat.press('ArrowUp', await chat.field())
  expect((await chat.field()).value).toBe('Own words')
})

test('UI-12 a command never reaches the model; a word behind a slash that is none does', async () => {
  await using lab = await openChatLab()
  using chat = lab.open('/')
  await chat.send('/help')
  await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  chat.press('Escape')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeNull())
  expect(chat.line.calls).not.toContain('session.send')
  expect((await chat.field()).value).toBe('')
  await chat.send('/usr/bin is a folder')
  await chat.reads('/usr/bin is a folder')
  await chat.reads('A reply.')
})

test.each(['/find', '/timeline', '/tree', '/rewind', '/compact'])(
  'UI-2 %s in a new chat says that there is nothing yet, and opens nothing after the first message',
  async (command) => {
    await using lab = await openChatLab()
    using chat = lab.open('/')
    await chat.send(command)
    await chat.toast(/no message/)
    await chat.send('Hello')
    await chat.reads('A reply.')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.queryByRole('searchbox', { name: /Find/ })).toBeNull()
    expect(screen.queryByRole('complementary', { name: 'Timeline' })).toBeNull()
  },
)

test('UI-2 UI-3 Esc twice in a new chat opens nothing over its first message', async () => {
  await using lab = await openChatLab()
  using chat = lab.open('/')
  chat.press('Escape', await chat.field())
  chat.press('Escape', await chat.field())
  await chat.send('Hello')
  await chat.reads('A reply.')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('UI-12 what is written behind a command stays in the field', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(['Words'])
  using chat = lab.open(`/s/${id}`)
  await chat.reads('Words')
  await chat.send('/timeline and then this')
  await screen.findByRole('complementary', { name: 'Timeline' })
  expect((await chat.field()).value).toBe('and then this')
})

test('UI-12 /new leads to an empty chat and /archive puts this one away, with the way back', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(['To be archived'])
  using chat = lab.open(`/s/${id}`)
  await chat.reads('To be archived')
  await chat.send('/archive')
  await chat.toast('“To be archived” is in the archive.')
  await screen.findByText('This chat is archived.')
  expect(screen.queryByRole('textbox', { name: 'Message' })).toBeNull()
  await chat.click('Undo')
  expect((await chat.field()).value).toBe('')
  await chat.send('/new')
  await screen.findByText('What shall we write?')
  expect(window.location.pathname).toBe('/')
})

test('UI-12 the list of commands is moved through by keyboard and says which one is meant', async () => {
  await using lab = await openChatLab()
  using chat = lab.open('/')
  await chat.write('/')
  const field = await chat.field()
  const list = await screen.findByRole('listbox', { name: 'Commands' })
  const meant = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent
  const options = within(list).getAllByRole('option')
  expect(meant()).toBe(options[0]?.textContent)
  chat.press('ArrowDown', field)
  expect(meant()).toBe(options[1]?.textContent)
  for (const name of ['compact', 'branch', 'rewind', 'model', 'archive', 'prune']) {
    expect(options.some((option) => option.textContent?.startsWith(`/${name}`))).toBe(true)
  }
})
