// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

type Lab = Awaited<ReturnType<typeof openChatLab>>

/** A chat of three turns with a branch behind the first reply, on which something else was said. */
async function forked(lab: Lab) {
  const id = await lab.talk(['Naming the boat', 'And its oars?', 'And its anchor?'])
  const { items } = await lab.sessions.messages({ sessionId: id })
  const fork = items[1]?.id ?? ''
  const branch = await lab.sessions.history.branch({ sessionId: id, fromMessageId: fork })
  await lab.talk(['And its sails?'], branch.id)
  return { id, fork, branch: branch.id }
}

const versions = () => screen.findByRole('navigation', { name: 'Versions' })
const crumbs = () => screen.queryByRole('navigation', { name: 'Branched from' })?.textContent ?? null
const onVersions = async (name: string | RegExp) => within(await versions()).findByRole('button', { name })
const location = () => window.location.pathname

test('UI-19 a branch from a reply leads to the branch, says so, and Back leads to where it came from', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(['Naming the boat', 'And its oars?'])
  using chat = lab.open(`/s/${id}`)
  await chat.reads('And its oars?')
  await chat.click('Branch from here', 1)
  await chat.toast('You are on a new branch. The original chat has not changed.')
  await waitFor(async () => expect(await chat.messages()).toEqual(['Naming the boat', 'A reply.']))
  expect(location()).not.toBe(`/s/${id}`)
  await waitFor(() => expect(crumbs()).toBe('Naming the boat›'))
  await chat.click('Back')
  await waitFor(async () => expect(await chat.messages()).toHaveLength(4))
  expect(location()).toBe(`/s/${id}`)
})

test('UI-19 at the fork one steps to the other version and back, and reads what is there', async () => {
  await using lab = await openChatLab()
  const { id, branch } = await forked(lab)
  using chat = lab.open(`/s/${id}`)
  await onVersions('Version 1 of 2')
  expect(await onVersions('Previous version')).toHaveProperty('disabled', true)
  fireEvent.click(await onVersions('Next version'))
  await chat.reads('And its sails?')
  expect(location()).toBe(`/s/${branch}`)
  await onVersions('Version 2 of 2')
  await waitFor(async () =>
    expect((await versions()).textContent).toContain('4 messages on “Naming the boat”'),
  )
  expect(await onVersions('Next version')).toHaveProperty('disabled', true)
  fireEvent.click(await onVersions('Previous version'))
  await chat.reads('And its anchor?')
  await waitFor(async () =>
    expect((await versions()).textContent).toContain('2 messages on “And its sails?”'),
  )
})

test('UI-19 UI-23 the arrow keys on the switch step between versions', async () => {
  await using lab = await openChatLab()
  const { id, branch } = await forked(lab)
  using chat = lab.open(`/s/${id}`)
  chat.press('ArrowLeft', await onVersions('Version 1 of 2'))
  expect(location()).toBe(`/s/${id}`)
  chat.press('ArrowRight', await onVersions('Version 1 of 2'))
  await chat.reads('And its sails?')
  expect(location()).toBe(`/s/${branch}`)
})

test('UI-5 UI-19 back in the browser leads to the version one came from', async () => {
  await using lab = await openChatLab()
  const { id } = await forked(lab)
  using chat = lab.open(`/s/${id}`)
  fireEvent.click(await onVersions('Next version'))
  await chat.reads('And its sails?')
  window.history.replaceState(null, '', `/s/${id}`)
  fireEvent.popState(window)
  await chat.reads('And its anchor?')
})

test('UI-19 the list of versions names each, counts what it holds and leads to the comparison', async () => {
  await using lab = await openChatLab()
  const { id, branch } = await forked(lab)
  using chat = lab.open(`/s/${id}`)
  fireEvent.click(await onVersions('Version 1 of 2'))
  const menu = await screen.findByRole('menu')
  const item = (name: RegExp) => within(menu).getByRole('menuitem', { name })
  await waitFor(() => expect(item(/^And its sails/).textContent).toContain('2 messages after this'))
  expect(item(/^Naming the boat/).textContent).toContain('You are here · 4 messages after this')
  fireEvent.click(item(/Compare with this one/))
  await screen.findByText('Two branches side by side')
  expect(`${location()}${window.location.search}`).toBe(`/compare?a=${id}&b=${branch}`)
  expect(chat.app.router.get().compare).toEqual({ left: id, right: branch })
})

test('UI-19 UI-26 a branch made elsewhere appears at its fork here, and a deleted one disappears', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(['Naming the boat', 'And its oars?'])
  using chat = lab.open(`/s/${id}`)
  await chat.reads('And its oars?')
  expect(screen.queryByRole('navigation', { name: 'Versions' })).toBeNull()
  const { items } = await lab.sessions.messages({ sessionId: id })
  const branch = await lab.sessions.history.branch({ sessionId: id, fromMessageId: items[1]?.id ?? '' })
  await onVersions('Version 1 of 2')
  await lab.sessions.delete(branch.id)
  await waitFor(() => expect(screen.queryByRole('navigation', { name: 'Versions' })).toBeNull())
})

