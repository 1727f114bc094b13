// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

type Lab = Awaited<ReturnType<typeof openChatLab>>

async function forked(lab: Lab) {
  const left = await lab.talk(['Naming the boat', 'And its oars?'])
  const { items } = await lab.sessions.messages({ sessionId: left })
  const branch = await lab.sessions.history.branch({ sessionId: left, fromMessageId: items[1]?.id ?? '' })
  await lab.talk(['And its sails?'], branch.id)
  await lab.sessions.rename(branch.id, 'Sails')
  return { left, right: branch.id }
}

async function compared(lab: Lab) {
  const ids = await forked(lab)
  const chat = lab.open(`/compare?a=${ids.left}&b=${ids.right}`)
  await screen.findByText('And its oars?')
  await screen.findByText('And its sails?')
  return Object.assign(chat, ids)
}

const promptsOf = async (lab: Lab, sessionId: string) =>
  (await lab.sessions.messages({ sessionId })).items
    .filter(({ role }) => role === 'user')
    .map(({ parts }) => (parts[0]?.type === 'text' ? parts[0].text : ''))

const sendTo = async (name: string) => fireEvent.click(await screen.findByRole('radio', { name }))

test('UI-20 two branches are shown side by side from their fork, and their common messages are folded', async () => {
  await using lab = await openChatLab()
  using chat = await compared(lab)
  await screen.findByText('2 messages in common')
  const log = await screen.findByRole('log', { name: 'Compare' })
  expect(within(log).queryByText('Naming the boat')).toBeNull()
  await chat.click(/Show them/)
  await within(log).findByText('Naming the boat')
  expect(document.title).toBe('Compare · Palimpsest')
})

test('UI-20 one composer writes to both, and both answer', async () => {
  await using lab = await openChatLab()
  using chat = await compared(lab)
  await chat.send('And its flag?')
  await waitFor(() => expect(screen.getAllByText('And its flag?')).toHaveLength(2))
  await waitFor(async () => {
    expect(await promptsOf(lab, chat.left)).toEqual(['Naming the boat', 'And its oars?', 'And its flag?'])
    expect(await promptsOf(lab, chat.right)).toEqual(['Naming the boat', 'And its sails?', 'And its flag?'])
  })
  await waitFor(() => expect(screen.getAllByText('A reply.')).toHaveLength(4))
})

test('UI-20 what is written to one side leaves the other alone', async () => {
  await using lab = await openChatLab()
  using chat = await compared(lab)
  await sendTo('Sails')
  expect((await chat.field()).placeholder).toBe('Write to Sails')
  await chat.send('Only here')
  await screen.findByText('Only here')
  await waitFor(async () => expect(await promptsOf(lab, chat.right)).toContain('Only here'))
  await sendTo('Naming the boat')
  await chat.send('Only there')
  await waitFor(async () => expect(await promptsOf(lab, chat.left)).toContain('Only there'))
  expect(await promptsOf(lab, chat.left)).not.toContain('Only here')
  expect(await promptsOf(lab, chat.right)).not.toContain('Only there')
})

test('UI-12 UI-20 the draft of a comparison is its own, and outlives a reload', async () => {
  await using lab = await openChatLab()
  const first = await compared(lab)
  await first.write('To both of you')
  const { left, right } = first
  first.leave()
  const again = lab.open(`/compare?a=${left}&b=${right}`)
  expect((await again.field()).value).toBe('To both of you')
  again.leave()
  using alone = lab.open(`/s/${left}`)
  await alone.reads('And its oars?')
  expect((await alone.field()).value).toBe('')
})

test('UI-20 Esc stops what runs on either side', async () => {
  await using lab = await openChatLab()
  using chat = await compared(lab)
  lab.models.answer(null)
  await chat.send('Go on')
  for (const words of ['One goes on', 'Two goes on']) {
    ;(await lab.models.speaker()).say(words)
    await screen.findByText(words)
  }
  chat.press('Escape', document.body)
  await waitFor(async () => {
    for (const id of [chat.left, chat.right]) expect((await lab.sessions.status(id)).state).toBe('idle')
  })
  await waitFor(() => expect(screen.getAllByText('Stopped.')).toHaveLength(2))
})

