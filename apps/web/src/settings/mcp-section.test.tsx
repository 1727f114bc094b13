// @vitest-environment happy-dom
import type { McpSignIns } from '@palimpsest/core/ports'
import { createScriptedMcp, mcpTool } from '@palimpsest/testing'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
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

const NOTES = { command: 'npx', args: ['-y', 'notes'], env: { NOTES_KEY: 'canary-key-77aa' } }
const field = async (label: string) =>
  within(await screen.findByRole('form', { name: words.add })).getByLabelText<HTMLInputElement>(label)

async function paste(entry: unknown): Promise<void> {
  fireEvent.change(await field(words.paste), { target: { value: JSON.stringify(entry) } })
}

test('MC-2 an entry of a directory that is pasted is tested, added with what its tools may do, and removed', async () => {
  const tools = [
    mcpTool('look', { hints: ['read-only'] }),
    mcpTool('wipe', { hints: ['destructive'] }),
    'plain',
  ]
  await using lab = await openChatLab({
    mcp: createScriptedMcp({ notes: [{ tools }] }, undefined, ['notes']),
  })
  using page = lab.open('/settings/mcp')
  await page.click(words.add)
  await paste({ mcpServers: { notes: NOTES } })
  expect((await field(words.name)).value).toBe('notes')
  expect((await field(words.command)).value).toBe('npx')
  expect((await field(words.args)).value).toBe('-y\nnotes')
  await page.click(words.test)
  await screen.findByText(words.works(3))
  expect(lab.sessions.mcp.servers()).toEqual([])
  await page.click(words.save)
  const notes = within(await card('notes'))
  expect(screen.queryByRole('form')).toBeNull()
  await notes.findByText(words.states.ready)
  fireEvent.click(notes.getByText(words.tools(3)))
  const said = notes.getAllByRole('term').map(({ textContent }) => textContent)
  expect(said).toEqual([
    `look${words.hints['read-only']}`,
    `wipe${words.hints.destructive}`,
    `plain${words.hints.writes}`,
  ])
  expect(document.body.innerHTML).not.toContain('canary-key-77aa')
  fireEvent.click(notes.getByRole('button', { name: words.removeNamed('notes') }))
  const dialog = within(await screen.findByRole('dialog', { name: words.removeNamed('notes') }))
  fireEvent.click(dialog.getByRole('button', { name: words.remove }))
  await waitFor(() => expect(screen.queryByRole('article', { name: 'notes' })).toBeNull())
})

test('MC-2 a test that fails adds nothing and says why; what is changed then is tested again', async () => {
  await using lab = await openChatLab({
    mcp: createScriptedMcp({ notes: [{ fails: 'no such package' }] }, undefined, ['notes']),
  })
  using page = lab.open('/settings/mcp')
  await page.click(words.add)
  await paste(NOTES)
  fireEvent.change(await field(words.name), { target: { value: 'notes' } })
  await page.click(words.test)
  await screen.findByText('no such package')
  screen.getByRole('button', { name: words.saveAnyhow })
  expect(page.line.calls).not.toContain('mcp.put')
  fireEvent.change(await field(words.command), { target: { value: 'bunx' } })
  screen.getByRole('button', { name: words.test })
  expect(screen.queryByText('no such package')).toBeNull()
})

test('MC-2 a server that asks for a sign-in is added, so that a person can sign in', async () => {
  await using lab = await openChatLab({
    mcp: createScriptedMcp({ wiki: [{ fails: 'The server needs a sign-in.' }] }, undefined, ['wiki']),
  })
  using page = lab.open('/settings/mcp')
  await page.click(words.add)
  await paste({ servers: { wiki: { type: 'http', url: 'https://wiki.example/mcp' } } })
  expect((await field(words.address)).value).toBe('https://wiki.example/mcp')
  await page.click(words.test)
  await screen.findByText(words.asksSignIn)
  await page.click(words.save)
  await card('wiki')
})

test('MC-2 of several servers in an entry each can be chosen, and a text without one is named as that', async () => {
  await using lab = await openChatLab({ mcp: createScriptedMcp({}) })
  using page = lab.open('/settings/mcp')
  await page.click(words.add)
  await paste({ mcpServers: { one: { command: 'a' }, two: { url: 'https://two.example/mcp' } } })
  expect((await field(words.command)).value).toBe('a')
  await page.click('two')
  expect((await field(words.address)).value).toBe('https://two.example/mcp')
  await paste({ nothing: true })
  await screen.findByText(words.pasteWrong)
})

test('MC-2 a name that the configuration file has is refused at its field', async () => {
  await using lab = await openChatLab({ mcp: createScriptedMcp({ git: [{ tools: ['log'] }] }) })
  using page = lab.open('/settings/mcp')
  expect(within(await card('git')).queryByRole('button', { name: words.removeNamed('git') })).toBeNull()
  await page.click(words.add)
  await paste({ git: NOTES })
  await page.click(words.test)
  await waitFor(async () => expect((await field(words.name)).getAttribute('aria-invalid')).toBe('true'))
  screen.getByText(/set by the configuration file/)
})
