// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'
import { memoryWords as words } from '../words/en-memories.ts'

const tabs = { name: 'tabs', description: 'Likes tabs', type: 'preference', body: 'Tabs,\nalways.' }
const click = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const fill = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

test('ME-1 UI-31 a person adds a memory, changes it, and deletes it after being asked', async () => {
  await using lab = await openChatLab()
  using _page = lab.open('/settings/memory')
  expect(await screen.findByText(new RegExp(words.empty))).toBeTruthy()
  click(words.add)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: words.save }).disabled).toBe(true)
  fill(words.name, tabs.name)
  fill(words.description, tabs.description)
  fill(words.body, tabs.body)
  click(words.save)
  const card = await screen.findByRole('article', { name: 'tabs' })
  expect(card.textContent).toContain('Likes tabs')
  expect(card.textContent).toContain(words.scopes.user)
  click(words.editOf('tabs'))
  fill(words.body, 'Spaces')
  click(words.save)
  await waitFor(() => expect(screen.getByRole('article', { name: 'tabs' }).textContent).toContain('Spaces'))
  click(words.deleteOf('tabs'))
  const dialog = await screen.findByRole('dialog', { name: words.deleteTitle('tabs') })
  fireEvent.click(within(dialog).getByRole('button', { name: words.delete }))
  expect(await screen.findByText(new RegExp(words.empty))).toBeTruthy()
  expect((await lab.store.memories.page({ limit: 5 })).items).toEqual([])
  await waitFor(() => expect(document.activeElement?.textContent).toBe(words.memories))
})

test('ME-2 a proposal is shown with its chat, and is remembered once it is accepted', async () => {
  await using lab = await openChatLab()
  const origin = { sessionId: 'ses_1', messageId: 'msg_1' }
  await lab.store.memories.propose({ ...tabs, workspaceRoot: null, origin }, 1_000)
  await lab.store.memories.propose({ ...tabs, name: 'no', workspaceRoot: '/workspace', origin }, 1_000)
  using _page = lab.open('/settings/memory')
  const list = await screen.findByRole('region', { name: words.proposals })
  expect(within(list).getAllByRole('article')).toHaveLength(2)
  const [link] = within(list).getAllByRole('link', { name: words.fromChat })
  expect(link?.getAttribute('href')).toBe('/s/ses_1#msg_1')
  expect(list.textContent).toContain(words.inProject('/workspace'))
  click(words.acceptOf('tabs'))
  const memories = await screen.findByRole('region', { name: words.memories })
  expect(await within(memories).findByRole('article', { name: 'tabs' })).toBeTruthy()
  expect(await lab.store.memories.find(null, 'tabs')).toMatchObject({
    state: 'accepted',
    body: tabs.body,
    origin,
  })
})

test('ME-2 memories are proposed only after a person has switched it on', async () => {
  await using lab = await openChatLab()
  using _page = lab.open('/settings/memory')
  const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: new RegExp(words.propose) })
  await waitFor(() => expect(box.disabled).toBe(false))
  expect(box.checked).toBe(false)
  fireEvent.click(box)
  await waitFor(() => expect(box.checked).toBe(true))
  expect(await lab.store.settings.values()).toEqual(new Map([['proposeMemories', true]]))
})

test('ME-1 a memory that cannot be saved stays in its form, and the reason is shown', async () => {
  await using lab = await openChatLab()
  for (const name of ['a', 'b'])
    await lab.store.memories.put({ ...tabs, name, workspaceRoot: null, origin: null }, 1_000)
  using _page = lab.open('/settings/memory')
  await screen.findByRole('article', { name: 'a' })
  click(words.editOf('a'))
  fill(words.name, 'b')
  click(words.save)
  expect(await screen.findByText(/Another memory has this name/)).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>(words.name).value).toBe('b')
})
