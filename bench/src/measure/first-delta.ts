import { type Summary, summarize } from '../statistics.ts'
import { added, ms, type Row } from '../table.ts'
import type { Conversation, Target } from '../targets/target.ts'

const GOAL = { medianMs: 5, p99Ms: 20 }
/** At the pace of a fast model, so that only the first delta is in flight when it arrives. */
const SCRIPT = { deltas: 3, everyMs: 20 }
const WARM_UP = 30

/** PF-1: time from sending a message to its first delta, both targets in alternation. */
export async function measureFirstDelta(targets: readonly Target[], samples: number): Promise<Row[]> {
  const taken = new Map<Target['name'], number[]>(targets.map(({ name }) => [name, []]))
  for (let sample = -WARM_UP; sample < samples; sample++) {
    for (const target of targets) {
      const conversation = await target.open()
      const value = await firstDelta(conversation)
      await conversation.close()
      if (sample >= 0) taken.get(target.name)?.push(value)
    }
  }
  const bare = summarize(taken.get('bare') ?? [])
  const ours = summarize(taken.get('ours') ?? [])
  return [
    rowOf('first delta, median', bare, ours, 'median', GOAL.medianMs),
    rowOf('first delta, p99', bare, ours, 'p99', GOAL.p99Ms),
  ]
}

async function firstDelta(conversation: Conversation): Promise<number> {
  const start = performance.now()
  let arrived = Number.NaN
  await conversation.ask(SCRIPT, () => {
    if (Number.isNaN(arrived)) arrived = performance.now() - start
  })
  return arrived
}

function rowOf(what: string, bare: Summary, ours: Summary, key: 'median' | 'p99', goal: number): Row {
  const difference = ours[key] - bare[key]
  return {
    rule: 'PF-1',
    what,
    bare: ms(bare[key]),
    ours: ms(ours[key]),
    result: added(difference),
    goal: `≤ + ${goal} ms`,
    holds: difference <= goal,
  }
}
