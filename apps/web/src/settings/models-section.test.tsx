// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'
import { modelInfo } from '../testing/model-info.ts'
import { settingsWords } from '../words/en-settings.ts'
import { KNOWN_PROVIDERS } from './known-providers.ts'

const { models: words } = settingsWords
const ADDRESS = 'http://127.0.0.1:9/v1'
const UNREACHABLE = 'There is no network here.'

/** The form of a server of another kind, which is opened where it is not open. */
async function form(): Promise<HTMLElement> {
  const other = await waitFor(
    () => screen.queryByRole('form') ?? screen.getByRole('button', { name: words.otherServer }),
  )
  if (other instanceof HTMLButtonElement) fireEvent.click(other)
  return await screen.findByRole('form')
}
const card = (name: string) => screen.findByRole('article', { name })
const cards = () => screen.queryAllByRole('article').map((one) => one.getAttribute('aria-label'))

async function enter(fields: Record<string, string>): Promise<void> {
  const open = await form()
  for (const [label, value] of Object.entries(fields))
    fireEvent.change(within(open).getByLabelText(label), { target: { value } })
}

async function save(): Promise<void> {
  fireEvent.click(within(await form()).getByRole('button', { name: words.save }))
}

/** Saves what is entered although its server does not answer. */
async function saveAnyhow(): Promise<void> {
  await save()
  await within(await form()).findByText(UNREACHABLE)
  fireEvent.click(within(await form()).getByRole('button', { name: words.saveAnyhow }))
  await waitFor(() => expect(screen.queryByRole('form')).toBeNull())
}

/** Enters a provider whose server does not answer. */
async function add(fields: Record<string, string>): Promise<void> {
  const choice = () =>
    screen.queryByRole('region', { name: words.add }) ?? screen.getByRole('button', { name: words.add })
  const found = await waitFor(choice)
  if (found instanceof HTMLButtonElement) fireEvent.click(found)
  await enter({ Address: ADDRESS, ...fields })
  await saveAnyhow()
}

async function edit(name: string): Promise<void> {
  fireEvent.click(within(await card(name)).getByRole('button', { name: words.edit }))
  await screen.findByRole('form', { name: `Edit ${name}` })
}

test('UI-31 while the providers are read the page says so, and offers no form yet', async () => {
  await using lab = await openChatLab()
  const line = lab.connect()
  const release = line.hold('provider.list')
  using _page = lab.open('/settings/models', line)
  await screen.findByText(words.loading)
  expect(screen.queryByRole('region', { name: words.add })).toBeNull()
  expect(screen.queryByRole('button', { name: words.add })).toBeNull()
  release()
  await form()
  expect(screen.queryByText(words.loading)).toBeNull()
})

test('UI-31 without a provider the names to choose from are open from the start; with one they open when asked for', async () => {
  await using lab = await openChatLab()
  const page = lab.open('/settings/models')
  const choice = () => screen.queryByRole('region', { name: words.add })
  await waitFor(() => expect(choice()).not.toBeNull())
  expect(screen.queryByRole('button', { name: words.cancel })).toBeNull()
  const names = within(choice() ?? document.body).getAllByRole('button')
  expect(names.map(({ textContent }) => textContent)).toEqual([
    ...KNOWN_PROVIDERS.map(({ label }) => label),
    words.otherServer,
  ])
  await add({ Name: 'Lab' })
  page.leave()
  using again = lab.open('/settings/models')
  await card('Lab')
  expect(choice()).toBeNull()
  await again.click(words.add)
  await again.click('Groq')
  await screen.findByRole('form', { name: 'Add Groq' })
  await again.click(words.cancel)
  await waitFor(() => expect(screen.queryByRole('form')).toBeNull())
  expect(again.line.calls).not.toContain('provider.put')
})

test('UI-31 a test that fails leaves no provider in the list, and its words in the form', async () => {
  await using lab = await openChatLab()
  using page = lab.open('/settings/models')
  await page.click('Mistral')
  await enter({ [words.key]: 'wrong' })
  await save()
  await within(await form()).findByText(UNREACHABLE)
  expect(page.line.calls).not.toContain('provider.put')
  fireEvent.click(within(await form()).getByRole('button', { name: words.cancel }))
  await waitFor(() => expect(screen.queryByRole('form')).toBeNull())
  expect(cards()).toEqual([])
})

test('UI-31 a program that runs on this machine is offered by its name, and one press begins a chat with it', async () => {
  const ollama = { ...modelInfo('llama'), providerId: 'ollama', providerLabel: 'Ollama' }
  await using lab = await openChatLab({ models: [ollama] })
  using page = lab.open('/settings/models')
  await screen.findByText(words.runs('Ollama'))
  await page.click(words.chatWith('Ollama'))
  await waitFor(() => expect(window.location.pathname).toBe('/'))
  expect((await lab.sessions.settings.get()).defaultModel).toEqual({ providerId: 'ollama', modelId: 'llama' })
})

