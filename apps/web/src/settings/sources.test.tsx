// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'

const FILES = {
  'AGENTS.md': 'x'.repeat(40_000),
  '.agents/skills/pdf/SKILL.md':
    '---\nname: pdf\ndescription: Reads PDF files\nallowed-tools: Bash\n---\nBody',
  '.agents/agents/reviewer.md': '---\ndescription: Reviews changes\nmode: subagent\n---\nYou review.',
  '.agents/commands/review.md':
    '---\ndescription: Review a file\nargument-hint: "[path]"\n---\nReview $ARGUMENTS please',
  '.agents/commands/tidy.md': 'Tidy up everything',
}

test('UI-31 SY-3 SY-4 the skills section shows instructions and skills with source and warnings', async () => {
  await using lab = await openChatLab({ files: FILES })
  using _page = lab.open('/settings/skills')
  const instructions = await screen.findByRole('region', { name: 'Instructions' })
  expect(instructions.textContent).toMatch(/AGENTS\.md.*Folder of the chat.*not read whole/)
  const skills = screen.getByRole('region', { name: 'Skills' })
  expect(skills.textContent).toMatch(/pdf.*Folder of the chat.*Reads PDF files/)
  expect(skills.textContent).toContain('Its allowed-tools give no permission.')
})

test('UI-31 SA-7 an agent of the project is read, allowed, and withdrawn', async () => {
  await using lab = await openChatLab({ files: FILES })
  using page = lab.open('/settings/agents')
  const agents = await screen.findByRole('region', { name: 'Agents of files' })
  expect(agents.textContent).toMatch(/reviewer.*for subtasks.*Not allowed yet/)
  expect(within(agents).queryByRole('button', { name: /Allow/ })).toBeNull()
  await page.click('Read .agents/agents/reviewer.md')
  expect(await screen.findByText(/You review\./)).toBeTruthy()
  await page.click('Allow .agents/agents/reviewer.md')
  await screen.findByRole('button', { name: 'Withdraw the consent to .agents/agents/reviewer.md' })
  expect((await lab.sessions.sources.agents({})).items).toMatchObject([{ id: 'reviewer', allowed: true }])
  await page.click('Withdraw the consent to .agents/agents/reviewer.md')
  await screen.findByText(/Not allowed yet/)
  expect((await lab.sessions.sources.agents({})).items).toMatchObject([{ id: 'reviewer', allowed: false }])
})

test('UI-31 SA-7 an agent that two folders bring is allowed for chats of the folder in which a person allowed it', async () => {
  await using lab = await openChatLab({ files: FILES, folders: ['/srv/site', '/srv/notes'] })
  using page = lab.open('/settings/agents')
  const agents = await screen.findByRole('region', { name: 'Agents of files' })
  const rows = () => within(agents).getAllByRole('listitem')
  expect(rows().map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('/srv/site · Not allowed yet'),
    expect.stringContaining('/srv/notes · Not allowed yet'),
  ])
  await page.click('Read /srv/notes/.agents/agents/reviewer.md')
  await page.click('Allow /srv/notes/.agents/agents/reviewer.md')
  await screen.findByRole('button', {
    name: 'Withdraw the consent to /srv/notes/.agents/agents/reviewer.md',
  })
  const allowedIn = async (workspaceRoot: string) =>
    (await lab.sessions.sources.agents({ workspaceRoot })).items.map(({ allowed }) => allowed)
  expect([await allowedIn('/srv/site'), await allowedIn('/srv/notes')]).toEqual([[false], [true]])
})

test('UI-31 SY-3 SY-4 instructions and skills are listed for each folder that chats use', async () => {
  await using lab = await openChatLab({ files: FILES, folders: ['/srv/site', '/srv/notes'] })
  using _page = lab.open('/settings/skills')
  for (const name of ['Instructions', 'Skills']) {
    const text = (await screen.findByRole('region', { name })).textContent
    expect(text).toMatch(/\/srv\/site.*\/srv\/notes/)
  }
})

test('UI-31 what is not there is said', async () => {
  await using lab = await openChatLab()
  using _page = lab.open('/settings/agents')
  await screen.findByText(/No agents were found/)
  await screen.findByText(/No commands were found/)
})

test('UI-12 a command of a file is offered, and sends its text with what is written behind it', async () => {
  await using lab = await openChatLab({ files: FILES })
  using chat = await lab.openTalk('Hello')
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
  fireEvent.change(field, { target: { value: '/rev' } })
  await screen.findByRole('option', { name: /\/review.*\[path\].*Review a file/ })
  fireEvent.change(field, { target: { value: '/review src/a.ts' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  await chat.reads('Review src/a.ts please')
  expect(field.value).toBe('')
})

test('UI-12 a command without arguments sends its text when it is chosen, and no literal command reaches the model', async () => {
  await using lab = await openChatLab({ files: FILES })
  using chat = await lab.openTalk('Hello')
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
  fireEvent.change(field, { target: { value: '/tid' } })
  fireEvent.click(await screen.findByRole('option', { name: /\/tidy/ }))
  await chat.reads('Tidy up everything')
  expect(document.body.textContent).not.toContain('/tid')
})
