// @vitest-environment happy-dom
import { IDLE_HOOK } from '@palimpsest/testing'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

type Lab = Awaited<ReturnType<typeof openChatLab>>

/** A chat in whose last turn a hook after a call has changed `plan.md` and made `new.md`. */
async function openWritten() {
  const files: Lab['files'][] = []
  const run = () => {
    for (const one of files) one.set('plan.md', 'old\nnew\n').set('new.md', 'made\n')
    return Promise.resolve({})
  }
  const lab = await openChatLab({
    snapshots: true,
    hooks: [{ ...IDLE_HOOK, event: 'tool.after' as const, run }],
  })
  lab.files.set('plan.md', 'old\n')
  files.push(lab.files)
  const id = await lab.talk(['Before'])
  lab.models.answer(null)
  const chat = lab.open(`/s/${id}`)
  await chat.reads('Before')
  await chat.send('Write the plan')
  const caller = await lab.models.speaker()
  caller.call('todo', { todos: [{ content: 'Plan', status: 'completed' }] })
  const speaker = await lab.models.speaker()
  await waitFor(() => expect(lab.files.get('new.md')).toBe('made\n'))
  speaker.say('Written.')
  speaker.finish()
  await chat.reads('Written.')
  await screen.findByRole('button', { name: 'Send' })
  const panel = () => screen.findByRole('complementary', { name: 'Changes' })
  const row = async (path: string) =>
    (await within(await panel()).findByText(path)).closest('li') as HTMLElement
  return { lab, chat: Object.assign(chat, { id }), panel, row }
}

test('UI-45 /changes lists what the chat has changed, and a file opens to its difference', async () => {
  const { lab, chat, row } = await openWritten()
  await using _ = lab
  using __ = chat
  await chat.send('/changes')
  expect((await row('new.md')).textContent).toContain('New')
  fireEvent.click(within(await row('plan.md')).getByRole('button', { name: /^plan\.md/ }))
  await waitFor(async () => expect((await row('plan.md')).textContent).toMatch(/\+\s*new/))
})

test('UI-45 a file is taken back, the list follows, and the toast undoes it', async () => {
  const { lab, chat, row } = await openWritten()
  await using _ = lab
  using __ = chat
  await chat.send('/changes')
  fireEvent.click(within(await row('plan.md')).getByRole('button', { name: 'Take back: plan.md' }))
  await chat.toast('1 file is restored.')
  expect(lab.files.get('plan.md')).toBe('old\n')
  await waitFor(async () => expect((await row('plan.md')).textContent).toContain('As before'))
  await chat.click('Undo', -1)
  await waitFor(() => expect(lab.files.get('plan.md')).toBe('old\nnew\n'))
  await waitFor(async () => expect((await row('plan.md')).textContent).not.toContain('As before'))
})

test('UI-45 all files of the chat are taken back by one press', async () => {
  const { lab, chat, panel } = await openWritten()
  await using _ = lab
  using __ = chat
  await chat.send('/changes')
  fireEvent.click(await within(await panel()).findByRole('button', { name: 'Take all back' }))
  await chat.toast('2 files are restored.')
  expect([...lab.files]).toEqual([['plan.md', 'old\n']])
})

test('RW-12 a file that a person has changed since stays after a rewind, a note leads to it, and the choice restores it', async () => {
  const { lab, chat, panel } = await openWritten()
  await using _ = lab
  using __ = chat
  lab.files.set('plan.md', 'mine\n')
  await chat.click('Rewind to here', 1)
  await screen.findByText('plan.md')
  await chat.click('Rewind without sending')
  await chat.toast('1 file was changed by somebody else and stayed.')
  expect([...lab.files]).toEqual([['plan.md', 'mine\n']])
  await chat.click('Decide')
  fireEvent.click(await within(await panel()).findByRole('button', { name: 'Restore' }))
  await waitFor(() => expect(lab.files.get('plan.md')).toBe('old\n'))
})

test('RW-12 the choice that is made in the editor is what the rewind does', async () => {
  const { lab, chat } = await openWritten()
  await using _ = lab
  using __ = chat
  lab.files.set('plan.md', 'mine\n')
  await chat.click('Rewind to here', 1)
  fireEvent.click(await screen.findByRole('radio', { name: 'Keep both' }))
  await chat.click('Rewind without sending')
  await waitFor(() => expect(lab.files.get('plan.restored.md')).toBe('old\n'))
  expect(lab.files.get('plan.md')).toBe('mine\n')
})

test('RW-9 a message that is refused since files are pending names them, and goes out on the files as they are', async () => {
  const { lab, chat } = await openWritten()
  await using _ = lab
  using __ = chat
  lab.breakFiles()
  await chat.rewind(1)
  await chat.toast(/not all files are restored yet/)
  await chat.send('Go on')
  await screen.findByText(/2 files are not restored yet\./)
  await screen.findByText('plan.md')
  await chat.click('Finish restoring')
  await screen.findByText(/2 files are not restored yet\./)
  await chat.click('Go on with the files as they are')
  const speaker = await lab.models.speaker()
  speaker.say('Going on.')
  speaker.finish()
  await chat.reads('Going on.')
  expect(lab.files.get('plan.md')).toBe('old\nnew\n')
})
