// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

const FILES = { '.agents/commands/review.md': '---\ndescription: Reviews\n---\nPlease review this.' }

type Lab = Awaited<ReturnType<typeof openChatLab>>

/** A page on which `/review` was sent, whose text is on its way until `arrive` is called. */
async function openReading(lab: Lab, path: string) {
  const chat = lab.open(path)
  await chat.write('/')
  await screen.findByRole('option', { name: /review/ })
  const arrive = chat.line.hold('command.expand')
  await chat.send('/review')
  await waitFor(() => expect(chat.line.calls).toContain('command.expand'))
  return Object.assign(chat, { arrive })
}

const textsOf = async (lab: Lab, sessionId: string) =>
  (await lab.sessions.messages({ sessionId })).items.map(({ parts }) => JSON.stringify(parts))

test('UI-12 what is written while the text of a command is read stays in the field', async () => {
  await using lab = await openChatLab({ files: FILES })
  using chat = await openReading(lab, `/s/${await lab.talk(['Before'])}`)
  await chat.write('Another thought')
  chat.arrive()
  await chat.reads('Please review this.')
  expect((await chat.field()).value).toBe('Another thought')
})

test('UI-5 UI-12 a command that was sent in a chat leads nobody back to it', async () => {
  await using lab = await openChatLab({ files: FILES })
  const id = await lab.talk(['Before'])
  using chat = await openReading(lab, `/s/${id}`)
  chat.app.router.push({ sessionId: null, anchor: null })
  chat.arrive()
  await waitFor(async () => expect((await textsOf(lab, id)).join()).toContain('Please review this.'))
  expect(window.location.pathname).toBe('/')
})

test('UI-2 UI-12 the chat that a command begins is not the next new one', async () => {
  await using lab = await openChatLab({ files: FILES })
  const other = await lab.talk(['Before'])
  using chat = await openReading(lab, '/')
  chat.app.router.push({ sessionId: other, anchor: null })
  chat.arrive()
  await waitFor(async () => expect((await lab.sessions.list({})).items).toHaveLength(2))
  expect(window.location.pathname).toBe(`/s/${other}`)
  const made = (await lab.sessions.list({})).items.map(({ id }) => id)
  expect(made).not.toContain(chat.app.freshId.get())
})

test('SX-9 UI-12 a chat that still loads has the commands of its own folder', async () => {
  await using lab = await openChatLab({ files: FILES })
  const id = await lab.talk(['Before'])
  const asked = vi.spyOn(lab.sessions.sources, 'commands')
  const line = lab.connect()
  line.hold('session.get')
  using chat = lab.open(`/s/${id}`, line)
  await chat.write('/')
  await screen.findByRole('option', { name: /review/ })
  expect(asked.mock.calls.map(([place]) => place)).toEqual([{ sessionId: id }])
})
