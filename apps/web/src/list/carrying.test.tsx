// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

type Chat = ReturnType<Awaited<ReturnType<typeof openChatLab>>['open']>

async function run(chat: Chat, command: string): Promise<void> {
  await chat.field()
  chat.press('ctrl+k', document.body)
  const palette = await screen.findByRole('combobox', { name: 'Command palette' })
  fireEvent.change(palette, { target: { value: command } })
  await waitFor(() => expect(screen.getAllByRole('option')[0]?.textContent).toContain(command))
  chat.press('Enter', palette)
}

/** What a person does with the dialog that the browser opens: chooses a file, or none. */
function choose(file: File | null): void {
  vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(function answer(this: HTMLInputElement) {
    if (file !== null) Object.defineProperty(this, 'files', { value: [file] })
    this.dispatchEvent(new Event(file === null ? 'cancel' : 'change'))
  })
}

function stubServer(answer: () => Promise<Response>) {
  const asked = vi.fn<typeof fetch>(answer)
  vi.stubGlobal('fetch', asked)
  return asked
}

const CHAT = new File(['{"type":"session"}\n'], 'chat.jsonl')

test('UI-1 a chat is exported by its address, as a file that the browser saves', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(['Naming the boat'])
  using chat = lab.open(`/s/${id}`)
  await chat.reads('Naming the boat')
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(this: HTMLAnchorElement) {
    if (this.hasAttribute('download')) saved.push(new URL(this.href).pathname)
  })
  await run(chat, 'Export this chat to a file')
  expect(saved).toEqual([`/api/v1/sessions/${id}/export`])
})

test('UI-1 a chat that is imported is sent as it lies on the disk, and then opened', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(['From far away'])
  using chat = lab.open('/')
  choose(CHAT)
  const asked = stubServer(() => Promise.resolve(Response.json({ id })))
  await run(chat, 'Import a chat from a file')
  await chat.reads('From far away')
  expect(window.location.pathname).toBe(`/s/${id}`)
  expect(asked.mock.calls).toEqual([
    ['/api/v1/sessions/import', expect.objectContaining({ method: 'POST', body: CHAT })],
  ])
})

test('UI-4 a file that is no chat says why, and one stays where one is', async () => {
  await using lab = await openChatLab()
  using chat = lab.open('/')
  choose(CHAT)
  const error = { message: 'Line 1 is no session.', data: { appCode: 'INVALID_INPUT' } }
  stubServer(() => Promise.resolve(Response.json({ error }, { status: 400 })))
  await run(chat, 'Import a chat from a file')
  await chat.toast('Line 1 is no session.')
  expect(window.location.pathname).toBe('/')
})

test.each([
  ['is out of reach', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['answers with a page instead', () => Promise.resolve(new Response('<html>Bad gateway</html>'))],
])('UI-4 an import for which the server %s says so', async (_, answer) => {
  await using lab = await openChatLab()
  using chat = lab.open('/')
  choose(CHAT)
  stubServer(answer)
  await run(chat, 'Import a chat from a file')
  await chat.toast('The server can’t be reached.')
})

test('UI-1 an import without a chosen file does nothing', async () => {
  await using lab = await openChatLab()
  using chat = lab.open('/')
  choose(null)
  const asked = stubServer(() => Promise.reject(new Error('Not expected')))
  await run(chat, 'Import a chat from a file')
  await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Command palette' })).toBeNull())
  expect(asked).not.toHaveBeenCalled()
  expect(
    within(await screen.findByRole('region', { name: 'Notifications' })).queryAllByRole('button'),
  ).toEqual([])
})
