// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

/** A page on which a reply is being written. */
async function busy(lab: Awaited<ReturnType<typeof openChatLab>>) {
  lab.models.answer(null)
  const chat = lab.open('/')
  await chat.send('First')
  const speaker = await lab.models.speaker()
  speaker.say('Writing')
  await chat.reads('Writing')
  const sessionId = chat.app.router.get().sessionId ?? ''
  return Object.assign(chat, { speaker, sessionId })
}

const region = () => screen.findByRole('region', { name: 'Queued messages' })
const chips = () => {
  const queue = screen.queryByRole('region', { name: 'Queued messages' })
  if (queue === null) return []
  return within(queue)
    .getAllByRole('listitem')
    .map((chip) => chip.querySelector('.truncate')?.textContent ?? '')
}
const inChip = async (at: number, name: string) => {
  const chip = within(await region()).getAllByRole('listitem')[at]
  return within(chip ?? document.body).getByRole('button', { name })
}

test('UI-15 what is sent behind a reply waits as a chip from the first moment, and is answered after it', async () => {
  await using lab = await openChatLab()
  using chat = await busy(lab)
  const answer = chat.line.hold('session.send')
  await chat.send('Second')
  await waitFor(() => expect(chips()).toEqual(['Second']))
  expect(await chat.messages()).toEqual(['First', 'Writing'])
  answer()
  await waitFor(async () => expect(await lab.sessions.queue.list(chat.sessionId)).toHaveLength(1))
  expect(chips()).toEqual(['Second'])
  lab.models.answer('Then this.')
  chat.speaker.finish()
  await chat.reads('Then this.')
  expect(chips()).toEqual([])
  expect(await chat.messages()).toEqual(['First', 'Writing', 'Second', 'Then this.'])
})

test('UI-15 a chip is edited in place: Esc leaves it, Enter saves, and the focus is back at its button', async () => {
  await using lab = await openChatLab()
  using chat = await busy(lab)
  await chat.send('With a tpyo')
  fireEvent.click(await inChip(0, 'Edit'))
  const editor = await screen.findByRole('textbox', { name: 'Queued message' })
  expect(document.activeElement).toBe(editor)
  fireEvent.change(editor, { target: { value: 'Not needed any more' } })
  chat.press('Escape', editor)
  await waitFor(() => expect(chips()).toEqual(['With a tpyo']))
  expect(document.activeElement).toBe(await inChip(0, 'Edit'))
  await chat.reads('Writing')
  fireEvent.click(await inChip(0, 'Edit'))
  const again = await screen.findByRole('textbox', { name: 'Queued message' })
  fireEvent.change(again, { target: { value: 'With a typo' } })
  chat.press('Enter', again)
  await waitFor(() => expect(chips()).toEqual(['With a typo']))
  expect(await lab.sessions.queue.list(chat.sessionId)).toMatchObject([{ parts: [{ text: 'With a typo' }] }])
})

test('UI-15 a chip that went out while it was being edited says that it could not be changed', async () => {
  await using lab = await openChatLab()
  using chat = await busy(lab)
  await chat.send('Soon gone')
  fireEvent.click(await inChip(0, 'Edit'))
  const editor = await screen.findByRole('textbox', { name: 'Queued message' })
  fireEvent.change(editor, { target: { value: 'Too late' } })
  const [waiting] = await lab.sessions.queue.list(chat.sessionId)
  chat.line.refuse('queue.edit', 'CONFLICT', 'That message is no longer queued.')
  chat.press('Enter', editor)
  await chat.toast('That message is no longer queued.')
  expect(await lab.sessions.queue.list(chat.sessionId)).toEqual([waiting])
  expect((await chat.field()).value).toBe('Too late')
})

test('UI-15 words that were being changed when their message was sent are in the message field', async () => {
  await using lab = await openChatLab()
  using chat = await busy(lab)
  await chat.send('Old words')
  await waitFor(async () => expect(await lab.sessions.queue.list(chat.sessionId)).toHaveLength(1))
  fireEvent.click(await inChip(0, 'Edit'))
  const editor = await screen.findByRole('textbox', { name: 'Queued message' })
  fireEvent.change(editor, { target: { value: 'New words' } })
  await chat.write('Half a thought')
  chat.speaker.finish()
  await chat.toast(/^That message can no longer be edited/)
  expect((await chat.field()).value).toBe('Half a thought\n\nNew words')
  expect(document.activeElement).toBe(await chat.field())
})

