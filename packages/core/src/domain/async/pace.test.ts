import { expect, test } from 'vitest'
import { createPace, eachAtPace } from './pace.ts'

/** A clock of which each look takes `ms`, and that counts turns. */
function ticking(ms: number) {
  let now = 0
  const clock = {
    turns: 0,
    elapsed: () => (now += ms),
    turn: () => {
      clock.turns += 1
      return Promise.resolve()
    },
  }
  return clock
}

async function turnsOf(items: number, ms: number): Promise<number> {
  const clock = ticking(ms)
  const pace = createPace(clock)
  for (let item = 0; item < items; item++) await pace()
  return clock.turns
}

test('SX-10 a loop of fewer than 250 quick items takes no turn', async () => {
  expect(await turnsOf(249, 0)).toBe(0)
  expect(createPace(ticking(0))()).toBeUndefined()
})

test('SX-10 other work has a turn after each 250 items, however quick they are', async () => {
  expect(await turnsOf(250, 0)).toBe(1)
  expect(await turnsOf(10_000, 0)).toBe(40)
})

test('SX-10 other work has a turn after 5 ms, however few the items are, and time in the turn does not count', async () => {
  expect(await turnsOf(4, 1)).toBe(0)
  expect(await turnsOf(5, 1)).toBe(1)
  expect(await turnsOf(12, 1)).toBe(2)
  expect(await turnsOf(3, 5)).toBe(3)
})

test('SX-10 few items are visited before the call returns, and many in order with a turn after each 250', async () => {
  const clock = ticking(0)
  const visited: number[] = []
  const at: number[] = []
  const visit = (item: number) => {
    visited.push(item)
    at.push(clock.turns)
  }
  const few = Array.from({ length: 249 }, (_, item) => item)
  expect(eachAtPace(few, createPace(clock), visit)).toBeUndefined()
  expect(visited).toEqual(few)

  const many = Array.from({ length: 600 }, (_, item) => item)
  await eachAtPace(many, createPace(clock), visit)
  expect(visited).toEqual([...few, ...many])
  expect(at.filter((turns) => turns === 1)).toHaveLength(250)
  expect(at.at(-1)).toBe(2)
})

test('SX-10 a visit that fails after a turn fails the loop', async () => {
  const visit = (item: number) => {
    if (item === 300) throw new Error('no')
  }
  const many = Array.from({ length: 400 }, (_, item) => item)
  await expect(eachAtPace(many, createPace(ticking(0)), visit)).rejects.toThrow('no')
})
