// @vitest-environment happy-dom
import type { McpSignIns } from '@palimpsest/core/ports'
import { createScriptedMcp } from '@palimpsest/core/testing'
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
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
  await wiki.findByText('bad key')
  wiki.getByText(/^Next attempt /)
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

test('MC-2 a person signs in at a server that needs it in the settings, and signs out', async () => {
  let signIn: 'needed' | 'done' = 'needed'
  const begun: string[] = []
  const signIns: McpSignIns = {
    state: () => signIn,
    widerScope: () => null,
    begin(name, origin) {
      begun.push(`${name} ${origin}`)
      return Promise.resolve('https://auth.example/authorize?state=1')
    },
    finish: () => Promise.resolve('wiki'),
    end() {
      signIn = 'needed'
      return Promise.resolve()
    },
  }
  const opened = vi.spyOn(window, 'open').mockReturnValue(null)
  await using lab = await openChatLab({
    mcp: { ...createScriptedMcp({ wiki: [{ tools: ['page'] }] }), signIns },
  })
  using _page = lab.open('/settings/mcp')
  const wiki = within(await card('wiki'))
  fireEvent.click(wiki.getByRole('button', { name: words.signInAt('wiki') }))
  const link = await wiki.findByRole('link', { name: words.signInPage })
  expect(link.getAttribute('href')).toBe('https://auth.example/authorize?state=1')
  expect(opened).toHaveBeenCalledWith(
    'https://auth.example/authorize?state=1',
    '_blank',
    'noopener,noreferrer',
  )
  expect(begun).toEqual([`wiki ${location.origin}`])
  signIn = 'done'
  fireEvent.click(await wiki.findByRole('button', { name: words.signOutOf('wiki') }))
  await wiki.findByRole('button', { name: words.signInAt('wiki') })
  opened.mockRestore()
})

test('MC-2 the settings say which scope a refused call needs, and a person signs in for it', async () => {
  let scope: string | null = 'files:write'
  const signIns: McpSignIns = {
    state: () => 'done',
    widerScope: () => scope,
    begin: () => Promise.resolve('https://auth.example/authorize?state=2'),
    finish: () => Promise.resolve('wiki'),
    end() {
      scope = null
      return Promise.resolve()
    },
  }
  const opened = vi.spyOn(window, 'open').mockReturnValue(null)
  await using lab = await openChatLab({
    mcp: { ...createScriptedMcp({ wiki: [{ tools: ['page'] }] }), signIns },
  })
  using _page = lab.open('/settings/mcp')
  const wiki = within(await card('wiki'))
  await wiki.findByText(words.wider('files:write'))
  fireEvent.click(wiki.getByRole('button', { name: words.signInAt('wiki') }))
  await wiki.findByRole('link', { name: words.signInPage })
  fireEvent.click(wiki.getByRole('button', { name: words.signOutOf('wiki') }))
  await vi.waitFor(() => expect(wiki.queryByRole('button', { name: words.signInAt('wiki') })).toBeNull())
  expect(wiki.queryByText(/files:write/)).toBeNull()
  opened.mockRestore()
})

test('MC-2 without a server the settings say how to add one', async () => {
  await using lab = await openChatLab()
  using _page = lab.open('/settings/mcp')
  await screen.findByText(words.empty('palimpsest.config.json'))
})
