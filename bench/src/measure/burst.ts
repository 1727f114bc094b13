import { PLAIN_DELTA } from '../script.ts'
import type { Side } from '../sides/side.ts'
import { summarize } from '../statistics.ts'
import { type Row, spread, times } from '../table.ts'

/** Of bare's deltas per second. */
const TARGET = 0.7

/** PF-2: one stream of `deltas` as fast as the provider can send, both sides by turns. */
export async function measureBurst(sides: readonly Side[], deltas: number, rounds: number): Promise<Row> {
  const taken = new Map<Side['name'], number[]>(sides.map(({ name }) => [name, []]))
  // The first round warms up; a single one is long enough to do so by itself.
  for (let round = rounds > 1 ? -1 : 0; round < rounds; round++) {
    for (const side of sides) {
      const rate = await deltasPerSecond(side, deltas)
      if (round >= 0) taken.get(side.name)?.push(rate)
    }
  }
  const bare = taken.get('bare') ?? []
  const ours = taken.get('ours') ?? []
  const ratios = summarize(ours.map((rate, round) => rate / (bare[round] ?? Number.NaN)))
  const perSecond = (rates: number[]) => `${Math.round(summarize(rates).median)}/s`
  return {
    rule: 'PF-2',
    what: `${deltas} deltas at once`,
    bare: perSecond(bare),
    ours: perSecond(ours),
    result: spread(ratios, times),
    target: `≥ ${times(TARGET)}`,
    holds: ratios.median >= TARGET,
  }
}

/** Deltas may arrive merged, so they are counted by their text. */
async function deltasPerSecond(side: Side, deltas: number): Promise<number> {
  const conversation = await side.open()
  let characters = 0
  const start = performance.now()
  await conversation.ask({ deltas }, (text) => {
    characters += text.length
  })
  const seconds = (performance.now() - start) / 1000
  await conversation.close()
  if (characters !== deltas * PLAIN_DELTA.length) throw new Error(`${side.name} lost text`)
  return deltas / seconds
}