test('UI-15 words that were being changed when one went to another chat are in this one’s draft', async () => {
  await using lab = await openChatLab()
  const other = await lab.talk(['Elsewhere'])
  using chat = await busy(lab)
  await chat.send('Old words')
  fireEvent.click(await inChip(0, 'Edit'))
  const editor = await screen.findByRole('textbox', { name: 'Queued message' })
  fireEvent.change(editor, { target: { value: 'New words' } })
  chat.app.router.push({ sessionId: other, anchor: null })
  await chat.reads('Elsewhere')
  expect((await chat.field()).value).toBe('')
  expect(screen.queryByText(/^That message can no longer be edited/)).toBeNull()
  chat.app.router.push({ sessionId: chat.sessionId, anchor: null })
  await chat.reads('Writing')
  expect((await chat.field()).value).toBe('New words')
})

test('UI-15 UI-23 after a chip is removed the focus is on the next one, and after the last on the message field', async () => {
  await using lab = await openChatLab()
  using chat = await busy(lab)
  for (const text of ['Two', 'Three']) await chat.send(text)
  await waitFor(() => expect(chips()).toEqual(['Two', 'Three']))
  const remove = await inChip(0, 'Remove')
  remove.focus()
  fireEvent.click(remove)
  await waitFor(() => expect(chips()).toEqual(['Three']))
  const left = await inChip(0, 'Remove')
  expect(document.activeElement).toBe(left)
  fireEvent.click(left)
  await waitFor(() => expect(chips()).toEqual([]))
  expect(document.activeElement).toBe(await chat.field())
})

test('UI-15 UI-23 chips change places by arrow keys, say where they went, and are answered in that order', async () => {
  await using lab = await openChatLab()
  using chat = await busy(lab)
  for (const text of ['Two', 'Three', 'Four']) await chat.send(text)
  await waitFor(async () => expect(await lab.sessions.queue.list(chat.sessionId)).toHaveLength(3))
  chat.press('ArrowUp', await inChip(2, 'Move, position 3 of 3. Arrow keys move it.'))
  await waitFor(() => expect(chips()).toEqual(['Two', 'Four', 'Three']))
  await within(await region()).findByText('Moved to position 2 of 3.')
  chat.press('ArrowUp', await inChip(0, 'Move, position 1 of 3. Arrow keys move it.'))
  expect(chips()).toEqual(['Two', 'Four', 'Three'])
  lab.models.answer('Yes.')
  chat.speaker.finish()
  await waitFor(async () =>
    expect(await chat.messages()).toEqual([
      'First',
      'Writing',
      'Two',
      'Yes.',
      'Four',
      'Yes.',
      'Three',
      'Yes.',
    ]),
  )
})

test('UI-15 a chip that is sent now stops the reply and goes first; the others keep waiting', async () => {
  await using lab = await openChatLab()
  using chat = await busy(lab)
  for (const text of ['Later', 'Urgent']) await chat.send(text)
  await waitFor(async () => expect(await lab.sessions.queue.list(chat.sessionId)).toHaveLength(2))
  fireEvent.click(await inChip(1, 'Send now'))
  const next = await lab.models.speaker()
  next.say('At once')
  await chat.reads('At once')
  expect(chips()).toEqual(['Later'])
  await screen.findByText('Stopped.')
})

test('UI-15 Ctrl Enter steers and Ctrl Shift Enter interrupts', async () => {
  await using lab = await openChatLab()
  using chat = await busy(lab)
  await chat.send('A little to the left', 'ctrl+Enter')
  await within(await region()).findByText('1 message for the running reply')
  expect(await lab.sessions.queue.list(chat.sessionId)).toMatchObject([{ metadata: { steer: true } }])
  await chat.send('No, stop', 'ctrl+shift+Enter')
  const next = await lab.models.speaker()
  next.say('Stopped and here')
  await chat.reads('Stopped and here')
  await screen.findByText('Stopped.')
})

test('UI-15 UI-26 what is queued, changed and taken out elsewhere shows in the chips here', async () => {
  await using lab = await openChatLab()
  using chat = await busy(lab)
  const { sessionId } = chat
  const parts = (text: string) => [{ type: 'text' as const, text }]
  await lab.sessions.send({ sessionId, message: { id: 'q1', parts: parts('From elsewhere') } })
  await waitFor(() => expect(chips()).toEqual(['From elsewhere']))
  await lab.sessions.queue.edit({ sessionId, messageId: 'q1', parts: parts('Changed there') })
  await waitFor(() => expect(chips()).toEqual(['Changed there']))
  await lab.sessions.queue.cancel(sessionId, 'q1')
  await waitFor(() => expect(chips()).toEqual([]))
})

