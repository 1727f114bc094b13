// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

const FILES = {
  '.agents/agents/writer.md': '---\ndescription: Writes texts\nmode: primary\n---\nYou write.',
  '.agents/agents/helper.md': '---\ndescription: Helps\nmode: subagent\n---\nYou help.',
}

const menu = (name: string) =>
  screen.findByRole('button', { name: new RegExp(`^Agent of this chat: ${name}$`) })

async function choose(from: string, to: RegExp): Promise<void> {
  fireEvent.click(await menu(from))
  fireEvent.click(await screen.findByRole('menuitem', { name: to }))
}

type Lab = Awaited<ReturnType<typeof openChatLab>>

/** A lab in which the agents of the project are allowed. */
async function openLab(): Promise<Lab> {
  const lab = await openChatLab({ files: FILES })
  for (const { digest } of await lab.sessions.sources.trust.list({}))
    await lab.sessions.sources.trust.grant({}, digest)
  return lab
}

/** The agent of the only chat, and those that its questions name. */
async function agentsOf(lab: Lab) {
  const [session] = (await lab.sessions.list({})).items
  const { items } = await lab.sessions.messages({ sessionId: session?.id ?? '' })
  const asked = items.filter(({ role }) => role === 'user').map(({ metadata }) => metadata?.agent ?? null)
  return { own: session?.agent, asked }
}

test('SA-7 a new chat is opened with the agent that was chosen, and one for subtasks is not offered', async () => {
  await using lab = await openLab()
  using page = lab.open('/')
  fireEvent.click(await menu('assistant'))
  await screen.findByRole('menuitem', { name: /assistant\s*, chosen/ })
  expect(screen.queryByRole('menuitem', { name: /helper/ })).toBeNull()
  fireEvent.click(screen.getByRole('menuitem', { name: /writer/ }))
  await menu('writer')
  await page.send('Hello')
  await page.reads('A reply.')
  await waitFor(async () => expect(await agentsOf(lab)).toEqual({ own: 'writer', asked: [null] }))
  await menu('writer')
})

test('SA-7 another agent is chosen in the middle of a chat, and stays chosen after a reload', async () => {
  await using lab = await openLab()
  const first = lab.open('/')
  await first.send('Hello')
  await first.reads('A reply.')
  await choose('assistant', /writer/)
  await menu('writer')
  await first.send('Write')
  await waitFor(async () =>
    expect(await agentsOf(lab)).toEqual({ own: 'assistant', asked: [null, 'writer'] }),
  )
  await first.send('More')
  await waitFor(async () => expect((await agentsOf(lab)).asked).toEqual([null, 'writer', 'writer']))
  first.leave()
  const [session] = (await lab.sessions.list({})).items
  using again = lab.open(`/s/${session?.id}`)
  await choose('writer', /assistant/)
  await menu('assistant')
  await again.send('Back')
  await waitFor(async () => expect((await agentsOf(lab)).asked).toEqual([null, 'writer', 'writer', null]))
})

test('SA-7 nothing is offered where there is one agent for chats', async () => {
  await using lab = await openChatLab({ files: FILES })
  using page = lab.open('/')
  await page.send('Hello')
  await page.reads('A reply.')
  expect(screen.queryByRole('button', { name: /^Agent of this chat/ })).toBeNull()
})

test('SA-7 an agent whose consent was withdrawn is named as gone, and another can be chosen', async () => {
  await using lab = await openLab()
  const { id } = await lab.sessions.create({ agent: 'writer' })
  for (const { digest } of await lab.sessions.sources.trust.list({}))
    await lab.sessions.sources.trust.revoke(digest)
  using page = lab.open(`/s/${id}`)
  await choose('writer\\s*, no longer available: choose another', /assistant/)
  await page.send('Hello')
  await page.reads('A reply.')
  expect(await agentsOf(lab)).toEqual({ own: 'writer', asked: ['assistant'] })
})
