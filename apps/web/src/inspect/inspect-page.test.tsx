// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'
import { historyWords } from '../words/en-history.ts'
import { inspectWords as words } from '../words/en-inspect.ts'

type Lab = Awaited<ReturnType<typeof openChatLab>>

/** A chat whose reply has made one call, shown in its page. */
async function openCalled(lab: Lab) {
  const chat = await lab.openTalk('Begin')
  const speaker = await lab.beginReply(chat, 'Go', 'Working.')
  speaker.call('todo', { todos: [] })
  const next = await lab.models.speaker()
  next.say('All done.')
  next.finish()
  await chat.reads('All done.')
  return chat
}

/** The same, once its page is closed. */
async function tellCalled(lab: Lab): Promise<string> {
  using chat = await openCalled(lab)
  return chat.id
}

const show = (view: keyof typeof words.views) =>
  fireEvent.click(screen.getByRole('button', { name: words.views[view] }))

test('UI-27 the menu of a chat leads to its steps, and back', async () => {
  await using lab = await openChatLab()
  using chat = await openCalled(lab)
  fireEvent.click(await screen.findByRole('button', { name: 'Chat actions' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: historyWords.ways.inspect }))
  const table = await screen.findAllByRole('table')
  expect(window.location.pathname).toBe(`/s/${chat.id}/inspect`)
  const rows = within(table.at(-1) ?? document.body).getAllByRole('row')
  expect(rows).toHaveLength(3)
  expect(rows[1]?.textContent).toMatch(/^1tool-calls/)
  expect(rows[1]?.textContent).toContain('todo')
  expect(rows[2]?.textContent).toMatch(/^2stop/)
  fireEvent.click(screen.getByRole('button', { name: words.back }))
  await chat.reads('All done.')
})

test('UI-27 SY-2 a reply shows its exact prompt with the digest, and the tools in it', async () => {
  await using lab = await openChatLab()
  const id = await tellCalled(lab)
  const { items } = await lab.sessions.messages({ sessionId: id })
  const { digest, body } = await lab.sessions.systemPrompt(id, items.at(-1)?.id ?? '')
  using _page = lab.open(`/s/${id}/inspect`)
  const prompts = await screen.findAllByText(words.prompt, { selector: 'summary' })
  fireEvent.click(prompts.at(-1) ?? document.body)
  await screen.findAllByText(words.digest(digest))
  const region = await screen.findByRole('region', { name: words.prompt })
  expect(region.textContent).toBe(body)
  expect(screen.getAllByText('todo', { selector: 'dt' })).not.toHaveLength(0)
})

test('UI-27 PE-5 each call is listed with what decided about it', async () => {
  await using lab = await openChatLab()
  const id = await tellCalled(lab)
  using _page = lab.open(`/s/${id}/inspect`)
  await screen.findAllByRole('table')
  show('decisions')
  const list = within(await screen.findByRole('list', { name: words.views.decisions }))
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    `todo${words.decisions.none}Step 1 · output-available`,
  ])
})

test('UI-27 tokens are listed by reply, with those of the whole chat', async () => {
  await using lab = await openChatLab()
  const id = await tellCalled(lab)
  const { usage } = await lab.sessions.get(id)
  using _page = lab.open(`/s/${id}/inspect`)
  await screen.findAllByRole('table')
  show('tokens')
  const table = within(await screen.findByRole('table'))
  const total = await table.findByRole('row', { name: new RegExp(`^${words.total}`) })
  expect(total.textContent).toContain(usage.totalTokens.toLocaleString('en'))
  expect(table.getAllByRole('row')).toHaveLength(4)
})

test('UI-27 rows show the stored JSON and hidden messages, and how all tables are opened', async () => {
  await using lab = await openChatLab()
  const id = await tellCalled(lab)
  const { items } = await lab.sessions.messages({ sessionId: id })
  const [, , question] = items
  await lab.sessions.history.rewind({ sessionId: id, messageId: question?.id ?? '' })
  using _page = lab.open(`/s/${id}/inspect`)
  await screen.findAllByRole('table')
  show('rows')
  const list = within(await screen.findByRole('list', { name: words.views.rows }))
  expect(list.getAllByRole('listitem')).toHaveLength(4)
  expect(list.getAllByText(new RegExp(words.hidden))).toHaveLength(1)
  expect(list.getAllByText(/"text": ?"All done\."/)).toHaveLength(1)
  screen.getByText('npx pnpm@12 studio')
})

test('UI-27 earlier pages are read on request, and all again after a change', async () => {
  await using lab = await openChatLab()
  const texts = Array.from({ length: 11 }, (_, index) => `Message ${index}`)
  const id = await lab.talk(texts)
  using _page = lab.open(`/s/${id}/inspect`)
  const steps = () => within(screen.getByRole('list', { name: words.views.steps }))
  await screen.findByRole('list', { name: words.views.steps })
  expect([steps().queryByText('Message 10'), steps().queryByText('Message 0')]).toEqual([
    expect.anything(),
    null,
  ])
  fireEvent.click(screen.getByRole('button', { name: words.earlier }))
  await waitFor(() => steps().getByText('Message 0'))
  expect(screen.queryByRole('button', { name: words.earlier })).toBeNull()
  await lab.talk(['One more'], id)
  fireEvent.click(screen.getByRole('button', { name: words.refresh }))
  await waitFor(() => steps().getByText('One more'))
})

test('UI-27 UI-4 a chat that is not there is none, and what cannot be read is asked for again', async () => {
  await using lab = await openChatLab()
  {
    using _page = lab.open('/s/ses_none/inspect')
    await screen.findByText('There is nothing on this page')
  }
  const id = await lab.talk(['Begin'])
  const line = lab.connect()
  line.refuse('inspect.messages', 'INTERNAL', 'Not now.')
  using _page = lab.open(`/s/${id}/inspect`, line)
  await screen.findByText('Not now.')
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('list', { name: words.views.steps })
})
