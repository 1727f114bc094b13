import { expect, test, vi } from 'vitest'
import { ATTACKS } from '../attacks/attacks.ts'
import { measureAttacks } from './attacks.ts'

// The rest after an attack is not part of any figure.
vi.mock('node:timers/promises', () => ({ setTimeout: () => Promise.resolve() }))

/** A server that an attack blocks for as many milliseconds as `blocks` says. */
function attacked(blocks: (attack: number) => number) {
  let longest = 0
  const attacks: number[] = []
  const run = (attack: number, ending: string) => {
    attacks.push(attack)
    longest = Math.max(longest, blocks(attack))
    return Promise.resolve(ending)
  }
  return {
    attacks,
    attack: (index: number) => run(index, 'finish'),
    nestedRequest: () => run(-1, 'HTTP 400'),
    longestBlockMs() {
      const measured = longest
      longest = 0
      return Promise.resolve(measured)
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

test('SX-10 each attack has a row with its own longest time, the first run aside', async () => {
  let runs = 0
  const target = attacked((attack) => (runs++ === 0 ? 900 : attack + 10))
  const rows = await measureAttacks(target, 0)
  expect(target.attacks).toEqual([0, ...ATTACKS.keys(), -1])
  expect(rows.map(({ ours }) => Number.parseFloat(ours))).toEqual(
    [...ATTACKS.keys(), -1].map((at) => at + 10),
  )
  expect(rows.at(-1)).toMatchObject({
    what: expect.stringContaining('16 MB of nested arrays'),
    result: 'HTTP 400',
  })
})

test('SX-10 a loop that is blocked for more than 50 ms exceeds the goal', async () => {
  const rows = await measureAttacks(
    attacked((attack) => (attack === 3 ? 51 : 50)),
    0,
  )
  expect(rows.filter(({ holds }) => !holds)).toEqual([rows[3]])
})