test('UI-19 the tree shows every branch with what it says, and leads to each by a click or by keyboard', async () => {
  await using lab = await openChatLab()
  const { id, branch } = await forked(lab)
  using chat = lab.open(`/s/${branch}`)
  await chat.reads('And its sails?')
  chat.press('ctrl+shift+B', document.body)
  const dialog = await screen.findByRole('dialog', { name: 'Branches' })
  const links = () => within(dialog).getAllByRole('link')
  await waitFor(() => expect(links()[1]?.textContent).toMatch(/^And its sails\?You are here/))
  expect(links().map((link) => link.getAttribute('aria-current'))).toEqual([null, 'page'])
  links()[1]?.focus()
  chat.press('ArrowUp')
  expect(document.activeElement).toBe(links()[0])
  fireEvent.click(links()[0] ?? dialog)
  await chat.reads('And its anchor?')
  expect(location()).toBe(`/s/${id}`)
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Branches' })).toBeNull())
})

test('UI-19 a branch is deleted out of the tree only after a question', async () => {
  await using lab = await openChatLab()
  const { id, branch } = await forked(lab)
  using chat = lab.open(`/s/${id}`)
  await chat.reads('And its anchor?')
  await chat.send('/tree')
  await chat.click('Delete And its sails?')
  await screen.findByText('Delete this chat?')
  await chat.click('Cancel')
  await waitFor(() => expect(screen.queryByText('Delete this chat?')).toBeNull())
  expect(await lab.sessions.get(branch)).toMatchObject({ id: branch })
  await chat.send('/tree')
  await chat.click('Delete And its sails?')
  await screen.findByText('Delete this chat?')
  await chat.click('Delete', -1)
  await waitFor(() => expect(screen.queryByRole('navigation', { name: 'Versions' })).toBeNull())
  await expect(lab.sessions.get(branch)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
})

test('UI-19 a branch that is asked for twice in a row is two, which say that nothing was asked in them yet', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(['Naming the boat'])
  using chat = lab.open(`/s/${id}`)
  await chat.reads('Naming the boat')
  await chat.send('/branch')
  await chat.toast(/^You are on a new branch/)
  await screen.findByRole('button', { name: 'New branch, no question yet' })
  await chat.click('Back')
  await waitFor(() => expect(location()).toBe(`/s/${id}`))
  await chat.send('/branch')
  await screen.findByRole('button', { name: 'New branch 2, no question yet' })
  await onVersions('Version 3 of 3')
})

test('UI-35 a branch is named by its first own question wherever it is listed, and by a person’s name above that', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(['Naming the boat'])
  using chat = lab.open(`/s/${id}`)
  await chat.reads('Naming the boat')
  await chat.send('/branch')
  await screen.findByRole('button', { name: 'New branch, no question yet' })
  await chat.send('And its sails?')
  await screen.findByRole('button', { name: 'And its sails?' })
  const sidebar = await screen.findByRole('navigation', { name: 'Chats' })
  await within(sidebar).findByRole('link', { name: /And its sails\?/ })
  await waitFor(() => expect(document.title).toBe('And its sails? · Palimpsest'))
  await lab.sessions.rename(chat.app.router.get().sessionId ?? '', 'Sails')
  await screen.findByRole('button', { name: 'Sails' })
  await within(sidebar).findByRole('link', { name: /Sails/ })
})

test('UI-32 the dialog that asks before a deletion and the tab name the branch itself', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(['Naming the boat'])
  using chat = lab.open(`/s/${id}`)
  await chat.reads('Naming the boat')
  const { title } = await lab.sessions.get(id)
  await chat.send('/branch')
  await chat.toast(/^You are on a new branch/)
  await waitFor(() => expect(document.title).toBe(`${title} · New branch, no question yet · Palimpsest`))
  chat.press('ctrl+k', document.body)
  const field = await screen.findByRole('combobox', { name: 'Command palette' })
  fireEvent.change(field, { target: { value: 'Delete this chat' } })
  chat.press('Enter', field)
  await screen.findByText(new RegExp(`^“${title} · New branch, no question yet” and all its messages`))
})

test('UI-19 a branch during a run asks first, and stops the run once confirmed', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(['Naming the boat'])
  using chat = lab.open(`/s/${id}`)
  await chat.reads('Naming the boat')
  lab.models.answer(null)
  await chat.send('Go on')
  ;(await lab.models.speaker()).say('Going on')
  await chat.reads('Going on')
  await chat.click('Branch from here', 0)
  await chat.toast('A reply is running.')
  expect(location()).toBe(`/s/${id}`)
  await chat.click('Stop and continue')
  await chat.toast(/^You are on a new branch/)
  await waitFor(async () => expect((await lab.sessions.status(id)).state).toBe('idle'))
})

test('UI-19 what has no branch yet has nothing to compare with, and what has no message nothing to branch from', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(['Naming the boat'])
  using chat = lab.open(`/s/${id}`)
  await chat.reads('Naming the boat')
  await chat.send('/compare')
  await chat.toast('There is no branch to compare with yet. Branch from any message first.')
  await chat.send('/new')
  await screen.findByText('What shall we write?')
  await chat.send('/branch')
  await chat.toast('There is no message to branch from yet.')
})

test('UI-19 a branch that could not be made says why, and one stays where one is', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(['Naming the boat'])
  using chat = lab.open(`/s/${id}`)
  await chat.reads('Naming the boat')
  chat.line.refuse('session.branch', 'MESSAGE_NOT_FOUND', 'That message is not in this chat.')
  await chat.click('Branch from here', 0)
  await chat.toast('That message is not in this chat.')
  expect(location()).toBe(`/s/${id}`)
  expect((await lab.sessions.list({})).items).toHaveLength(1)
})
