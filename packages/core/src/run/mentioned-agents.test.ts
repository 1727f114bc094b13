import { openSubagentLab, task } from '@palimpsest/testing/subagent-lab.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChatMessage } from '../domain/message/message.ts'
import { createAgents } from '../session/agents.ts'
import { createTaskTool } from '../tool/task.ts'
import { mentionReminders } from './mentioned-agents.ts'

const AGENTS = ['explore', 'general', 'code-review']
const CALLER = { tools: [createTaskTool([])] }
const [general] = [...createAgents().values()].filter(({ id }) => id === 'general')

/** The ids that the reminders of a message name. */
async function namedBy(
  question: ChatMessage | null,
  known: readonly string[] = AGENTS,
  agent: { tools: readonly { id: string }[] } = CALLER,
) {
  const subagentsIn = () => Promise.resolve(known.flatMap((id) => (general ? [{ ...general, id }] : [])))
  const reminders = await mentionReminders(
    { session: { workspaceRoot: null }, agent, question },
    { subagentsIn },
  )
  return reminders.map(({ text }) => /@(\S+):/.exec(text)?.[1])
}

const said = (text: string): ChatMessage => ({
  id: 'm',
  role: 'user',
  parts: [{ type: 'text', text }],
})
test.for([
  ['@explore look for the parser', ['explore']],
  ['Look for it (@explore), then\n@code-review.', ['explore', 'code-review']],
  ['Please @explore, and @general!', ['explore', 'general']],
  ['@explore and @explore', ['explore']],
  ['me@explore.com, @exploreX, @Explore, @src/explore.ts, @@explore, @', []],
  ['No mention', []],
] as const)('UI-12 “%s” names its subagents', async ([text, agents]) => {
  expect(await namedBy(said(text))).toEqual(agents)
})

test('UI-12 an agent that starts no subagents, and a run without a message, get no reminder', async () => {
  expect(await namedBy(said('@explore'), AGENTS, { tools: [] })).toEqual([])
  expect(await namedBy(null)).toEqual([])
})

test('UI-12 whatever is written, only known subagents are named, each once and at most five', async () => {
  const many = Array.from({ length: 9 }, (_, index) => `a${index}`)
  const word = fc.oneof(fc.constantFrom(...many.map((id) => `@${id}`)), fc.string({ maxLength: 8 }))
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 30 }), async (words) => {
      const named = await namedBy(said(words.join(' ')), many)
      expect(named.length).toBeLessThanOrEqual(5)
      expect(new Set(named).size).toBe(named.length)
      for (const id of named) expect(many).toContain(id)
    }),
  )
})

test('UI-12 SY-6 the model is reminded of a named subagent once, and the message stays as it was written', async () => {
  await using lab = await openSubagentLab({
    'Let @general count': [{ toolCalls: [task('Count')] }, { text: 'Seven' }],
    Count: [{ text: '7' }],
  })
  const { messages } = await lab.turn('Let @general count')
  expect(messages[0]?.parts).toMatchObject([{ type: 'text', text: 'Let @general count' }])
  const reminded = lab.steps.map(({ body }) => JSON.stringify(body).includes('names the subagent'))
  expect(reminded).toEqual([true, false, false])
})
