import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Row } from '../table.ts'
import { type Behaviour, createFakeTarget, type FakeTime, fakeTime } from '../testing/fake-target.ts'
import { measureBurst } from './burst.ts'
import { measureCrowd } from './crowd.ts'
import { measureFirstDelta } from './first-delta.ts'
import { peakMemory } from './peak-memory.ts'
import { measureSoak } from './soak.ts'
import { measureFlatOut, measureStranger } from './stranger.ts'

// The pauses between two measurements are not part of any figure.
vi.mock('node:timers/promises', () => ({ setTimeout: () => Promise.resolve() }))

const MEGABYTE = 1024 * 1024

let time: FakeTime
beforeEach(() => {
  time = fakeTime()
})
afterEach(() => vi.restoreAllMocks())

/** Both targets, each with a pace or a behaviour of its own. */
function targets(bare: Behaviour | number, ours: Behaviour | number) {
  const behaviour = (given: Behaviour | number) =>
    typeof given === 'number' ? { takes: () => given } : given
  return [
    createFakeTarget('bare', time, behaviour(bare)),
    createFakeTarget('ours', time, behaviour(ours)),
  ] as const
}

function named(rows: readonly Row[], end: string): Row {
  const row = rows.find(({ what }) => what.endsWith(end))
  if (row === undefined) throw new Error(`There is no row ${end}`)
  return row
}

test('PF-1 only the first delta is timed', async () => {
  const late = (first: number): Behaviour => ({ takes: (_question, delta) => (delta === 0 ? first : 500) })
  const [median, p99] = await measureFirstDelta(targets(late(4), late(7)), 10)
  expect(median).toMatchObject({ bare: '4.00 ms', ours: '7.00 ms', result: '+ 3.00 ms', holds: true })
  expect(p99).toMatchObject({ bare: '4.00 ms', ours: '7.00 ms', result: '+ 3.00 ms', holds: true })
})

test('PF-1 targets alternate, and warm-up rounds are not counted', async () => {
  const both = targets(
    { takes: (question) => (question < 30 ? 900 : 4) },
    { takes: (question) => (question < 30 ? 900 : 6) },
  )
  const rows = await measureFirstDelta(both, 5)
  expect(both.map(({ asked }) => asked.length)).toEqual([35, 35])
  expect(rows.map(({ bare, ours }) => [bare, ours])).toEqual([
    ['4.00 ms', '6.00 ms'],
    ['4.00 ms', '6.00 ms'],
  ])
  expect(both.map(({ opened }) => opened)).toEqual([0, 0])
})

test('PF-1 one slow delta in a hundred is in the p99 and not in the median', async () => {
  const oneSlow: Behaviour = { takes: (question, delta) => (delta > 0 ? 0 : question < 32 ? 90 : 5) }
  const [median, p99] = await measureFirstDelta(targets(5, oneSlow), 100)
  expect(median).toMatchObject({ ours: '5.00 ms', result: '+ 0.00 ms', holds: true })
  expect(p99).toMatchObject({ ours: '90.0 ms', result: '+ 85.0 ms', holds: false })
})

test('PF-1 a negative difference is printed when ours is faster', async () => {
  const [median] = await measureFirstDelta(targets(4, 3), 3)
  expect(median).toMatchObject({ result: '- 1.00 ms', holds: true })
})

test('PF-1 more than five milliseconds exceed the goal', async () => {
  expect((await measureFirstDelta(targets(1, 6), 3))[0]).toMatchObject({ result: '+ 5.00 ms', holds: true })
  expect((await measureFirstDelta(targets(1, 6.1), 3))[0]).toMatchObject({
    result: '+ 5.10 ms',
    holds: false,
  })
})

test('PF-2 rates are text by time, and each round of ours is compared with bare’s of the same round', async () => {
  // Both targets slow down with every round: their ratio does not change.
  const slower = (base: number): Behaviour => ({ takes: (question) => base * (question + 1) })
  const row = await measureBurst(targets(slower(1), slower(2)), 100, 3)
  expect(row).toMatchObject({
    bare: '333/s',
    ours: '167/s',
    result: '0.50 × / 0.50 × / 0.50 ×',
    goal: '≥ 0.70 ×',
    holds: false,
  })
})

