// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'
import { modelInfo } from '../testing/model-info.ts'

const roomy = {
  ...modelInfo('roomy'),
  contextLimit: 200_000,
  maxOutput: 4_000,
  variants: [{ id: 'high', label: 'High' }],
}
const tiny = { ...modelInfo('tiny'), contextLimit: 110, maxOutput: 10 }

const chosen = () => screen.findByRole('button', { name: /^Model: / }).then(({ textContent }) => textContent)
const meter = () => screen.findByRole('meter', { name: 'Context window' })

/** Picks a model out of the list by the keyboard. */
async function pick(name: string): Promise<void> {
  fireEvent.click(await screen.findByRole('button', { name: /^Model: / }))
  const search = await screen.findByRole('combobox', { name: 'Search models' })
  fireEvent.change(search, { target: { value: name } })
  fireEvent.keyDown(search, { key: 'Enter' })
}

test('UI-13 a model that is picked takes the next message, and from then on is the session’s', async () => {
  await using lab = await openChatLab({ models: [roomy] })
  using chat = await lab.openTalk('Naming the boat')
  await pick('roomy')
  await waitFor(async () => expect(await chosen()).toBe('Model: roomy'))
  expect((await lab.sessions.get(chat.id)).model.modelId).toBe('m1')
  lab.models.answer(null)
  await chat.send('And its oars?')
  const speaker = await lab.models.speaker()
  expect(speaker.modelId).toBe('roomy')
  speaker.say('Of ash.')
  speaker.finish()
  await chat.reads('Of ash.')
  await waitFor(async () => expect((await lab.sessions.get(chat.id)).model.modelId).toBe('roomy'))
})

test('UI-13 a message that is sent while its chat still loads goes to the chat’s own model', async () => {
  await using lab = await openChatLab({ models: [roomy] })
  const model = { providerId: 'lab', modelId: 'roomy' }
  const { id } = await lab.sessions.create({ title: 'Naming the boat', model })
  const line = lab.connect()
  const get = line.hold('session.get')
  using chat = lab.open(`/s/${id}`, line)
  lab.models.answer(null)
  await waitFor(() => expect(line.calls).toContain('model.list'))
  await chat.send('And its oars?')
  expect(screen.queryByRole('button', { name: /^Model: / })).toBeNull()
  const speaker = await lab.models.speaker()
  expect(speaker.modelId).toBe('roomy')
  speaker.finish()
  get()
  await waitFor(async () => expect(await chosen()).toBe('Model: roomy'))
})

test('UI-13 a pick belongs to its session and outlives a reload; a new chat begins with the last one', async () => {
  await using lab = await openChatLab({ models: [roomy] })
  const [one, two] = [await lab.talk(['One']), await lab.talk(['Two'])]
  const first = lab.open(`/s/${one}`)
  await first.reads('One')
  await pick('m2')
  await waitFor(async () => expect(await chosen()).toBe('Model: m2'))
  first.leave()
  using again = lab.open(`/s/${one}`)
  await again.reads('One')
  await waitFor(async () => expect(await chosen()).toBe('Model: m2'))
  again.app.router.push({ sessionId: two, anchor: null })
  await again.reads('Two')
  await waitFor(async () => expect(await chosen()).toBe('Model: m1'))
  again.app.router.push({ sessionId: null, anchor: null })
  await screen.findByText('What shall we write?')
  await waitFor(async () => expect(await chosen()).toBe('Model: m2'))
})

test('UI-13 UI-23 /model opens the list with the focus in its search, and Esc returns it to the field', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('One')
  await chat.send('/model')
  const search = await screen.findByRole('combobox', { name: 'Search models' })
  await waitFor(() => expect(document.activeElement).toBe(search))
  chat.press('Escape', search)
  await waitFor(() => expect(screen.queryByRole('combobox', { name: 'Search models' })).toBeNull())
  expect(chat.line.calls).not.toContain('session.send')
})

test('UI-13 the effort of a model is chosen beside it and sent along', async () => {
  await using lab = await openChatLab({ models: [roomy] })
  using chat = await lab.openTalk('One')
  await pick('roomy')
  await waitFor(async () => expect(await chosen()).toBe('Model: roomy'))
  fireEvent.click(await screen.findByRole('button', { name: /^Model: / }))
  fireEvent.click(await screen.findByRole('radio', { name: 'High' }))
  await waitFor(async () => expect(await chosen()).toBe('Model: roomyHigh'))
  await chat.send('Two')
  await chat.reads('Two')
  await waitFor(async () =>
    expect((await lab.sessions.get(chat.id)).model).toEqual({
      providerId: 'lab',
      modelId: 'roomy',
      variant: 'high',
    }),
  )
})

