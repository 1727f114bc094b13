// @vitest-environment happy-dom
import { IDLE_HOOK } from '@palimpsest/testing'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

type Lab = Awaited<ReturnType<typeof openChatLab>>

const TALK = Array.from({ length: 6 }, (_, at) => `Question ${at}: ${'many words '.repeat(60)}`)

async function long(lab: Lab) {
  const id = await lab.talk(TALK)
  const chat = lab.open(`/s/${id}`)
  await chat.reads(/^Question 5/)
  return Object.assign(chat, { id })
}

const starts = (texts: string[]) => texts.map((text) => /^Question \d/.exec(text)?.[0] ?? text)

test('UI-21 what was summarised is folded behind a divider that opens to the summary, and Undo unfolds it', async () => {
  await using lab = await openChatLab()
  using chat = await long(lab)
  await chat.send('/compact')
  await chat.toast(/^\d+ earlier messages are summarised/)
  const divider = await screen.findByRole('button', { name: /^Summarised \d+ earlier messages/ })
  expect(starts(await chat.messages())).not.toContain('Question 0')
  expect(starts(await chat.messages())).toContain('Question 5')
  fireEvent.click(divider)
  await chat.reads('A title')
  fireEvent.click(within(await chat.log()).getByRole('button', { name: 'Undo' }))
  await waitFor(async () => expect(starts(await chat.messages())).toContain('Question 0'))
  expect(screen.queryByRole('button', { name: /^Summarised/ })).toBeNull()
})

test('UI-21 the messages that a summary replaces open in their place, and fold again', async () => {
  await using lab = await openChatLab()
  using chat = await long(lab)
  await chat.send('/compact')
  const divider = await screen.findByRole('button', { name: /^Summarised \d+ earlier messages/ })
  fireEvent.click(divider)
  await chat.click('Show the messages')
  await chat.reads(/^Question 0/)
  await chat.click('Hide the messages')
  await waitFor(async () => expect(starts(await chat.messages())).not.toContain('Question 0'))
})

test('UI-21 an open summary is open after a reload; folding it up folds its messages away too', async () => {
  await using lab = await openChatLab()
  using chat = await long(lab)
  await chat.send('/compact')
  const divider = () => screen.findByRole('button', { name: /^Summarised \d+ earlier messages/ })
  fireEvent.click(await divider())
  await chat.click('Show the messages')
  await chat.reads(/^Question 0/)
  chat.leave()
  using reloaded = lab.open(`/s/${chat.id}`)
  await screen.findByRole('button', { name: 'Hide the messages' })
  fireEvent.click(await divider())
  await waitFor(async () => expect(starts(await reloaded.messages())).not.toContain('Question 0'))
  expect((await divider()).getAttribute('aria-expanded')).toBe('false')
})

test('UI-15 UI-21 while messages are summarised the composer says so, and what is sent waits for it', async () => {
  await using lab = await openChatLab()
  using chat = await long(lab)
  const write = lab.models.holdSummaries()
  await chat.send('/compact')
  await screen.findByText('Summarising earlier messages. New messages are queued.')
  await chat.send('And then?')
  await screen.findByRole('region', { name: 'Queued messages' })
  write()
  await screen.findByRole('button', { name: /^Summarised \d+ earlier messages/ })
  await waitFor(async () => expect((await chat.messages()).slice(-2)).toEqual(['And then?', 'A reply.']))
  expect(screen.queryByText(/^Summarising earlier messages/)).toBeNull()
})

test('UI-21 a summary that fails says why in its place, nothing is hidden, and it is tried again from there', async () => {
  await using lab = await openChatLab()
  using chat = await long(lab)
  lab.models.breakSummaries('The ink ran dry.')
  await chat.send('/compact')
  const notice = await screen.findByRole('region', { name: 'Earlier messages could not be summarised.' })
  expect(within(notice).getByRole('alert')).toBeTruthy()
  expect(starts(await chat.messages())).toContain('Question 0')
  expect(screen.queryAllByText('Earlier messages could not be summarised.')).toHaveLength(1)
  lab.models.breakSummaries(null)
  fireEvent.click(within(notice).getByRole('button', { name: 'Try again' }))
  await screen.findByRole('button', { name: /^Summarised \d+ earlier messages/ })
  expect(screen.queryByText('Earlier messages could not be summarised.')).toBeNull()
})

