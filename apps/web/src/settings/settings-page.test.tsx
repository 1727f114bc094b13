// @vitest-environment happy-dom
import { LIMITS } from '@palimpsest/core/domain'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { SETTINGS_SECTIONS } from '../stores/route.ts'
import { openChatLab } from '../testing/chat-lab.tsx'
import { modelInfo } from '../testing/model-info.ts'
import { settingsWords } from '../words/en-settings.ts'

const { general } = settingsWords

const heading = (level: number, name: string) => screen.findByRole('heading', { level, name })
/** The field, once what is stored is read. */
async function instructions() {
  await waitFor(() => {
    expect(screen.getByLabelText<HTMLTextAreaElement>(general.instructions).disabled).toBe(false)
  })
  return screen.getByLabelText<HTMLTextAreaElement>(general.instructions)
}
const defaultModel = () => screen.findByLabelText<HTMLSelectElement>(general.defaultModel)
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: general.save })
const factsOf = () =>
  [...document.querySelectorAll('dl > div')].map((fact) => [...fact.children].map((part) => part.textContent))

test('UI-31 each section is at its address, is marked as the current one, and names the tab', async () => {
  await using lab = await openChatLab()
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('')))
  for (const section of SETTINGS_SECTIONS) {
    using _page = lab.open(`/settings/${section}`)
    const name = settingsWords.sections[section]
    await heading(2, name)
    const current = [...document.querySelectorAll('nav[aria-label=Settings] [aria-current=page]')]
    expect(current.map(({ textContent }) => textContent)).toEqual([name])
    expect(document.title).toBe(`${name} · Settings · Palimpsest`)
  }
})

test('UI-31 a person goes from section to section by the links, and back in one step to the chat', async () => {
  await using lab = await openChatLab()
  using chat = await lab.openTalk('Naming the boat')
  chat.press('ctrl+,', document.body)
  await heading(2, 'General')
  for (const name of ['Data', 'Shortcuts', 'Models']) {
    const menu = screen.getByRole('navigation', { name: 'Settings' })
    fireEvent.click(within(menu).getByRole('link', { name }))
    await heading(2, name)
  }
  expect(window.location.pathname).toBe('/settings/models')
  await chat.click('Close settings')
  await chat.reads('Naming the boat')
  expect(window.location.pathname).toBe(`/s/${chat.id}`)
})

test('UI-31 settings that were opened first lead to a new chat when they are left', async () => {
  await using lab = await openChatLab()
  using page = lab.open('/settings/shortcuts')
  await heading(2, 'Shortcuts')
  await page.click('Close settings')
  await screen.findByText('What shall we write?')
  expect(window.location.pathname).toBe('/')
})

test('UI-31 UI-13 a new chat starts with the default model that is chosen, and a chat that exists keeps its own', async () => {
  await using lab = await openChatLab({ models: [modelInfo('roomy')] })
  const old = await lab.talk(['One'])
  using page = lab.open('/settings/general')
  const select = await defaultModel()
  await waitFor(() =>
    expect([...select.options].map(({ value }) => value)).toEqual(['', 'lab/m1', 'lab/m2', 'lab/roomy']),
  )
  expect(select.selectedOptions[0]?.textContent).toBe('First available')
  fireEvent.change(select, { target: { value: 'lab/roomy' } })
  await waitFor(() => expect(select.value).toBe('lab/roomy'))
  page.app.router.push({ sessionId: null, anchor: null })
  await screen.findByRole('button', { name: 'Model: roomy' })
  page.app.router.push({ sessionId: old, anchor: null })
  await page.reads('One')
  await screen.findByRole('button', { name: 'Model: m1' })
})

test('UI-31 the choice of no default model leads back to the first available', async () => {
  await using lab = await openChatLab()
  using _page = lab.open('/settings/general')
  const select = await defaultModel()
  await waitFor(() => expect(select.options).toHaveLength(3))
  fireEvent.change(select, { target: { value: 'lab/m2' } })
  await waitFor(() => expect(select.value).toBe('lab/m2'))
  fireEvent.change(select, { target: { value: '' } })
  await waitFor(() => expect(select.value).toBe(''))
})

test('UI-31 a default model that the server refuses stays as it was, with the reason in a note', async () => {
  await using lab = await openChatLab()
  using page = lab.open('/settings/general')
  const select = await defaultModel()
  await waitFor(() => expect(select.options).toHaveLength(3))
  page.line.refuse('settings.set', 'INVALID_INPUT', 'This model is gone.')
  fireEvent.change(select, { target: { value: 'lab/m2' } })
  await page.toast('This model is gone.')
  expect(select.value).toBe('')
})

