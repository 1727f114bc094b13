import { expect, test } from 'vitest'
import { nextBudgetMove } from './budget-plan.ts'
import type { DemoConversation, DemoToolResult } from './demo-conversation.ts'

const ok: DemoToolResult = { toolName: 'todo', text: 'fine', failed: false }
const refused: DemoToolResult = { ...ok, text: 'The budget is spent.', failed: true }
const conversation = (results: DemoToolResult[]): DemoConversation => ({
  instructions: '',
  said: 'spend your budget',
  files: 0,
  turn: 1,
  results,
  written: '',
})
const move = (results: DemoToolResult[]) => nextBudgetMove(conversation(results), new Set(['todo']))

/** What is called until the model has nothing more to do. */
function callsWith(resultOf: (call: number) => DemoToolResult): string[] {
  const results: DemoToolResult[] = []
  const calls: string[] = []
  for (let next = move(results).call; next !== null; next = move(results).call) {
    calls.push(JSON.stringify(next.input))
    results.push(resultOf(calls.length))
  }
  return calls
}

test('MO-5 a demonstration of budgets makes eight calls, each with other arguments', () => {
  const calls = callsWith(() => ok)
  expect(calls).toHaveLength(8)
  expect(new Set(calls).size).toBe(8)
})

test('MO-5 a call that the budget refused is made again, and a demonstration that is always refused ends', () => {
  const calls = callsWith((call) => (call === 3 ? refused : ok))
  expect(calls).toHaveLength(9)
  expect(calls[3]).toBe(calls[2])
  expect(callsWith(() => refused)).toHaveLength(16)
})

test('MO-5 a demonstration of budgets says how a limit is set, and needs tools', () => {
  expect(move(Array.from({ length: 8 }, () => ok)).say).toContain('**Budget**')
  expect(nextBudgetMove(conversation([]), new Set()).call).toBeNull()
})
