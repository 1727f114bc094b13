// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

const list = () => screen.findByRole('listbox', { name: 'Subagents and files' })

test('UI-12 an @ finds files of the chat’s folder, and what is chosen is sent as it is written', async () => {
  await using lab = await openChatLab()
  const find = vi.spyOn(lab.sessions, 'findFiles').mockResolvedValue({ paths: ['src/read.ts'] })
  using chat = await lab.openTalk('Before')
  await chat.write('Look at @re')
  await within(await list()).findByRole('option', { name: /src\/read\.ts/ })
  expect(find).toHaveBeenLastCalledWith({ sessionId: chat.id, query: 're' })
  chat.press('Enter', await chat.field())
  await waitFor(async () => expect((await chat.field()).value).toBe('Look at @src/read.ts '))
  chat.press('Enter', await chat.field())
  await chat.reads(/Look at @src\/read\.ts/)
})

test('UI-12 SX-9 in a new chat an @ finds files of the folder that is chosen', async () => {
  localStorage.setItem('palimpsest.folder', '"/srv/notes"')
  await using lab = await openChatLab({ folders: ['/srv/site', '/srv/notes'] })
  const find = vi.spyOn(lab.sessions, 'findFiles').mockResolvedValue({ paths: ['ideas.md'] })
  using page = lab.open('/')
  await screen.findByRole('button', { name: 'Folder of this chat: notes' })
  await page.write('@')
  await within(await list()).findByRole('option', { name: /ideas\.md/ })
  expect(find).toHaveBeenLastCalledWith({ workspaceRoot: '/srv/notes', query: '' })
})

test('UI-12 an @ finds subagents, also those of files that count', async () => {
  const agent = (mode: string) => `---\ndescription: Reviews a change\nmode: ${mode}\n---\nYou review.`
  await using lab = await openChatLab({
    files: { '.agents/agents/expert.md': agent('subagent'), '.agents/agents/exotic.md': agent('primary') },
  })
  using chat = await lab.openTalk('Before')
  await chat.write('@ex')
  await within(await list()).findByRole('option', { name: /^explore/ })
  expect(within(await list()).queryByRole('option', { name: /^(expert|exotic)/ })).toBeNull()
  await chat.write('')
  for (const { digest } of await lab.sessions.sources.trust.list({ sessionId: chat.id }))
    await lab.sessions.sources.trust.grant({ sessionId: chat.id }, digest)
  chat.leave()
  using again = lab.open(`/s/${chat.id}`)
  await again.reads('Before')
  await again.write('@ex')
  await within(await list()).findByRole('option', { name: /^expert/ })
  expect(within(await list()).queryByRole('option', { name: /^exotic/ })).toBeNull()
  again.press('Enter', await again.field())
  await waitFor(async () => expect((await again.field()).value).toBe('@explore '))
})
