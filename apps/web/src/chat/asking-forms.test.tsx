// @vitest-environment happy-dom
import { createScriptedMcp } from '@palimpsest/testing'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' }, seats: { type: 'integer', default: 2 } },
  required: ['name'],
}

/** A server whose tool asks first, and then returns the reply. */
function askingServer() {
  return createScriptedMcp({ lab: [{ tools: ['book'] }] }, (_tool, _args, _signal, resumed) =>
    Promise.resolve(
      resumed === undefined
        ? { elicitation: { message: 'Whom is it for?', schema: SCHEMA }, state: null }
        : { text: `Replied ${JSON.stringify(resumed.reply)}` },
    ),
  )
}

async function openForm(lab: Awaited<ReturnType<typeof openChatLab>>) {
  const chat = await lab.openTalk('Before')
  await lab.sessions.permissions.setMode(chat.id, 'full-access')
  const speaker = await lab.beginReply(chat, 'Go', 'Well')
  speaker.call('lab_book', {})
  await screen.findByRole('region', { name: 'lab asks you' })
  await screen.findByRole('button', { name: /^lab: book ?Waiting for you$/ })
  return chat
}

const press = async (name: string) => {
  const button = await screen.findByRole<HTMLButtonElement>('button', { name })
  await waitFor(() => expect(button.disabled).toBe(false))
  fireEvent.click(button)
}

/** The parts of the newest message. */
async function newest(lab: Awaited<ReturnType<typeof openChatLab>>, id: string) {
  const { items } = await lab.sessions.messages({ sessionId: id })
  return JSON.stringify(items.at(-1)?.parts)
}

test('UI-16 the form of a server is answered above the composer, and the call goes on', async () => {
  await using lab = await openChatLab({ mcp: askingServer() })
  using chat = await openForm(lab)
  fireEvent.change(await screen.findByRole('textbox', { name: /^name/ }), { target: { value: 'Ada' } })
  await press('Answer')
  const speaker = await lab.models.speaker()
  speaker.say('Booked')
  speaker.finish()
  await chat.reads('Booked')
  await waitFor(() => expect(screen.queryByRole('region', { name: 'lab asks you' })).toBeNull())
  expect(await newest(lab, chat.id)).toContain(
    'Replied {\\"action\\":\\"accept\\",\\"content\\":{\\"name\\":\\"Ada\\",\\"seats\\":2}}',
  )
})

test('UI-16 the form of a server is declined above the composer, and the call goes on', async () => {
  await using lab = await openChatLab({ mcp: askingServer() })
  using chat = await openForm(lab)
  await press('Decline')
  const speaker = await lab.models.speaker()
  speaker.say('Then not')
  speaker.finish()
  await chat.reads('Then not')
  expect(await newest(lab, chat.id)).toContain('Replied {\\"action\\":\\"decline\\"}')
})
