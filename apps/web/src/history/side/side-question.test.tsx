// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../../testing/chat-lab.tsx'

type Lab = Awaited<ReturnType<typeof openChatLab>>

const panel = () => screen.findByRole('complementary', { name: 'Side question' })
const field = async () =>
  within(await panel()).findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })

async function beside(lab: Lab) {
  const id = await lab.talk(['Naming the boat'])
  const chat = lab.open(`/s/${id}`)
  await chat.reads('Naming the boat')
  chat.press('ctrl+shift+L', document.body)
  await panel()
  const ask = async (text: string) => {
    fireEvent.change(await field(), { target: { value: text } })
    chat.press('Enter', await field())
  }
  return Object.assign(chat, { id, ask })
}

test('UI-22 a side question has the messages of the chat as context and does not change them', async () => {
  await using lab = await openChatLab()
  using chat = await beside(lab)
  await within(await panel()).findByText(/The model reads the 2 messages of this chat/)
  expect(document.activeElement).toBe(await field())
  await chat.ask('Why a boat?')
  await within(await panel()).findByText('A reply.')
  expect(within(await panel()).queryByText('Naming the boat')).toBeNull()
  expect((await lab.sessions.messages({ sessionId: chat.id })).items).toHaveLength(2)
  expect((await lab.sessions.list({})).items.map(({ id }) => id)).toEqual([chat.id])
})

test('UI-22 while a reply is written the side says that it waits for its end, and keeps what is written there', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat')
  const speaker = await lab.beginReply(chat, 'Something long', 'On and on')
  chat.press('ctrl+shift+L', document.body)
  await within(await panel()).findByText('A reply is running. You can ask when it has ended.')
  fireEvent.change(await field(), { target: { value: 'Why a boat?' } })
  chat.press('Enter', await field())
  expect((await field()).value).toBe('Why a boat?')
  lab.models.answer('A reply.')
  speaker.finish()
  await within(await panel()).findByText(/^Ask something about this chat/)
  chat.press('Enter', await field())
  await within(await panel()).findByText('A reply.')
})

test('UI-22 UI-23 Esc closes the panel, the focus returns, and what was asked is there when it opens again', async () => {
  await using lab = await openChatLab()
  using chat = await beside(lab)
  await chat.ask('Why a boat?')
  await within(await panel()).findByText('A reply.')
  chat.press('Escape', await field())
  await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Side question' })).toBeNull())
  chat.press('ctrl+shift+L', document.body)
  await within(await panel()).findByText('Why a boat?')
})

test('UI-12 UI-22 the draft of the side is its own, before and after its first question', async () => {
  await using lab = await openChatLab()
  using chat = await beside(lab)
  fireEvent.change(await field(), { target: { value: 'Half a question' } })
  const main = (await screen.findAllByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }))[0]
  expect(main?.value).toBe('')
  chat.press('Escape', await field())
  chat.press('ctrl+shift+L', document.body)
  expect((await field()).value).toBe('Half a question')
})

test('UI-22 what was asked on the side is kept as a branch, with a way to it', async () => {
  await using lab = await openChatLab()
  using chat = await beside(lab)
  await chat.ask('Why a boat?')
  await within(await panel()).findByText('A reply.')
  await chat.click('Keep as a branch')
  await chat.toast('Kept as a branch.')
  await waitFor(async () => expect((await lab.sessions.list({})).items).toHaveLength(2))
  await within(await panel()).findByText('Ask something about this chat without adding to it.')
  await chat.click('Open', -1)
  await waitFor(() => expect(window.location.pathname).not.toBe(`/s/${chat.id}`))
  await chat.reads('Why a boat?')
})

