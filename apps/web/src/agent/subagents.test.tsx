// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'
import { agentWords } from '../words/en-agent.ts'

const { subagent: words } = agentWords

type Lab = Awaited<ReturnType<typeof openChatLab>>

const card = () => screen.findByRole('group', { name: words.label('general') })
const says = (text: string | RegExp) => waitFor(async () => expect((await card()).textContent).toMatch(text))

/** A chat whose reply has asked a subagent, and what that subagent says. */
async function askSubagent(lab: Lab, more: object = {}) {
  const chat = await lab.openTalk('Before')
  const speaker = await lab.beginReply(chat, 'Go', 'I ask')
  speaker.call('task', { subagent_type: 'general', prompt: 'Count the files', ...more })
  return chat
}

/** The subagent's own session. */
async function childOf(lab: Lab, parentId: string): Promise<string> {
  return await waitFor(async () => {
    const { items } = await lab.sessions.list({ parentId })
    expect(items).toHaveLength(1)
    return items[0]?.id ?? ''
  })
}

test('SA-5 a subagent is watched in its call while it works, by one line that unfolds to its steps', async () => {
  await using lab = await openChatLab({ files: { 'a.md': 'Alpha' } })
  using chat = await askSubagent(lab)
  const child = await lab.models.speaker()
  child.say('First I look')
  await says('First I look')
  await chat.click(/^general/)
  await within(await card()).findByText('First I look', { selector: 'p' })
  child.call('glob', { pattern: '*.md' })
  const again = await lab.models.speaker()
  await within(await card()).findByRole('button', { name: /^Found files/ })
  again.say('There is one')
  await within(await card()).findByText('There is one', { selector: 'p' })
  again.finish()
  const parent = await lab.models.speaker()
  await says(/^general ?Done · /)
  expect(within(await card()).queryByRole('button', { name: words.stopOf('general') })).toBeNull()
  parent.say('So it is one')
  parent.finish()
  await chat.reads('So it is one')
  const link = within(await card()).getByRole('link', { name: words.openOf('general') })
  expect(link.getAttribute('href')).toBe(`/s/${await childOf(lab, chat.id)}`)
})

test('SA-5 a page that is opened while a subagent works shows it', async () => {
  await using lab = await openChatLab()
  const chat = await askSubagent(lab)
  const child = await lab.models.speaker()
  child.say('Half of it')
  await says('Half of it')
  chat.leave()
  using _again = lab.open(`/s/${chat.id}`)
  await says('Half of it')
  child.say(' and the rest')
  await says('Half of it and the rest')
  child.finish()
  ;(await lab.models.speaker()).finish()
  await says(/Done · /)
})

test('SA-4 SA-5 Stop in the card ends the subagent alone, its call says so, and the reply goes on', async () => {
  await using lab = await openChatLab()
  using chat = await askSubagent(lab)
  ;(await lab.models.speaker()).say('Half of it')
  await says('Half of it')
  await chat.click(words.stopOf('general'))
  const parent = await lab.models.speaker()
  await says(/^general ?Stopped/)
  expect(document.activeElement?.getAttribute('aria-expanded')).toBe('false')
  parent.say('Then without it')
  parent.finish()
  await chat.reads('Then without it')
  const { items } = await lab.sessions.messages({ sessionId: chat.id })
  expect(JSON.stringify(items.at(-1)?.parts)).toContain('The subagent was stopped before it had finished.')
})

test('SA-5 a subagent in the background shows its state before and after it has ended, and after a reload', async () => {
  await using lab = await openChatLab()
  const chat = await askSubagent(lab, { background: true })
  const [one, two] = [await lab.models.speaker(), await lab.models.speaker()]
  for (const speaker of [one, two]) speaker.say('Some words')
  await says('Some words')
  for (const speaker of [one, two]) speaker.finish()
  await says(/Done · /)
  await chat.reads(/has finished what it did in the background/)
  chat.leave()
  using _again = lab.open(`/s/${chat.id}`)
  await says(/Done · /)
})

test('SA-5 the page of a subagent names it and leads back, without a mode, archiving and deletion', async () => {
  await using lab = await openChatLab()
  using chat = await askSubagent(lab)
  ;(await lab.models.speaker()).say('Half of it')
  await says('Half of it')
  await screen.findByRole('button', { name: /^Mode: / })
  within(await card())
    .getByRole('link', { name: words.openOf('general') })
    .click()
  await screen.findByText(words.page('general'))
  await chat.reads('Half of it')
  expect(screen.queryByRole('button', { name: /^Mode: / })).toBeNull()
  await chat.click('Chat actions')
  await screen.findByRole('menuitem', { name: 'Rename' })
  expect(screen.queryByRole('menuitem', { name: /^(Archive|Delete)/ })).toBeNull()
  screen.getByRole('link', { name: words.back }).click()
  await says('Half of it')
})
