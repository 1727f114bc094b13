import { expect, test, vi } from 'vitest'
import { BUSY_ACTS } from '../targets/busy-target.ts'
import { measureBusy } from './busy.ts'

// The rest after an act is not part of any figure.
vi.mock('node:timers/promises', () => ({ setTimeout: () => Promise.resolve() }))

test('SX-10 each work on a long session has a row with its own longest time, and more than 50 ms exceeds the goal', async () => {
  const acts: string[] = []
  let longest = 900
  const target = {
    act(name: string) {
      longest = Math.max(longest, 48 + acts.length)
      acts.push(name)
      return Promise.resolve()
    },
    longestBlockMs() {
      const measured = longest
      longest = 0
      return Promise.resolve(measured)
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
  const rows = await measureBusy(target, { messages: 7, words: 1, files: 9 }, 0)
  expect(acts).toEqual([...BUSY_ACTS])
  expect(rows.map(({ ours }) => Number.parseFloat(ours))).toEqual([48, 49, 50, 51, 52])
  expect(rows.map(({ holds }) => holds)).toEqual([true, true, true, false, false])
  expect(rows.map(({ what }) => what)).toContain('longest blocked loop, first snapshot of 9 files')
  expect(rows.map(({ what }) => what)).toContain('longest blocked loop, import of 7 messages')
})
