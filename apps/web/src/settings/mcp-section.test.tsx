// @vitest-environment happy-dom
import { createScriptedMcp } from '@palimpsest/core/testing'
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'
import { settingsWords } from '../words/en-settings.ts'

const { mcp: words } = settingsWords

const card = (name: string) => screen.findByRole('article', { name })

test('MC-2 the settings show each server with its state, its tools, and the reason of a failure in its words', async () => {
  const mcp = createScriptedMcp({
    git: [{ tools: ['log', 'show'] }],
    wiki: [{ fails: 'bad key' }, { tools: ['page'] }],
  })
  await using lab = await openChatLab({ mcp })
  using _page = lab.open('/settings/mcp')
  const git = within(await card('git'))
  git.getByText(words.states.off)
  fireEvent.click(git.getByRole('button', { name: words.connectTo('git') }))
  await git.findByText(words.states.ready)
  git.getByText(words.tools(2))
  git.getByText('Does log')
  const wiki = within(await card('wiki'))
  fireEvent.click(wiki.getByRole('button', { name: words.connectTo('wiki') }))
  await wiki.findByText(/^bad key Next attempt/)
  fireEvent.click(wiki.getByRole('button', { name: words.connectTo('wiki') }))
  await wiki.findByText(words.states.ready)
  expect(wiki.queryByText(/bad key/)).toBeNull()
})

test('MC-2 the settings name each tool that is left out because of a fault, with the reason', async () => {
  const refused = [{ name: 'bad\u202e', reason: 'The property "a" names an empty header.' }]
  const mcp = createScriptedMcp({ git: [{ tools: ['log'], refused }] })
  await using lab = await openChatLab({ mcp })
  using _page = lab.open('/settings/mcp')
  const git = within(await card('git'))
  fireEvent.click(git.getByRole('button', { name: words.connectTo('git') }))
  fireEvent.click(await git.findByText(words.refused(1)))
  git.getByText('bad')
  git.getByText('The property "a" names an empty header.')
})

test('MC-2 without a server the settings say how to add one', async () => {
  await using lab = await openChatLab()
  using _page = lab.open('/settings/mcp')
  await screen.findByText(words.empty('palimpsest.config.json'))
})