test('UI-11 UI-20 UI-23 a side thinks from the moment of sending, and its reply is said to begin and to end', async () => {
  await using lab = await openChatLab()
  using chat = await compared(lab)
  const send = chat.line.hold('session.send')
  lab.models.answer(null)
  await sendTo('Sails')
  await chat.send('Go on')
  await screen.findByText('Thinking')
  expect(screen.queryByText('No reply yet.')).toBeNull()
  send()
  const speaker = await lab.models.speaker()
  speaker.say('Going on')
  await screen.findByText('Sails: the reply has begun.')
  expect(screen.queryByText('Thinking')).toBeNull()
  speaker.finish()
  await screen.findByText('Sails: the reply has ended.')
  expect(screen.queryByText(/^Naming the boat: the reply/)).toBeNull()
})

test('UI-15 UI-20 what is sent to a side on which a reply is written waits there and not in the thread', async () => {
  await using lab = await openChatLab()
  using chat = await compared(lab)
  lab.models.answer(null)
  await sendTo('Sails')
  await chat.send('Go on')
  const speaker = await lab.models.speaker()
  speaker.say('Going on')
  await screen.findByText('Going on')
  await chat.send('And then')
  const queue = await screen.findByRole('region', { name: 'Queued messages: Sails' })
  await within(queue).findByText('And then')
  expect(screen.getAllByText('And then')).toHaveLength(1)
  await waitFor(async () => expect(await lab.sessions.queue.list(chat.right)).toHaveLength(1))
  lab.models.answer('Then this.')
  speaker.finish()
  await screen.findByText('And then')
  await screen.findByText('Then this.')
})

test('UI-4 UI-20 a message that one side refuses is reported and kept, and the other side gets it', async () => {
  await using lab = await openChatLab()
  using chat = await compared(lab)
  chat.line.refuse('session.send', 'RATE_LIMITED', 'Too many at once.')
  await chat.send('Half of it')
  await screen.findByText('Too many at once.')
  await waitFor(async () => expect(await promptsOf(lab, chat.right)).toContain('Half of it'))
  expect(await promptsOf(lab, chat.left)).not.toContain('Half of it')
  await chat.click('Send again')
  await waitFor(async () => expect(await promptsOf(lab, chat.left)).toContain('Half of it'))
  expect((await promptsOf(lab, chat.right)).filter((text) => text === 'Half of it')).toHaveLength(1)
})

test('UI-20 the sides are swapped, and the address with them', async () => {
  await using lab = await openChatLab()
  using chat = await compared(lab)
  await chat.click('Swap sides')
  await waitFor(() => expect(window.location.search).toBe(`?a=${chat.right}&b=${chat.left}`))
  await screen.findByText('And its oars?')
  await chat.click('Back to the chat')
  await chat.reads('And its oars?')
  expect(window.location.pathname).toBe(`/s/${chat.left}`)
})

test('UI-20 UI-26 what is said elsewhere on either side shows in the comparison', async () => {
  await using lab = await openChatLab()
  using chat = await compared(lab)
  await lab.talk(['From elsewhere'], chat.left)
  await screen.findByText('From elsewhere')
})

test('UI-20 two chats with no messages in common say so', async () => {
  await using lab = await openChatLab()
  const [left, right] = [await lab.talk(['One thing']), await lab.talk(['Another thing'])]
  using chat = lab.open(`/compare?a=${left}&b=${right}`)
  await screen.findByText('These two chats have no messages in common.')
  expect(chat.app.router.get().compare).toEqual({ left, right })
})

test.each([
  ['a chat that is gone', (id: string) => `/compare?a=${id}&b=ses_gone`],
  ['a chat with itself', (id: string) => `/compare?a=${id}&b=${id}`],
  ['a chat with nothing', (id: string) => `/compare?a=${id}`],
])('UI-4 UI-20 the comparison of %s is a page that is not there', async (_, address) => {
  await using lab = await openChatLab()
  const id = await lab.talk(['One thing'])
  using _chat = lab.open(address(id))
  await screen.findByText('There is nothing on this page')
})

test('UI-20 a reply that failed on one side is asked for again there', async () => {
  await using lab = await openChatLab()
  using chat = await compared(lab)
  lab.models.answer(null)
  await sendTo('Sails')
  await chat.send('Try')
  ;(await lab.models.speaker()).fail('The ink ran dry.')
  await screen.findByText('The reply failed.')
  lab.models.answer('Now it works.')
  await chat.click('Try again')
  await screen.findByText('Now it works.')
  expect(await promptsOf(lab, chat.left)).not.toContain('Try')
})

test('UI-15 UI-20 what interrupts a side is answered at once, and the other side is left alone', async () => {
  await using lab = await openChatLab()
  using chat = await compared(lab)
  lab.models.answer(null)
  await sendTo('Sails')
  await chat.send('Go on')
  ;(await lab.models.speaker()).say('Going on')
  await screen.findByText('Going on')
  lab.models.answer('At once.')
  await chat.send('No, this', 'ctrl+shift+Enter')
  await screen.findByText('At once.')
  await screen.findByText('Stopped.')
  expect(await promptsOf(lab, chat.left)).toEqual(['Naming the boat', 'And its oars?'])
})

