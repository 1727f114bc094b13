// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

const TALK = Array.from({ length: 5 }, (_, at) => `Question ${at}: ${'many words '.repeat(60)}`)

/** A page whose last question no longer fits the window of its model; `talk` was said before. */
async function exhausted(lab: Awaited<ReturnType<typeof openChatLab>>, talk: readonly string[]) {
  const id = await lab.talk(talk)
  const chat = lab.open(`/s/${id}`)
  if (talk.length > 0) await chat.reads(/^Question 4/)
  lab.models.breakSummaries('No summaries today')
  lab.models.answer(null)
  await chat.send('One more')
  // A prompt with something before it is tried once more, smaller.
  for (let refusals = talk.length > 0 ? 2 : 1; refusals > 0; refusals--)
    (await lab.models.speaker()).fail('prompt is too long: 90000 tokens > 40000 maximum')
  const ways = await screen.findByRole('list', { name: 'Make the conversation fit' })
  const names = within(ways)
    .getAllByRole('button')
    .map(({ textContent }) => textContent)
  const press = (name: string) => fireEvent.click(within(ways).getByRole('button', { name }))
  return Object.assign(chat, { id, names, press })
}

test('CP-12 a turn that no longer fits offers a summary, leaving out, a branch and another model, and each works', async () => {
  await using lab = await openChatLab()
  using chat = await exhausted(lab, TALK)
  expect(chat.names).toEqual([
    'Summarise',
    'Leave messages out',
    'Branch from an earlier reply',
    'Choose another model',
  ])

  chat.press('Leave messages out')
  const window = await screen.findByRole('dialog', { name: 'Context window' })
  fireEvent.keyDown(window, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Context window' })).toBeNull())

  lab.models.breakSummaries(null)
  chat.press('Summarise')
  await chat.toast(/^\d+ earlier messages are summarised/)

  chat.press('Choose another model')
  expect(await screen.findByRole('combobox', { name: /model/i })).toBeDefined()

  chat.press('Branch from an earlier reply')
  await waitFor(async () => expect((await lab.sessions.list({})).items).toHaveLength(2))
})

test('CP-12 where nothing is before the message that does not fit, only another model is offered', async () => {
  await using lab = await openChatLab()
  using chat = await exhausted(lab, [])
  expect(chat.names).toEqual(['Choose another model'])
})
