import { expect, test } from 'vitest'
import type { DemoConversation, DemoToolResult } from './demo-conversation.ts'
import { nextToolMove } from './tool-plan.ts'

const ok = (toolName: string): DemoToolResult => ({ toolName, text: 'fine\nlines', failed: false })
const conversation = (results: DemoToolResult[]): DemoConversation => ({
  instructions: '',
  said: 'tools',
  files: 0,
  turn: 1,
  results,
  written: '',
})

/** The names of the calls until the model has nothing more to do. */
function callsWith(available: string[], answer = ok): string[] {
  const results: DemoToolResult[] = []
  for (let step = 0; step < 10; step += 1) {
    const { call } = nextToolMove(conversation(results), new Set(available))
    if (call === null) break
    results.push(answer(call.toolName))
  }
  return results.map((result) => result.toolName)
}

test('MO-5 a demonstration of tools plans, reads, ticks off and ends', () => {
  expect(callsWith(['todo', 'read'])).toEqual(['todo', 'read', 'todo'])
  expect(callsWith(['todo'])).toEqual(['todo', 'todo'])
  expect(callsWith(['read'])).toEqual([])
})

test('MO-5 a demonstration of tools ends even when every tool fails', () => {
  const failing = (toolName: string) => ({ toolName, text: 'no', failed: true })
  expect(callsWith(['todo', 'read'], failing)).toEqual(['todo', 'read', 'todo'])
})

test('MO-5 the summary of a demonstration says what happened', () => {
  const available = new Set(['todo', 'read'])
  const fine = nextToolMove(conversation([ok('todo'), ok('read'), ok('todo')]), available)
  expect(fine.say).toContain('3 tool calls')
  expect(fine.say).toContain('2 lines')
  const failed = { ...ok('read'), failed: true }
  const less = nextToolMove(conversation([ok('todo'), failed, ok('todo')]), available)
  expect(less.say).toContain('of which 1 failed')
})

test('MO-5 the list is written with exactly one task in progress until all are done', () => {
  const first = nextToolMove(conversation([]), new Set(['todo'])).call
  const last = nextToolMove(conversation([ok('todo')]), new Set(['todo'])).call
  const states = (input: unknown) => JSON.stringify(input).match(/pending|in_progress|completed/g)
  expect(states(first?.input)).toEqual(['completed', 'in_progress', 'pending'])
  expect(states(last?.input)).toEqual(['completed', 'completed', 'completed'])
})