test('UI-31 instructions are saved when asked for, and are there after a reload', async () => {
  await using lab = await openChatLab()
  const page = lab.open('/settings/general')
  const field = await instructions()
  expect(save().disabled).toBe(true)
  fireEvent.change(field, { target: { value: 'Answer in verse.' } })
  expect(save().disabled).toBe(false)
  expect(screen.queryByText('Saved')).toBeNull()
  fireEvent.click(save())
  await screen.findByText('Saved')
  expect(save().disabled).toBe(true)
  page.leave()
  using _again = lab.open('/settings/general')
  expect((await instructions()).value).toBe('Answer in verse.')
})

test('UI-31 instructions that could not be saved stay in the field, and can be saved again', async () => {
  await using lab = await openChatLab()
  using page = lab.open('/settings/general')
  fireEvent.change(await instructions(), { target: { value: 'Answer in verse.' } })
  page.line.refuse('settings.set', 'INTERNAL', 'The disk is full.')
  fireEvent.click(save())
  await page.toast('The disk is full.')
  expect((await instructions()).value).toBe('Answer in verse.')
  expect(save().disabled).toBe(false)
  fireEvent.click(save())
  await screen.findByText('Saved')
})

test('UI-31 what is left of the limit of the instructions is shown as it nears', async () => {
  await using lab = await openChatLab()
  using _page = lab.open('/settings/general')
  const field = await instructions()
  const limit = LIMITS.instructionsCharacters
  expect(field.maxLength).toBe(limit)
  fireEvent.change(field, { target: { value: 'x'.repeat(limit - 2_000) } })
  expect(screen.queryByText(/characters left/)).toBeNull()
  fireEvent.change(field, { target: { value: 'x'.repeat(limit - 1_999) } })
  screen.getByText('1,999 characters left')
  fireEvent.change(field, { target: { value: 'x'.repeat(limit) } })
  screen.getByText('0 characters left')
})

test('UI-31 theme, text size and send key are in effect at once and kept in this browser', async () => {
  await using lab = await openChatLab()
  using page = lab.open('/settings/general')
  // The foot of the sidebar has the themes too.
  const choose = (name: string) =>
    fireEvent.click(within(screen.getByRole('main')).getByRole('radio', { name }))
  await screen.findByRole('radio', { name: 'Largest' })
  choose('Dark')
  choose('Largest')
  choose(general.sendKeys['mod+enter'])
  expect({ ...document.documentElement.dataset }).toMatchObject({ theme: 'dark', textSize: 'largest' })
  screen.getByText(general.sendKeyHints['mod+enter'])
  expect(page.app.sendKey.get()).toBe('mod+enter')
  expect(page.line.calls).not.toContain('settings.set')
  choose('System')
  choose('Normal')
  expect({ ...document.documentElement.dataset }).toEqual({})
})

test('UI-31 appearance can be changed while the settings of the server are not read', async () => {
  await using lab = await openChatLab()
  const line = lab.connect()
  line.hold('settings.get')
  using page = lab.open('/settings/general', line)
  fireEvent.click(await screen.findByRole('radio', { name: 'Large' }))
  expect(document.documentElement.dataset['textSize']).toBe('large')
  expect(screen.getByLabelText<HTMLTextAreaElement>(general.instructions).disabled).toBe(true)
  fireEvent.click(screen.getByRole('radio', { name: 'Normal' }))
  page.leave()
})

test('UI-31 the shortcuts are those of the send key that was chosen', async () => {
  await using lab = await openChatLab()
  using page = lab.open('/settings/shortcuts')
  await heading(2, 'Shortcuts')
  const before = document.querySelector('main')?.textContent
  page.app.sendKey.set('mod+enter')
  await waitFor(() => expect(document.querySelector('main')?.textContent).not.toBe(before))
})

test('UI-31 the data section counts what is stored and leads to the bin', async () => {
  await using lab = await openChatLab()
  await lab.talk(['One', 'Two'])
  const gone = await lab.talk(['Three'])
  await lab.sessions.delete(gone)
  using page = lab.open('/settings/data')
  await waitFor(() => expect(factsOf()).not.toEqual([]))
  expect(factsOf().map(([name]) => name)).toEqual([
    'Size of the database',
    'Of that free',
    'Chats',
    'Messages',
    'Chats in the bin',
  ])
  expect(factsOf().at(-1)).toEqual(['Chats in the bin', '1'])
  await page.click('Open the bin')
  await screen.findByText('Three')
})

test.for([
  [new Response('', { status: 200 }), 'Ready'],
  [new Response('', { status: 503 }), 'Not ready'],
] as const)('UI-31 the page about the server shows its version and its health', async ([answer, health]) => {
  await using lab = await openChatLab()
  vi.stubGlobal('fetch', () => Promise.resolve(answer))
  using _page = lab.open('/settings/about')
  await screen.findByText(health)
  const facts = new Map(factsOf().map(([name, value]) => [name, value]))
  expect(facts.get('Version')).toBe('Palimpsest test')
  expect(facts.get('Replies that are running')).toBe('0')
  expect(facts.get('Folders that chats may work in')).toBe('/workspace')
})