test('PF-2 a burst with merged deltas counts by its text', async () => {
  let waiting = ''
  const merged: Behaviour = {
    takes: () => 1,
    deliver(text, _question, delta) {
      waiting += text
      if (delta % 10 !== 9) return []
      const all = waiting
      waiting = ''
      return [all]
    },
  }
  expect(await measureBurst(targets(1, merged), 50, 1)).toMatchObject({ ours: '1000/s', holds: true })
})

test.each(['bare', 'ours'] as const)(
  'PF-2 text that %s loses or doubles fails the benchmark',
  async (name) => {
    const losing: Behaviour = {
      takes: () => 1,
      deliver: (text, _, delta) => (delta === 7 ? [] : [text]),
    }
    const doubling: Behaviour = {
      takes: () => 1,
      deliver: (text, _, delta) => (delta === 7 ? [text, text] : [text]),
    }
    for (const broken of [losing, doubling]) {
      const pair = name === 'bare' ? targets(broken, 1) : targets(1, broken)
      await expect(measureBurst(pair, 20, 1)).rejects.toThrow(`${name} lost text`)
    }
  },
)

test('PF-2 several rounds start with a warm-up that is not counted; a single one has none', async () => {
  const both = targets({ takes: (question) => (question === 0 ? 50 : 1) }, 1)
  expect(await measureBurst(both, 10, 2)).toMatchObject({ bare: '1000/s' })
  expect(both[0].asked).toHaveLength(3)
  expect(await measureBurst(targets({ takes: () => 2 }, 1), 10, 1)).toMatchObject({ bare: '500/s' })
})

test('PF-3 the delay of a delta is from its sending to its arrival, on either target by its own stamp', async () => {
  const rows = await measureCrowd(
    targets({ takes: () => 1, delay: () => 2 }, { takes: () => 1, delay: () => 3 }),
    3,
    1,
  )
  expect(named(rows, 'delay, median')).toMatchObject({ bare: '2.00 ms', ours: '3.00 ms' })
  expect(named(rows, 'delay, p99').result).toBe('1.50 × / 1.50 × / 1.50 ×')
  expect(named(rows, 'wall')).toMatchObject({ bare: '900 ms', ours: '1200 ms' })
})

test('PF-3 stamps that arrive cut, or several at once, are read correctly', async () => {
  let held = ''
  const cut: Behaviour = {
    takes: () => 1,
    deliver(text, _question, delta) {
      const all = held + text
      const at = delta === 99 || delta === 19 ? all.length : Math.max(1, all.length - 5)
      held = all.slice(at)
      return [all.slice(0, 4), all.slice(4, at)]
    },
  }
  const rows = await measureCrowd(targets(1, cut), 2, 1)
  expect(named(rows, 'deltas lost')).toMatchObject({ bare: '0', ours: '0', holds: true })
  expect(Number.parseFloat(named(rows, 'delay, p99').ours)).toBeLessThanOrEqual(2)
})

test('PF-3 a lost delta is counted, and one exceeds the goal', async () => {
  const losing: Behaviour = {
    takes: () => 1,
    deliver: (text, question, delta) => (question === 20 && delta === 42 ? [] : [text]),
  }
  const rows = await measureCrowd(targets(1, losing), 4, 1)
  expect(named(rows, 'deltas lost')).toMatchObject({ bare: '0', ours: '1', holds: false })
})

test('PF-3 a target without any delta has no figure that meets the goal', async () => {
  const rows = await measureCrowd(targets(1, { takes: () => 1, deliver: () => [] }), 100, 1)
  expect(named(rows, 'delay, p99')).toMatchObject({ goal: '≤ 2.00 ×', holds: false })
  expect(named(rows, 'deltas lost')).toMatchObject({ ours: '10000', holds: false })
})

test('PF-3 goals are those of a hundred sessions, and other sizes have none', async () => {
  const few = await measureCrowd(targets(1, 1), 2, 1)
  expect(few.slice(0, -1).map(({ goal, holds }) => [goal, holds])).toEqual([
    ['', null],
    ['', null],
    ['', null],
  ])
  const hundred = await measureCrowd(targets(1, 1.2), 100, 1)
  expect(named(hundred, 'wall')).toMatchObject({ goal: '≤ 1.10 ×', holds: false })
  expect(named(hundred, 'delay, median')).toMatchObject({ goal: '', holds: null })
})

