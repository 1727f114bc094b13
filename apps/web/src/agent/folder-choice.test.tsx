// @vitest-environment happy-dom
import { createMemoryDemoFolder, createScriptedMcp } from '@palimpsest/testing'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'
import { modelInfo } from '../testing/model-info.ts'

const folders = ['/srv/site', '/srv/notes']
const menu = (name: string) => screen.findByRole('button', { name: `Folder of this chat: ${name}` })

async function choose(from: string, to: RegExp): Promise<void> {
  fireEvent.click(await menu(from))
  fireEvent.click(await screen.findByRole('menuitem', { name: to }))
}

/** The folder of the only chat. */
async function folderOfChat(lab: Awaited<ReturnType<typeof openChatLab>>) {
  const { items } = await lab.sessions.list({})
  return items.map(({ workspaceRoot }) => workspaceRoot)
}

test('SX-9 a new chat begins in the folder that was chosen, and its header names it', async () => {
  await using lab = await openChatLab({ folders })
  using page = lab.open('/')
  await choose('site', /^notes/)
  await menu('notes')
  await page.send('Hello')
  await page.reads('A reply.')
  await waitFor(async () => expect(await folderOfChat(lab)).toEqual(['/srv/notes']))
  await screen.findByTitle('Works in /srv/notes')
  expect(screen.queryByRole('button', { name: /^Folder of this chat/ })).toBeNull()
})

test('SX-9 the next new chat offers the folder that was chosen last in this browser', async () => {
  await using lab = await openChatLab({ folders })
  const first = lab.open('/')
  await choose('site', /^notes/)
  await menu('notes')
  first.leave()
  using _again = lab.open('/')
  await menu('notes')
})

test('SX-9 without a choice a chat works in the default folder of the server', async () => {
  await using lab = await openChatLab({ folders })
  using page = lab.open('/')
  await menu('site')
  await page.send('Hello')
  await page.reads('A reply.')
  expect(await folderOfChat(lab)).toEqual(['/srv/site'])
  await screen.findByTitle('Works in /srv/site')
})

test('SX-9 a folder that is no longer allowed counts for nothing', async () => {
  localStorage.setItem('palimpsest.folder', '"/srv/gone"')
  await using lab = await openChatLab({ folders })
  using page = lab.open('/')
  await menu('site')
  await page.send('Hello')
  await page.reads('A reply.')
  expect(await folderOfChat(lab)).toEqual(['/srv/site'])
})

test('SX-9 SY-7 a chat without a folder shows none in its header, and no mode, also where the server has a default', async () => {
  await using lab = await openChatLab({ folders, snapshots: true })
  const first = lab.open('/')
  await screen.findByRole('button', { name: /^Mode: / })
  await choose('site', /^No folder/)
  await menu('No folder')
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Mode: / })).toBeNull())
  await first.send('Hello')
  await first.reads('A reply.')
  await waitFor(async () => expect(await folderOfChat(lab)).toEqual([null]))
  await menu('No folder')
  expect(screen.queryByTitle(/^Works in/)).toBeNull()
  expect(screen.queryByRole('button', { name: /^Mode: / })).toBeNull()
  first.leave()
  using _again = lab.open('/')
  await menu('No folder')
})

test('SX-9 without a default folder a new chat has none until one is chosen, and gets one later', async () => {
  await using lab = await openChatLab({ folders, hasDefault: false })
  using page = lab.open('/')
  await menu('No folder')
  await page.send('Hello')
  await page.reads('A reply.')
  expect(await folderOfChat(lab)).toEqual([null])
  await choose('No folder', /^notes/)
  await screen.findByTitle('Works in /srv/notes')
  expect(await folderOfChat(lab)).toEqual(['/srv/notes'])
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Folder of this chat/ })).toBeNull())
  await screen.findByRole('button', { name: /^Mode: / })
})

test('SX-9 folders of earlier chats inside an allowed one are offered', async () => {
  await using lab = await openChatLab({ folders, hasDefault: false })
  await lab.sessions.create({ title: 'Deep', workspaceRoot: '/srv/site/deep' })
  using page = lab.open('/')
  await choose('No folder', /^deep/)
  await menu('deep')
  await page.send('Hello')
  await page.reads('A reply.')
  expect((await folderOfChat(lab))[0]).toBe('/srv/site/deep')
})

test('SY-7 the mode of a chat without a folder is shown where tools that need none ask', async () => {
  await using lab = await openChatLab({ hasDefault: false, mcp: createScriptedMcp({}) })
  using _page = lab.open('/')
  await menu('No folder')
  await screen.findByRole('button', { name: /^Mode: / })
})

test('SX-9 a chat with the demo model shows the folder of the demo', async () => {
  const demo = createMemoryDemoFolder('/data/demo')
  await using lab = await openChatLab({
    hasDefault: false,
    demo,
    models: [{ ...modelInfo('d1'), demo: true }],
  })
  await lab.sessions.settings.set({ defaultModel: { providerId: 'lab', modelId: 'd1' } })
  using page = lab.open('/')
  await menu('Demo folder')
  await page.send('Hello')
  await page.reads('A reply.')
  expect(await folderOfChat(lab)).toEqual(['/data/demo'])
  expect(demo.made).toBe(1)
})

test('RW-5 the header says where a rewind restores files', async () => {
  await using lab = await openChatLab({ snapshots: true })
  using _chat = await lab.openTalk('One')
  await screen.findByTitle('Works in /workspace. A rewind restores its files too.')
})
