import { PLAIN_DELTA } from '../script.ts'
import { summarize } from '../statistics.ts'
import { perSecond, type Row, spread, times } from '../table.ts'
import type { Target } from '../targets/target.ts'

/** The least ratio of bare's deltas per second. */
const GOAL = 0.7

/** PF-2: one stream of `deltas` as fast as the provider can send, both targets in alternation. */
export async function measureBurst(targets: readonly Target[], deltas: number, rounds: number): Promise<Row> {
  const taken = new Map<Target['name'], number[]>(targets.map(({ name }) => [name, []]))
  // The first round warms up; a single one is long enough to do so by itself.
  for (let round = rounds > 1 ? -1 : 0; round < rounds; round++) {
    for (const target of targets) {
      const rate = await deltasPerSecond(target, deltas)
      if (round >= 0) taken.get(target.name)?.push(rate)
    }
  }
  const bare = taken.get('bare') ?? []
  const ours = taken.get('ours') ?? []
  const ratios = summarize(ours.map((rate, round) => rate / (bare[round] ?? Number.NaN)))
  const median = (rates: number[]) => perSecond(summarize(rates).median)
  return {
    rule: 'PF-2',
    what: `${deltas} deltas at once`,
    bare: median(bare),
    ours: median(ours),
    result: spread(ratios, times),
    goal: `≥ ${times(GOAL)}`,
    holds: ratios.median >= GOAL,
  }
}

/** Deltas may arrive merged, so they are counted by their text. */
export async function deltasPerSecond(target: Target, deltas: number): Promise<number> {
  const conversation = await target.open()
  let characters = 0
  const start = performance.now()
  await conversation.ask({ deltas }, (text) => {
    characters += text.length
  })
  const seconds = (performance.now() - start) / 1000
  await conversation.close()
  if (characters !== deltas * PLAIN_DELTA.length) throw new Error(`${target.name} lost text`)
  return deltas / seconds
}