test('UI-22 what was asked on the side is discarded after a question, and then it is gone', async () => {
  await using lab = await openChatLab()
  using chat = await beside(lab)
  await chat.ask('Why a boat?')
  await within(await panel()).findByText('A reply.')
  const { root } = await lab.sessions.history.tree(chat.id)
  const side = root.children[0]?.session.id ?? ''
  await chat.click('Discard')
  await screen.findByText('Discard this side question?')
  await chat.click('Discard', -1)
  await within(await panel()).findByText('Ask something about this chat without adding to it.')
  await expect(lab.sessions.get(side)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  expect(await chat.messages()).toEqual(['Naming the boat', 'A reply.'])
})

test('UI-22 UI-26 a question on the side that is deleted elsewhere leaves an empty panel', async () => {
  await using lab = await openChatLab()
  using chat = await beside(lab)
  await chat.ask('Why a boat?')
  await within(await panel()).findByText('A reply.')
  const { root } = await lab.sessions.history.tree(chat.id)
  await lab.sessions.delete(root.children[0]?.session.id ?? '')
  await within(await panel()).findByText('Ask something about this chat without adding to it.')
})

test('UI-22 a question that finds no connection stays in the field', async () => {
  await using lab = await openChatLab()
  using chat = await beside(lab)
  chat.line.cut()
  await chat.ask('Why a boat?')
  await chat.toast('The server can’t be reached.')
  await waitFor(async () => expect((await field()).value).toBe('Why a boat?'))
})

test('UI-22 a question is asked once, however often Enter is pressed while its branch is made', async () => {
  await using lab = await openChatLab()
  using chat = await beside(lab)
  const answer = chat.line.hold('session.branch')
  await chat.ask('Why a boat?')
  await chat.ask('Why a boat?')
  answer()
  await within(await panel()).findByText('A reply.')
  const { root } = await lab.sessions.history.tree(chat.id)
  expect(root.children).toHaveLength(1)
})

test('UI-22 without a message there is nothing to ask about, which is said', async () => {
  await using lab = await openChatLab()
  using chat = lab.open('/')
  await chat.send('/side')
  await chat.toast('There is no message to branch from yet.')
  expect(screen.queryByRole('complementary', { name: 'Side question' })).toBeNull()
})

test('UI-11 UI-22 a question that the server refuses says why, and is sent again from there', async () => {
  await using lab = await openChatLab()
  using chat = await beside(lab)
  await chat.ask('Why a boat?')
  await within(await panel()).findByText('A reply.')
  chat.line.refuse('session.send', 'INVALID_INPUT', 'This message is too long.')
  await chat.ask('And why not a raft?')
  await within(await panel()).findByText('This message is too long.')
  fireEvent.click(within(await panel()).getByRole('button', { name: 'Send again' }))
  await waitFor(async () => expect(within(await panel()).getAllByText('A reply.')).toHaveLength(2))
  expect(within(await panel()).queryByText('Not sent.')).toBeNull()
})

test('UI-15 UI-22 a question behind a reply on the side waits in sight, and is answered after it', async () => {
  await using lab = await openChatLab()
  using chat = await beside(lab)
  lab.models.answer(null)
  await chat.ask('Why a boat?')
  const speaker = await lab.models.speaker()
  speaker.say('Because')
  await within(await panel()).findByText('Because')
  await chat.ask('Why not a raft?')
  const queue = await within(await panel()).findByRole('region', { name: 'Queued messages' })
  await within(queue).findByText('Why not a raft?')
  lab.models.answer('It leaks.')
  speaker.finish()
  await within(await panel()).findByText('It leaks.')
  expect(within(await panel()).queryByRole('region', { name: 'Queued messages' })).toBeNull()
})

test('UI-15 UI-22 a question that interrupts the reply on the side goes out in its place', async () => {
  await using lab = await openChatLab()
  using chat = await beside(lab)
  lab.models.answer(null)
  await chat.ask('Why a boat?')
  ;(await lab.models.speaker()).say('Because')
  await within(await panel()).findByText('Because')
  lab.models.answer('It leaks.')
  fireEvent.change(await field(), { target: { value: 'Why not a raft?' } })
  chat.press('ctrl+shift+Enter', await field())
  await within(await panel()).findByText('It leaks.')
  await within(await panel()).findByText('Stopped.')
})

test('UI-16 UI-22 what a side question asks is answered in its panel', async () => {
  await using lab = await openChatLab()
  using chat = await beside(lab)
  lab.models.answer(null)
  await chat.ask('Why a boat?')
  ;(await lab.models.speaker()).call('question', {
    questions: [{ question: 'Which boat?', options: [{ label: 'The blue one' }] }],
  })
  fireEvent.click(await within(await panel()).findByRole('radio', { name: 'The blue one' }))
  const submit = await within(await panel()).findByRole('button', { name: 'Answer' })
  await waitFor(() => expect(submit).toHaveProperty('disabled', false))
  fireEvent.click(submit)
  ;(await lab.models.speaker()).finish()
  await within(await panel()).findByText('Answered: The blue one')
})

test('UI-28 UI-34 another reply on the side says how many later messages it hides before it does it', async () => {
  await using lab = await openChatLab()
  using chat = await beside(lab)
  await chat.ask('Why a boat?')
  await within(await panel()).findByText('A reply.')
  await chat.ask('And why a raft?')
  await waitFor(async () => expect(within(await panel()).getAllByText('A reply.')).toHaveLength(2))
  const [again] = within(await panel()).getAllByRole('button', { name: 'Regenerate' })
  fireEvent.click(again ?? document.body)
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Regenerate' }))
  await screen.findByText(/^This hides 2 messages after it\./)
  await chat.click('Get another reply', -1)
  await waitFor(async () => expect(within(await panel()).queryByText('And why a raft?')).toBeNull())
})