test('UI-21 the notice of a failed summary is dismissed, and stays dismissed', async () => {
  await using lab = await openChatLab()
  using chat = await long(lab)
  lab.models.breakSummaries('The ink ran dry.')
  await chat.send('/compact')
  const notice = await screen.findByRole('region', { name: 'Earlier messages could not be summarised.' })
  fireEvent.click(within(notice).getByRole('button', { name: 'Dismiss' }))
  await waitFor(() => expect(screen.queryByText('Earlier messages could not be summarised.')).toBeNull())
  expect((await lab.sessions.status(chat.id)).state).toBe('idle')
})

test('UI-21 UI-26 what is summarised elsewhere folds here too', async () => {
  await using lab = await openChatLab()
  using chat = await long(lab)
  await lab.sessions.history.compact(chat.id)
  await screen.findByRole('button', { name: /^Summarised \d+ earlier messages/ })
  expect(starts(await chat.messages())).not.toContain('Question 0')
})

/** A lab in which a hook after each call writes a file. */
async function openWriting() {
  const files: Lab['files'][] = []
  const hook = { ...IDLE_HOOK, event: 'tool.after' as const }
  const run = () => {
    for (const one of files) one.set('plan.md', 'new')
    return Promise.resolve({})
  }
  const lab = await openChatLab({ snapshots: true, hooks: [{ ...hook, run }] })
  files.push(lab.files)
  return lab
}

/** A turn in which a file was written. */
async function written(lab: Lab) {
  lab.files.set('plan.md', 'old')
  const id = await lab.talk(['Before'])
  lab.models.answer(null)
  const chat = lab.open(`/s/${id}`)
  await chat.reads('Before')
  await chat.send('Write the plan')
  const caller = await lab.models.speaker()
  caller.call('todo', { todos: [{ content: 'Plan', status: 'completed' }] })
  const speaker = await lab.models.speaker()
  await waitFor(() => expect(lab.files.get('plan.md')).toBe('new'))
  speaker.say('Written.')
  speaker.finish()
  await chat.reads('Written.')
  await screen.findByRole('button', { name: 'Send' })
  return Object.assign(chat, { id })
}

test('RW-5 UI-17 a rewind says first which files it restores, and Cancel leaves messages and files as they are', async () => {
  await using lab = await openWriting()
  using chat = await written(lab)
  await chat.click('Rewind to here', 1)
  await screen.findByText(/hides 1 message after it.* 1 file is restored\./)
  await chat.click(/^Cancel/)
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Edit message' })).toBeNull())
  expect([lab.files.get('plan.md'), (await chat.messages()).length]).toEqual(['new', 4])
  await chat.rewind(1)
  await screen.findByText('1 message hidden · 1 file restored')
  expect(lab.files.get('plan.md')).toBe('old')
})

test('RW-5 taking a rewind back brings its files back, and says so', async () => {
  await using lab = await openWriting()
  using chat = await written(lab)
  await chat.rewind(1)
  await screen.findByText('1 message hidden · 1 file restored')
  await chat.click('Restore')
  await chat.toast('1 file is restored.')
  expect(lab.files.get('plan.md')).toBe('new')
  expect(await chat.messages()).toHaveLength(4)
})

test('RW-5 a rewind whose files could not follow says so, and its messages are hidden all the same', async () => {
  await using lab = await openWriting()
  using chat = await written(lab)
  await chat.click('Rewind to here', 1)
  await screen.findByText(/1 file is restored\./)
  lab.breakFiles()
  await chat.click('Rewind without sending')
  await chat.toast(/not all files are restored yet/)
  expect(lab.files.get('plan.md')).toBe('new')
  expect(await chat.messages()).toHaveLength(3)
})

test('RW-5 UI-17 an edit says how many files it restores, and the list of prompts counts them', async () => {
  await using lab = await openWriting()
  using chat = await written(lab)
  await chat.click('Edit and send again', 1)
  await screen.findByText(/1 file is restored\./)
  chat.press('Escape', await screen.findByRole('textbox', { name: 'Edit message' }))
  await chat.send('/rewind')
  await screen.findByText('Nothing is deleted, and 1 file is restored.')
})
