import { setTimeout as delay } from 'node:timers/promises'
import type { Side } from '../sides/side.ts'
import { megabytes, type Row } from '../table.ts'

const SCRIPT = { deltas: 20 }
/** Runs after which a server has everything loaded, compiled and cached that it will need. */
const WARM_UP_PART = 0.3
/** Runs whose conversations are open at once. */
const AT_ONCE = 5
/** What collecting garbage sooner or later makes of the memory of a server that leaks nothing. */
const NOISE = 1.15

/** `restMs` is to outlast the time for which finished runs can be attached to. */
export type SoakSize = { runs: number; restMs: number }

/** PF-7: what the server holds after many runs, against what it held once it was warm. */
export async function measureSoak(side: Side, { runs, restMs }: SoakSize): Promise<Row> {
  await soak(side, runs * WARM_UP_PART)
  await delay(restMs)
  const warm = await leastMemory(side, runs * WARM_UP_PART)
  await soak(side, runs * (1 - 3 * WARM_UP_PART))
  await delay(restMs)
  const late = await leastMemory(side, runs * WARM_UP_PART)
  return {
    rule: 'PF-7',
    what: `memory after ${runs} runs`,
    bare: '',
    ours: megabytes(late),
    result: `${megabytes(warm)} when warm`,
    target: `≤ ${NOISE} ×`,
    holds: late <= warm * NOISE,
  }
}

async function soak(side: Side, runs: number): Promise<void> {
  for (let run = 0; run < runs; run += AT_ONCE) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        const conversation = await side.open()
        await conversation.ask(SCRIPT, () => undefined)
        await conversation.close()
      }),
    )
  }
}

/** Between two collections memory rises whatever is done, so the least of many looks is what is really held. */
async function leastMemory(side: Side, runs: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run += AT_ONCE) {
    await soak(side, AT_ONCE)
    least = Math.min(least, side.server.rss() ?? Number.NaN)
  }
  return least
}
