// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

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

test('SX-9 without a choice a chat names no folder and works in the first one', async () => {
  await using lab = await openChatLab({ folders })
  using page = lab.open('/')
  await menu('site')
  await page.send('Hello')
  await page.reads('A reply.')
  expect(await folderOfChat(lab)).toEqual([null])
  await screen.findByTitle('Works in /srv/site')
})

test('SX-9 a folder that is no longer allowed counts for nothing', async () => {
  localStorage.setItem('palimpsest.folder', '"/srv/gone"')
  await using lab = await openChatLab({ folders })
  using page = lab.open('/')
  await menu('site')
  await page.send('Hello')
  await page.reads('A reply.')
  expect(await folderOfChat(lab)).toEqual([null])
})

test('SX-9 where one folder is allowed there is nothing to choose', async () => {
  await using lab = await openChatLab()
  using page = lab.open('/')
  await page.send('Hello')
  await page.reads('A reply.')
  expect(screen.queryByRole('button', { name: /^Folder of this chat/ })).toBeNull()
})

test('RW-5 the header says where a rewind restores files', async () => {
  await using lab = await openChatLab({ snapshots: true })
  using _chat = await lab.openTalk('One')
  await screen.findByTitle('Works in /workspace. A rewind restores its files too.')
})