test('PF-7 the soak does the requested number of runs, and compares late memory with warm memory', async () => {
  const memory: number[] = []
  // Warm after 600 runs: 60 samples of 100 MB. Later ones are 110 MB, but for short peaks.
  const rss = (look: number) => {
    const held = look < 60 ? 100 : 110
    memory.push(held)
    return (look % 7 === 3 ? held + 90 : held) * MEGABYTE
  }
  const [, ours] = targets(1, { takes: () => 1, rss })
  const [row] = await measureSoak(ours, { runs: 1000, restMs: 0 })
  expect(ours.asked).toHaveLength(1000)
  expect(memory).toHaveLength(120)
  expect(row).toMatchObject({
    what: 'memory after 1000 runs',
    ours: '110 MB',
    result: '100 MB when warm',
    holds: true,
  })
})

test('PF-7 a server that leaks with every run misses the goal', async () => {
  const [, ours] = targets(1, { takes: () => 1, rss: (look) => (100 + look) * MEGABYTE })
  expect(await measureSoak(ours, { runs: 1000, restMs: 0 })).toMatchObject([
    { ours: '160 MB', result: '100 MB when warm', holds: false },
  ])
})

test.each([20, 50, 335])('PF-7 a soak of %i runs does that many, five at once', async (runs) => {
  const [, ours] = targets(1, 1)
  expect(await measureSoak(ours, { runs, restMs: 0 })).toEqual([])
  expect(ours.asked).toHaveLength(runs)
  expect(ours.opened).toBe(0)
})

test('PF-6 the highest growth of a server’s memory is reported, at any moment of the work', async () => {
  vi.useFakeTimers()
  const held = [100, 100, 400, 250, 90]
  const server = { rss: () => held.shift() ?? 90 } as never
  const growth = peakMemory(server, async () => {
    await vi.advanceTimersByTimeAsync(25)
  })
  expect(await growth).toBe(300)
  vi.useRealTimers()
})

test('PF-6 where the system gives no memory, the work is done and no figure is given', async () => {
  const work = vi.fn(() => Promise.resolve())
  expect(await peakMemory({ rss: () => null } as never, work)).toBeNull()
  expect(work).toHaveBeenCalledOnce()
})

test('PF-6 work that fails rejects, and the sampling ends', async () => {
  vi.useFakeTimers()
  const failing = peakMemory({ rss: () => 1 } as never, () => Promise.reject(new Error('The branch failed')))
  await expect(failing).rejects.toThrow('The branch failed')
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

test('PF-10 the former server answers in turn, and its figure carries the ratio of ours to it, by the median round', async () => {
  const paces = [10, 10, 40]
  const target = (name: 'bare' | 'former' | 'ours', takes: Behaviour['takes']) =>
    createFakeTarget(name, time, { takes: (question, delta) => (delta === 0 ? takes(question, delta) : 0) })
  const strangers = {
    bare: target('bare', () => 5),
    former: target('former', (question) => paces[question % paces.length] ?? 0),
    stranger: target('ours', () => 9),
    peer: null,
  }
  const [inARow, apart] = await measureStranger(strangers, {
    samples: 3,
    apart: { samples: 3, pauseMs: 3_000 },
  })
  expect(inARow).toMatchObject({ bare: '5.00 ms', former: '10.0 ms, 0.90 ×', ours: '9.00 ms', holds: true })
  expect(inARow).not.toHaveProperty('peer')
  expect(apart).toMatchObject({
    what: 'create, send, first delta, 3 s apart, median of 3',
    goal: '≤ + 10 ms',
  })
  expect(strangers.former.asked).toHaveLength(strangers.bare.asked.length)
})

test('PF-11 a stream slower than bare misses the goal', async () => {
  const [bare, ours] = targets(1, 1.1)
  const strangers = { bare, stranger: ours, former: null, peer: null }
  expect(await measureFlatOut(strangers, { deltas: 100, rounds: 2 })).toMatchObject({
    goal: '≥ 1.00 ×',
    holds: false,
  })
})