test('UI-16 UI-20 what a side asks says which side it is, and is answered there', async () => {
  await using lab = await openChatLab()
  using chat = await compared(lab)
  lab.models.answer(null)
  await sendTo('Sails')
  await chat.send('Only here')
  ;(await lab.models.speaker()).call('question', { questions: [{ question: 'Which way?', options: [] }] })
  await screen.findByRole('region', { name: '1 question for you · Sails' })
  fireEvent.click(await screen.findByRole('radio', { name: 'Something else…' }))
  const own = await screen.findByRole('textbox', { name: 'Your own answer: Which way?' })
  fireEvent.change(own, { target: { value: 'With the wind' } })
  const submit = await screen.findByRole('button', { name: 'Answer' })
  await waitFor(() => expect(submit).toHaveProperty('disabled', false))
  fireEvent.click(submit)
  ;(await lab.models.speaker()).finish()
  await screen.findByText('Answered: With the wind')
})

test('UI-34 what was sent to both is in one row, also on branches of different length', async () => {
  await using lab = await openChatLab()
  const { left, right } = await forked(lab)
  await lab.talk(['And its keel?', 'And its hull?'], left)
  using chat = lab.open(`/compare?a=${left}&b=${right}`)
  await screen.findByText('And its hull?')
  await chat.send('And its flag?')
  await waitFor(() => expect(screen.getAllByText('And its flag?')).toHaveLength(2))
  await waitFor(() => {
    const last = screen.getAllByRole('region', { name: /^Turn \d/ }).at(-1)
    const cells = [...(last?.children ?? [])].map(({ textContent }) => textContent)
    expect(cells).toEqual([
      expect.stringMatching(/And its flag\?.*A reply\./),
      expect.stringMatching(/And its flag\?.*A reply\./),
    ])
  })
})

test('UI-34 the words that differ between two answers are marked when it is asked for', async () => {
  await using lab = await openChatLab()
  const { left, right } = await forked(lab)
  lab.models.answer('Black iron ink.')
  await lab.talk(['And its flag?'], left)
  lab.models.answer('Black gall ink, dried.')
  await lab.talk(['And its flag?'], right)
  using chat = lab.open(`/compare?a=${left}&b=${right}`)
  await screen.findByText('Black iron ink.')
  await chat.click('Show differences', -1)
  await screen.findByText('1 word is only here.')
  await screen.findByText('2 words are only here.')
  const marks = document.querySelectorAll('mark')
  expect([...marks].map(({ textContent }) => textContent)).toEqual(['iron', 'gall', ', dried'])
  await chat.click('Hide differences', -1)
  await waitFor(() => expect(document.querySelector('mark')).toBeNull())
})

test('UI-34 each side shows its model, its tokens and its meter', async () => {
  await using lab = await openChatLab()
  using _chat = await compared(lab)
  // Beside each other, and that of the shown side on narrow screens.
  await waitFor(() => expect(screen.getAllByRole('meter')).toHaveLength(3))
  expect(screen.getAllByText(/^· [\d,]+ tokens$/).length).toBeGreaterThan(1)
})

test('UI-28 UI-34 another reply to an earlier question says how many messages it hides, on its side only', async () => {
  await using lab = await openChatLab()
  const { left, right } = await forked(lab)
  await lab.talk(['And its keel?'], left)
  using chat = lab.open(`/compare?a=${left}&b=${right}`)
  await screen.findByText('And its keel?')
  await chat.click('Regenerate', 0)
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Regenerate' }))
  await screen.findByText(/^This hides 2 messages after it\./)
  await chat.click('Cancel', -1)
  expect(await promptsOf(lab, left)).toContain('And its keel?')
  await chat.click('Regenerate', 0)
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Regenerate' }))
  await chat.click('Get another reply', -1)
  await waitFor(async () => expect(await promptsOf(lab, left)).toEqual(['Naming the boat', 'And its oars?']))
  expect(await promptsOf(lab, right)).toEqual(['Naming the boat', 'And its sails?'])
})

test('UI-34 a message that could not be sent names its side', async () => {
  await using lab = await openChatLab()
  using chat = await compared(lab)
  chat.line.refuse('session.send', 'RATE_LIMITED', 'Too many at once.')
  await sendTo('Sails')
  await chat.send('Only there')
  await screen.findByText('Not sent to “Sails”.')
})
