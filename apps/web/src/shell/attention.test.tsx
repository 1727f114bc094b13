// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

type Lab = Awaited<ReturnType<typeof openChatLab>>
type Shown = { title: string; options: NotificationOptions | undefined; press: () => void }

afterEach(() => vi.unstubAllGlobals())

/** A browser with notifications. */
function stubNotifications(permission: NotificationPermission, answer: NotificationPermission = permission) {
  const shown: Shown[] = []
  class Stub {
    static permission = permission
    static requestPermission = vi.fn(() => {
      Stub.permission = answer
      return Promise.resolve(answer)
    })
    onclick: (() => void) | null = null
    constructor(title: string, options?: NotificationOptions) {
      shown.push({ title, options, press: () => this.onclick?.() })
    }
    close() {}
  }
  vi.stubGlobal('Notification', Stub)
  return { shown, requestPermission: Stub.requestPermission }
}

const QUESTIONS = [{ question: 'Which way?', options: [{ label: 'Left' }, { label: 'Right' }] }]

/** Has another chat ask a question; returns its id. */
async function askElsewhere(lab: Lab, title: string): Promise<string> {
  const { id } = await lab.sessions.create({ title })
  lab.models.answer(null)
  await lab.sessions.send({ sessionId: id, message: { parts: [{ type: 'text', text: 'Go' }] } })
  const speaker = await lab.models.speaker()
  speaker.call('question', { questions: QUESTIONS })
  return id
}

async function answer(list: HTMLElement): Promise<void> {
  const button = await within(list).findByRole<HTMLButtonElement>('button', { name: 'Answer' })
  await waitFor(() => expect(button.disabled).toBe(false))
  fireEvent.click(button)
}

const entry = () => screen.findByRole('button', { name: /^Waiting for you: / })
const noEntry = () =>
  waitFor(() => expect(screen.queryByRole('button', { name: /^Waiting for you: / })).toBeNull())

test('UI-42 what another chat asks is answered from the list, without leaving the chat that is shown', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat')
  expect(screen.queryByRole('button', { name: /^Waiting for you: / })).toBeNull()
  const other = await askElsewhere(lab, 'A crossroads')
  expect((await entry()).textContent).toContain('1')
  await waitFor(() => expect(document.title).toBe('(1) Naming the boat · Palimpsest'))
  fireEvent.click(await entry())
  const list = await screen.findByRole('dialog', { name: 'Waiting for you' })
  within(list).getByText('A crossroads')
  fireEvent.click(await within(list).findByRole('radio', { name: /^Left/ }))
  await answer(list)
  const speaker = await lab.models.speaker()
  await noEntry()
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Waiting for you' })).toBeNull())
  expect(window.location.pathname).toBe(`/s/${chat.id}`)
  expect(document.title).toBe('Naming the boat · Palimpsest')
  speaker.finish()
  await waitFor(async () => expect(await lab.sessions.status(other)).toEqual({ state: 'idle' }))
})

test('UI-42 of several chats one is opened at a time, and after an answer the next is in front', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat')
  await askElsewhere(lab, 'First crossroads')
  await askElsewhere(lab, 'Second crossroads')
  fireEvent.click(await screen.findByRole('button', { name: 'Waiting for you: 2 chats' }))
  const list = await screen.findByRole('dialog', { name: 'Waiting for you' })
  expect(within(list).getAllByRole('region', { name: /question for you/ })).toHaveLength(1)
  const row = within(list).getByRole('button', { name: /^Second/ })
  expect(row.getAttribute('aria-expanded')).toBe('false')
  fireEvent.click(await within(list).findByRole('radio', { name: /^Right/ }))
  await answer(list)
  await waitFor(() => expect(row.getAttribute('aria-expanded')).toBe('true'))
  fireEvent.click(within(list).getByRole('link', { name: 'Open this chat' }))
  await chat.reads('Go')
  expect(screen.getByRole('heading', { name: /Second crossroads/ })).not.toBeNull()
  // What the shown chat asks is above its message field.
  await noEntry()
})

test('UI-41 notifications are offered beside a waiting request, and once only', async () => {
  const { requestPermission } = stubNotifications('default', 'granted')
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Before')
  expect(screen.queryByText('Turn on notifications')).toBeNull()
  const speaker = await lab.beginReply(chat, 'Go', 'Well')
  speaker.call('question', { questions: QUESTIONS })
  await chat.click('Turn on notifications')
  await waitFor(() => expect(screen.queryByText('Turn on notifications')).toBeNull())
  expect(requestPermission).toHaveBeenCalledOnce()
  expect(chat.app.attention.consent.get()).toBe('on')
  expect(localStorage.getItem('palimpsest.notify')).toBe('"on"')
})

test('UI-41 an offer that was declined is not made again', async () => {
  const { requestPermission } = stubNotifications('default')
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Before')
  const speaker = await lab.beginReply(chat, 'Go', 'Well')
  speaker.call('question', { questions: QUESTIONS })
  await chat.click('No, thanks')
  await waitFor(() => expect(screen.queryByText('Turn on notifications')).toBeNull())
  expect(requestPermission).not.toHaveBeenCalled()
  expect(localStorage.getItem('palimpsest.notify')).toBe('"off"')
})

test('UI-41 with consent a request in another chat is told once, and a press leads there', async () => {
  localStorage.setItem('palimpsest.notify', '"on"')
  const { shown } = stubNotifications('granted')
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat')
  const other = await askElsewhere(lab, 'A crossroads')
  await waitFor(() => expect(shown).toHaveLength(1))
  expect(shown[0]).toMatchObject({
    title: 'A crossroads',
    options: { body: 'Waits for your answer.', tag: other },
  })
  shown[0]?.press()
  await waitFor(() => expect(window.location.pathname).toBe(`/s/${other}`))
  await chat.reads('Go')
  expect(shown).toHaveLength(1)
})

test('UI-41 without consent nothing is notified, also where the browser allows it', async () => {
  const { shown } = stubNotifications('granted')
  await using lab = await openChatLab()
  using _ = await lab.openTalk('Naming the boat')
  await askElsewhere(lab, 'A crossroads')
  await entry()
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(shown).toEqual([])
})
