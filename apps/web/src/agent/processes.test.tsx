// @vitest-environment happy-dom
import type { ChatMessage } from '@palimpsest/core/domain'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'
import { agentWords } from '../words/en-agent.ts'
import { backgroundCalls } from './use-processes.ts'

const { processes: words } = agentWords

type Lab = Awaited<ReturnType<typeof openChatLab>>

/** A chat whose reply has started commands in the background. */
async function runInBackground(lab: Lab, ...lines: string[]) {
  const chat = await lab.openTalk('Before')
  await lab.sessions.permissions.setMode(chat.id, 'full-access')
  let speaker = await lab.beginReply(chat, 'Go', 'Well')
  for (const command of lines) {
    speaker.call('bash', { command, background: true })
    speaker = await lab.models.speaker()
  }
  speaker.say('They run')
  speaker.finish()
  await chat.reads('They run')
  return chat
}

const chip = (count: number) => screen.findByRole('button', { name: words.running(count) })
const dialog = () => screen.findByRole('dialog', { name: words.title })
const rows = async () => within(await dialog()).findAllByRole('listitem')

test('UI-9 a chip in the header counts the commands that run, and opens their list', async () => {
  await using lab = await openChatLab({ runsCommands: true })
  using chat = await runInBackground(lab, 'npm run dev', 'npm run watch')
  await chat.click(words.running(2))
  const [last, first] = await rows()
  expect(last?.textContent).toMatch(/^npm run watchRunning for [\d.]+\u00A0m?s · started /)
  expect(first?.textContent).toMatch(/^npm run dev/)
})

test('UI-9 the output of a command is read on while it runs', async () => {
  await using lab = await openChatLab({ runsCommands: true })
  using chat = await runInBackground(lab, 'npm run dev')
  lab.commands[0]?.print('ready on \u001B[32m:4000\u001B[0m\n')
  await chat.click(words.running(1))
  const output = await screen.findByRole('log', { name: words.outputOf('npm run dev') })
  expect(output.textContent).toBe('ready on :4000\n')
  lab.commands[0]?.print('GET /\n')
  await waitFor(() => expect(output.textContent).toBe('ready on :4000\nGET /\n'))
})

test('UI-9 a command that says nothing says so', async () => {
  await using lab = await openChatLab({ runsCommands: true })
  using chat = await runInBackground(lab, 'sleep 100')
  await chat.click(words.running(1))
  await within(await dialog()).findByText(words.noOutput)
})

test('UI-9 Stop ends a command, which stays in the list as stopped, and the chip goes', async () => {
  await using lab = await openChatLab({ runsCommands: true })
  using chat = await runInBackground(lab, 'npm run dev')
  await chat.click(words.running(1))
  await chat.click('Stop: npm run dev')
  await within(await dialog()).findByText(/^Stopped · /)
  expect(lab.commands[0]?.ends).toBeGreaterThan(0)
  await waitFor(() => expect(screen.queryByRole('button', { name: words.running(1) })).toBeNull())
  expect(screen.queryByRole('button', { name: 'Stop: npm run dev' })).toBeNull()
})

test.for([
  [0, 'Finished'],
  [3, 'Failed with exit code 3'],
] as const)('UI-9 a command that exits by itself with %i reads "%s"', async ([code, state]) => {
  await using lab = await openChatLab({ runsCommands: true })
  using chat = await runInBackground(lab, 'make')
  await chip(1)
  lab.commands[0]?.exit({ code })
  await chat.send('/processes')
  await within(await dialog()).findByText(new RegExp(`^${state} · `))
})

test('UI-9 commands of another chat are not listed', async () => {
  await using lab = await openChatLab({ runsCommands: true })
  using chat = await runInBackground(lab, 'npm run dev')
  lab.models.answer('A reply.')
  const other = await lab.talk(['Another'])
  chat.app.router.push({ sessionId: other, anchor: null })
  await chat.reads('Another')
  await chat.send('/processes')
  await within(await dialog()).findByText(words.emptyHint)
  expect(screen.queryByRole('button', { name: words.running(1) })).toBeNull()
})

const message = (...parts: object[]) => ({ id: 'm', role: 'assistant', parts }) as unknown as ChatMessage
const call = (type: string, input: object, state = 'output-available') => ({
  type,
  toolCallId: 'c',
  input,
  state,
})

test('UI-9 only calls of the last message that have started or stopped a command count', () => {
  const started = call('tool-bash', { command: 'a', background: true })
  expect(backgroundCalls([message(started), message()])).toBe(0)
  expect(
    backgroundCalls([
      message(
        started,
        call('tool-bash_stop', { id: 'p' }),
        call('tool-bash', { command: 'b' }),
        call('tool-bash', { command: 'c', background: true }, 'input-available'),
        call('tool-read', { path: 'a' }),
        { type: 'text', text: '' },
      ),
    ]),
  ).toBe(2)
  expect(backgroundCalls([])).toBe(0)
})