test('UI-15 during a run the button is Stop while the field is empty, and Queue once it has text', async () => {
  await using lab = await openChatLab()
  using chat = await busy(lab)
  await screen.findByRole('button', { name: 'Stop' })
  await chat.write('More')
  await screen.findByRole('button', { name: 'Queue' })
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
  await chat.write('')
  await chat.click('Stop')
  await screen.findByText('Stopped.')
  await screen.findByRole('button', { name: 'Send' })
})

test('UI-15 what waited when the page was closed waits when it is opened again', async () => {
  await using lab = await openChatLab()
  const first = await busy(lab)
  await first.send('Waits')
  await waitFor(async () => expect(await lab.sessions.queue.list(first.sessionId)).toHaveLength(1))
  first.leave()
  using again = lab.open(`/s/${first.sessionId}`)
  await again.reads('Writing')
  await waitFor(() => expect(chips()).toEqual(['Waits']))
})

test('UI-15 UI-18 a chip that was removed comes back by Undo, and later from the timeline', async () => {
  await using lab = await openChatLab()
  using chat = await busy(lab)
  await chat.send('Second')
  await waitFor(async () => expect(await lab.sessions.queue.list(chat.sessionId)).toHaveLength(1))
  fireEvent.click(await inChip(0, 'Remove'))
  await waitFor(() => expect(chips()).toEqual([]))
  await chat.toast('Removed from the queue.')
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(chips()).toEqual(['Second']))
  fireEvent.click(await inChip(0, 'Remove'))
  await waitFor(() => expect(chips()).toEqual([]))
  chat.press('ctrl+shift+Y', document.body)
  const panel = within(await screen.findByRole('complementary', { name: 'Timeline' }))
  const removed = within(await panel.findByRole('region', { name: 'Removed from the queue' }))
  expect(removed.getByRole('listitem').textContent).toContain('Second')
  expect(panel.queryByText('Nothing has been done to this chat yet.')).toBeNull()
  fireEvent.click(removed.getByRole('button', { name: 'Restore' }))
  await waitFor(() => expect(chips()).toEqual(['Second']))
  await waitFor(() => expect(panel.queryByRole('region', { name: 'Removed from the queue' })).toBeNull())
  expect(await lab.sessions.queue.list(chat.sessionId)).toHaveLength(1)
})

test('UI-15 LS-5 a reply that failed pauses the queue, and the next message continues it in order', async () => {
  await using lab = await openChatLab()
  using chat = await busy(lab)
  await chat.send('Second')
  await waitFor(async () => expect(await lab.sessions.queue.list(chat.sessionId)).toHaveLength(1))
  chat.speaker.fail('No credit')
  await screen.findByText(/^Paused because the last reply failed/)
  lab.models.answer('Well.')
  const answer = chat.line.hold('session.send')
  await chat.send('Third')
  await waitFor(() => expect(chips()).toEqual(['Second', 'Third']))
  answer()
  const talk = ['First', 'Writing', 'Second', 'Well.', 'Third', 'Well.']
  await waitFor(async () => expect(await chat.messages()).toEqual(talk))
  expect(screen.queryByText(/^Paused/)).toBeNull()
})

test('UI-15 a stop says which queued message is sent next, and Stop all keeps the rest of the queue, paused', async () => {
  await using lab = await openChatLab()
  using chat = await busy(lab)
  await chat.send('Second')
  await chat.send('Third')
  await within(await region()).findByText('The first is sent when this reply ends or is stopped.')
  chat.press('Escape', document.body)
  await chat.toast('Stopped. Next: “Second”')
  await lab.models.speaker()
  await waitFor(() => expect(chips()).toEqual(['Third']))
  fireEvent.click(within(await region()).getByRole('button', { name: 'Stop all' }))
  await within(await region()).findByText(/^Paused because you stopped all/)
  expect((await lab.sessions.status(chat.sessionId)).state).toBe('idle')
  expect(chips()).toEqual(['Third'])
  lab.models.answer('Now this.')
  fireEvent.click(within(await region()).getByRole('button', { name: 'Continue the queue' }))
  await chat.reads('Now this.')
  expect(chips()).toEqual([])
})
