// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'
import { agentWords } from '../words/en-agent.ts'

const { permissions: words, projects, sandbox } = agentWords

type Lab = Awaited<ReturnType<typeof openChatLab>>

const list = (name: string) => screen.findByRole('list', { name })
const rows = (name: string) =>
  within(screen.getByRole('region', { name }))
    .queryAllByRole('listitem')
    .map(({ textContent }) => textContent)

/** A chat in which reading a file was allowed for the chat or the project. */
async function allow(lab: Lab, reply: 'session' | 'project', path = 'README.md') {
  const chat = await lab.openTalk('Before')
  const speaker = await lab.beginReply(chat, 'Go', 'Well')
  speaker.call('read', { path })
  const [ask] = await waitFor(async () => {
    const items = await lab.sessions.permissions.pending(chat.id)
    expect(items).toHaveLength(1)
    return items
  })
  await lab.sessions.permissions.reply({ permissionId: ask?.id ?? '', reply })
  ;(await lab.models.speaker()).finish()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull())
  return chat
}

test('UI-31 PE-1 the settings list what was allowed for a project, and one press revokes it', async () => {
  await using lab = await openChatLab({ asksAlways: true })
  using chat = await allow(lab, 'project')
  chat.app.router.push({ sessionId: null, anchor: null, settings: 'permissions' })
  await list('workspace')
  expect(rows('workspace')).toEqual([
    expect.stringMatching(/^Read files README\.mdAllowed · given .+Revoke$/),
  ])
  await chat.click('Revoke: Read files README.md')
  await chat.toast('Revoked: Read files README.md. You are asked again.')
  await screen.findByText(projects.empty, { exact: false })
  expect(await lab.sessions.permissions.rules({ workspaceRoot: '/workspace' })).toEqual([])
})

test('UI-31 a rule that somebody else has revoked leaves the list, with a note', async () => {
  await using lab = await openChatLab({ asksAlways: true })
  using chat = await allow(lab, 'project')
  chat.app.router.push({ sessionId: null, anchor: null, settings: 'permissions' })
  await list('workspace')
  const [rule] = await lab.sessions.permissions.rules({ workspaceRoot: '/workspace' })
  await lab.sessions.permissions.revoke(rule?.id ?? '', { workspaceRoot: '/workspace' })
  await chat.click(/^Revoke: /)
  await chat.toast('There is no such rule here.')
  await screen.findByText(projects.empty, { exact: false })
})

test('UI-31 rules of the configuration and built-in ones are shown without a way to revoke them', async () => {
  await using lab = await openChatLab({
    projectRules: [
      { permission: 'edit', pattern: '*.pem', action: 'deny', source: 'project', pinned: true },
      { permission: 'edit', pattern: 'docs/*', action: 'allow', source: 'project' },
    ],
  })
  using _page = lab.open('/settings/permissions')
  await list(projects.configured)
  expect(rows(projects.configured)).toEqual([
    'Change files *.pemDenied · can’t be loosened',
    'Change files docs/*Allowed',
  ])
  expect(rows(projects.builtIn)[0]).toBe('Read files *Allowed')
  expect(screen.queryByRole('button', { name: /^Revoke/ })).toBeNull()
})

test('UI-31 without lasting permissions the section says how one is given', async () => {
  await using lab = await openChatLab({ sandbox: { kind: 'none', reason: 'bwrap is missing.' } })
  using _page = lab.open('/settings/permissions')
  await screen.findByText(projects.emptyHint)
  await screen.findByText(projects.configuredEmpty('palimpsest.config.json'))
  await screen.findByText(sandbox.none)
  await screen.findByText('bwrap is missing.')
})

test('UI-31 a sandbox is named where there is one', async () => {
  await using lab = await openChatLab({ sandbox: { kind: 'bwrap' } })
  using _page = lab.open('/settings/permissions')
  await screen.findByText(sandbox.bwrap)
})

test('UI-31 rules that could not be read can be read again', async () => {
  await using lab = await openChatLab()
  const line = lab.connect()
  line.refuse('permission.rules', 'INTERNAL', 'The disk is full.')
  using page = lab.open('/settings/permissions', line)
  await screen.findByText('The disk is full.')
  await page.click('Try again')
  await list(projects.builtIn)
})

test('UI-16 PE-1 a chat shows what it may do, its own and its project’s, and revokes either', async () => {
  await using lab = await openChatLab({ asksAlways: true })
  using chat = await allow(lab, 'session', 'own.md')
  await chat.click(/^Mode: /)
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Permissions of this chat…' }))
  const dialog = await screen.findByRole('dialog', { name: words.title })
  await within(dialog).findByRole('button', { name: 'Revoke: Read files own.md' })
  expect(rows(words.project)).toEqual([])
  await chat.click('Revoke: Read files own.md')
  await screen.findByText(words.sessionEmpty)
  expect((await lab.sessions.get(chat.id)).permissions).toEqual([])
})

test('UI-16 UI-12 the permissions of a chat open by its command, and lead to those of all projects', async () => {
  await using lab = await openChatLab({ asksAlways: true })
  using chat = await allow(lab, 'project')
  await chat.send('/permissions')
  const dialog = await screen.findByRole('dialog', { name: words.title })
  await within(dialog).findByRole('button', { name: 'Revoke: Read files README.md' })
  fireEvent.click(within(dialog).getByRole('link', { name: words.all }))
  await screen.findByRole('heading', { level: 2, name: 'Permissions' })
  expect(screen.queryByRole('dialog', { name: words.title })).toBeNull()
})
