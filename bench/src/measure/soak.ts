import { setTimeout as delay } from 'node:timers/promises'
import { megabytes, type Row } from '../table.ts'
import type { Target } from '../targets/target.ts'

const SCRIPT = { deltas: 20 }
/** Runs after which a server has loaded, compiled and cached everything. */
const WARM_UP_PART = 0.3
/** Runs whose conversations are open at once. */
const AT_ONCE = 5
/** The growth that garbage collection allows for a server that leaks nothing. */
const NOISE = 1.15

/** `restMs` has to exceed the grace period of finished runs. */
export type SoakSize = { runs: number; restMs: number }

/** PF-7: the server's memory after many runs, compared with its memory when warm. No row where the memory is unknown. */
export async function measureSoak(target: Target, { runs, restMs }: SoakSize): Promise<Row[]> {
  const part = Math.round((runs * WARM_UP_PART) / AT_ONCE) * AT_ONCE
  await soak(target, part)
  await delay(restMs)
  const warm = await leastMemory(target, part)
  await soak(target, runs - 3 * part)
  await delay(restMs)
  const late = await leastMemory(target, part)
  if (warm === null || late === null) return []
  return [
    {
      rule: 'PF-7',
      what: `memory after ${runs} runs`,
      bare: '',
      ours: megabytes(late),
      result: `${megabytes(warm)} when warm`,
      goal: `≤ ${NOISE} ×`,
      holds: late <= warm * NOISE,
    },
  ]
}

async function soak(target: Target, runs: number): Promise<void> {
  for (let run = 0; run < runs; run += AT_ONCE) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        const conversation = await target.open()
        await conversation.ask(SCRIPT, () => undefined)
        await conversation.close()
      }),
    )
  }
}

/** Between two collections memory always rises, so that the least of many samples is what is really in use. */
async function leastMemory(target: Target, runs: number): Promise<number | null> {
  const looks: number[] = []
  for (let run = 0; run < runs; run += AT_ONCE) {
    await soak(target, AT_ONCE)
    const held = target.server.rss()
    if (held !== null) looks.push(held)
  }
  return looks.length === 0 ? null : Math.min(...looks)
}