test('UI-31 providers with one name are two providers', async () => {
  await using lab = await openChatLab()
  using _page = lab.open('/settings/models')
  await add({ Name: 'Lab' })
  await add({ Name: 'Lab', [words.ids]: 'one\ntwo' })
  expect(cards()).toEqual(['Lab', 'Lab'])
  const counts = screen.getAllByRole('article').map(({ textContent }) => textContent.includes('2 models'))
  expect(counts.toSorted()).toEqual([false, true])
})

test.for(['Ollama', 'Demo'])('UI-31 a provider can be called %s, as one that is built in', async (name) => {
  await using lab = await openChatLab()
  using _page = lab.open('/settings/models')
  await add({ Name: name })
  expect(cards()).toEqual([name])
})

test('UI-31 an address that is missing is asked for at its field, and nothing is entered', async () => {
  await using lab = await openChatLab()
  using _page = lab.open('/settings/models')
  await enter({ Name: 'Lab' })
  await save()
  const address = within(await form()).getByLabelText('Address')
  await waitFor(() => expect(address.getAttribute('aria-invalid')).toBe('true'))
  expect(screen.getByRole('alert').textContent).toContain('needs an address')
  expect(cards()).toEqual([])
})

test('UI-31 a key that is missing is asked for at its field', async () => {
  await using lab = await openChatLab()
  using _page = lab.open('/settings/models')
  await enter({ Provider: 'anthropic' })
  await save()
  const key = within(await form()).getByLabelText(words.key)
  await waitFor(() => expect(key.getAttribute('aria-invalid')).toBe('true'))
  expect(cards()).toEqual([])
})

test('UI-31 a provider is changed in its place, with what is stored of it but its key', async () => {
  await using lab = await openChatLab()
  using _page = lab.open('/settings/models')
  await add({ Name: 'Lab', [words.optionalKey]: 'sk-secret', [words.ids]: 'one, two' })
  await edit('Lab')
  expect(cards()).toEqual([])
  const open = await form()
  const values = ['Provider', 'Name', 'Address', words.optionalKey, words.ids].map(
    (label) => within(open).getByLabelText<HTMLInputElement>(label).value,
  )
  expect(values).toEqual(['openai-compatible', 'Lab', ADDRESS, '', 'one\ntwo'])
  expect(document.body.innerHTML).not.toContain('sk-secret')
  fireEvent.click(within(open).getByRole('button', { name: words.cancel }))
  await card('Lab')
})

test('UI-31 a stored key goes to no other address: it is asked for again', async () => {
  await using lab = await openChatLab()
  using _page = lab.open('/settings/models')
  await add({ Name: 'Lab', [words.optionalKey]: 'sk-secret' })
  await edit('Lab')
  await enter({ Address: 'http://models.example/v1' })
  await save()
  const key = within(await form()).getByLabelText(words.optionalKey)
  await waitFor(() => expect(key.getAttribute('aria-invalid')).toBe('true'))
  expect(screen.getByRole('alert').textContent).toContain('Enter the key again')
})

test('UI-31 a key that is removed is gone, and the provider stays', async () => {
  await using lab = await openChatLab()
  using _page = lab.open('/settings/models')
  await add({ Name: 'Lab', [words.optionalKey]: 'sk-secret' })
  expect((await card('Lab')).textContent).toContain(words.hasKey)
  await edit('Lab')
  fireEvent.click(screen.getByRole('checkbox', { name: words.removeKey }))
  await saveAnyhow()
  expect((await card('Lab')).textContent).toContain(words.noKey)
})

test('UI-31 a provider that is removed leaves the names to choose from open when it was the only one', async () => {
  await using lab = await openChatLab()
  using page = lab.open('/settings/models')
  await add({ Name: 'Lab' })
  fireEvent.click(within(await card('Lab')).getByRole('button', { name: words.remove }))
  const dialog = await screen.findByRole('dialog', { name: 'Remove Lab?' })
  fireEvent.click(within(dialog).getByRole('button', { name: words.remove }))
  await page.toast('Lab was removed.')
  await screen.findByRole('region', { name: words.add })
  expect(cards()).toEqual([])
})

test('UI-31 the list of models is read again after each change of a provider', async () => {
  await using lab = await openChatLab()
  using page = lab.open('/settings/general')
  await screen.findByLabelText(settingsWords.general.defaultModel)
  const readings = () => page.line.calls.filter((path) => path === 'model.list').length
  await waitFor(() => expect(readings()).toBe(1))
  page.app.router.push({ sessionId: null, anchor: null, settings: 'models' })
  await add({ Name: 'Lab' })
  page.app.router.push({ sessionId: null, anchor: null, settings: 'general' })
  await waitFor(() => expect(readings()).toBeGreaterThan(1))
})