test('UI-13 a model that can’t hold the chat says so before it is chosen, and nothing is switched unasked', async () => {
  await using lab = await openChatLab({ models: [tiny] })
  using _chat = await lab.openTalk('One', 'Two')
  fireEvent.click(await screen.findByRole('button', { name: /^Model: / }))
  await screen.findByText('Does not fit, even summarised')
  fireEvent.click(await screen.findByRole('option', { name: /^tiny/ }))
  const dialog = await screen.findByRole('dialog', { name: 'This chat does not fit tiny' })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: /does not fit/ })).toBeNull())
  expect(await chosen()).toBe('Model: m1')
})

test('UI-13 a new chat with a model that holds nothing of this one is one click away', async () => {
  await using lab = await openChatLab({ models: [tiny] })
  using _chat = await lab.openTalk('One', 'Two')
  fireEvent.click(await screen.findByRole('button', { name: /^Model: / }))
  await screen.findByText('Does not fit, even summarised')
  fireEvent.click(await screen.findByRole('option', { name: /^tiny/ }))
  const dialog = await screen.findByRole('dialog', { name: 'This chat does not fit tiny' })
  within(dialog).getByText('No earlier point of it fits either. You can use that model in a new chat.')
  fireEvent.click(within(dialog).getByRole('button', { name: 'New chat' }))
  await screen.findByText('What shall we write?')
  expect(window.location.pathname).toBe('/')
})

test('UI-14 the meter has the limits of the model that is picked at once, and grows while a reply streams', async () => {
  await using lab = await openChatLab({ models: [roomy] })
  using chat = await lab.openTalk('One')
  const limit = async () => Number((await meter()).getAttribute('aria-valuemax'))
  const used = async () => Number((await meter()).getAttribute('aria-valuenow'))
  const before = [await used(), await limit()]
  await pick('roomy')
  await waitFor(async () => expect(await limit()).toBeGreaterThan(before[1] ?? 0))
  expect(await used()).toBe(before[0])
  lab.models.answer(null)
  await chat.send('Go on')
  const speaker = await lab.models.speaker()
  speaker.say('word '.repeat(400))
  await waitFor(async () => expect(await used()).toBeGreaterThanOrEqual((before[0] ?? 0) + 400))
  await chat.click(/^Context window/)
  const table = await screen.findByRole('table', { name: 'Tokens by kind of content' })
  speaker.say('word '.repeat(400))
  await within(table).findByText('Running reply')
  const counts = within(table)
    .getAllByRole('cell')
    .map(({ textContent }) => Number(textContent.replace(/\D/g, '')))
  expect(counts.reduce((sum, count) => sum + count)).toBe(await used())
})

test('UI-14 the meter falls with a rewind and rises with its undoing', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('One', 'Two', 'Three')
  const used = async () => Number((await meter()).getAttribute('aria-valuenow'))
  const before = await used()
  expect(before).toBeGreaterThan(0)
  await chat.rewind(0)
  await waitFor(async () => expect(await used()).toBeLessThan(before))
  await chat.click('Restore')
  await waitFor(async () => expect(await used()).toBe(before))
})

test('UI-14 UI-21 the commands summarise and free space, and say when there is nothing to free', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('One')
  await chat.send('/prune')
  await chat.toast('There are no large old tool results to drop.')
  await chat.send('/compact')
  await waitFor(() => expect(chat.line.calls).toContain('session.compact'))
  await waitFor(async () => expect((await lab.sessions.status(chat.id)).state).toBe('idle'))
  expect(await chat.messages()).toEqual(['One', 'A reply.'])
})

test('UI-14 the meter opens to the breakdown of the window, and frees space from there', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('One', 'Two')
  await chat.click(/^Context window/)
  await screen.findByText('Tokens by kind of content')
  await screen.findByText('Instructions and tools')
  expect(chat.line.calls).toContain('session.content')
  fireEvent.click(await screen.findByRole('button', { name: /^Drop old tool results/ }))
  await chat.toast('There are no large old tool results to drop.')
  await waitFor(() => expect(screen.queryByText('Tokens by kind of content')).toBeNull())
})

test('UI-14 what the window is made of is left out where the server does not say, and the rest is shown', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('One')
  chat.line.refuse('session.content', 'INTERNAL', 'Not now.')
  await chat.click(/^Context window/)
  await screen.findByText('This chat so far')
  expect(screen.queryByText('Instructions and tools')).toBeNull()
  expect(screen.queryByText('Not now.')).toBeNull()
})
