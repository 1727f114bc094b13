import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChatMessage } from '../../domain/message.ts'
import { openSubagentLab, task } from '../../testing/subagent-lab.ts'
import { createTaskTool } from '../../tool/task.ts'
import { mentionReminders } from './mentioned-agents.ts'

const AGENTS = [{ id: 'explore' }, { id: 'general' }, { id: 'code-review' }]
const CALLER = { tools: [createTaskTool([])] }

const said = (...texts: string[]): ChatMessage => ({
  id: 'm',
  role: 'user',
  parts: texts.map((text) => ({ type: 'text', text })),
})
const named = (...texts: string[]) =>
  mentionReminders(said(...texts), CALLER, AGENTS).map((text) => /@(\S+):/.exec(text)?.[1])

test.for([
  ['@explore look for the parser', ['explore']],
  ['Look for it (@explore), then\n@code-review.', ['code-review']],
  ['Please @explore, and @general!', ['explore', 'general']],
  ['@explore and @explore', ['explore']],
  ['me@explore.com, @exploreX, @Explore, @src/explore.ts, @@explore, @', []],
  ['No mention', []],
] as const)('UI-12 “%s” names its subagents', ([text, agents]) => {
  expect(named(text)).toEqual(agents)
})

test('UI-12 an agent that starts no subagents, and a run without a message, get no reminder', () => {
  expect(mentionReminders(said('@explore'), { tools: [] }, AGENTS)).toEqual([])
  expect(mentionReminders(null, CALLER, AGENTS)).toEqual([])
})

test('UI-12 whatever is written, only known subagents are named, each once and at most five', () => {
  const many = Array.from({ length: 9 }, (_, index) => ({ id: `a${index}` }))
  const word = fc.oneof(fc.constantFrom(...many.map(({ id }) => `@${id}`)), fc.string({ maxLength: 8 }))
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), (words) => {
      const reminders = mentionReminders(said(words.join(' ')), CALLER, many)
      expect(reminders.length).toBeLessThanOrEqual(5)
      expect(new Set(reminders).size).toBe(reminders.length)
      for (const reminder of reminders) expect(reminder).toMatch(/"a\d"/)
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
