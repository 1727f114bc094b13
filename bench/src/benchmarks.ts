import { resolve } from 'node:path'
import { measureAttach, measureViewers } from './measure/attach.ts'
import { measureAttacks } from './measure/attacks.ts'
import { measureBurst } from './measure/burst.ts'
import { measureBusy } from './measure/busy.ts'
import { measureCrowd } from './measure/crowd.ts'
import { measureFanOut, measureSilence } from './measure/fan-out.ts'
import { measureFirstDelta } from './measure/first-delta.ts'
import { measureFixedPart } from './measure/fixed-part.ts'
import { measureHistory } from './measure/history.ts'
import { measureLibrary } from './measure/library.ts'
import { measureSoak } from './measure/soak.ts'
import { measureStart } from './measure/start.ts'
import { measureDelay, measureFlatOut, measureStranger, measureStrangers } from './measure/stranger.ts'
import { measureGrep, measureTools } from './measure/tools.ts'
import type { Profile } from './profile.ts'
import type { Row } from './table.ts'
import { openAttackTarget } from './targets/attack-target.ts'
import { openBusyTarget } from './targets/busy-target.ts'
import { createLabs, type Labs } from './targets/labs.ts'
import { withLibrary } from './targets/with-library.ts'

/** Words of a message in the long session. */
const LONG_WORDS = 60

type Benchmark = { rule: string; run(): Promise<Row[]> }

type Choice = { only?: readonly string[] | undefined; former?: string | undefined }

/**
 * Runs the benchmarks in order; `only` selects rules, by default all; `former` is the root of another checkout. Throws for
 * an unknown rule.
 */
export async function runBenchmarks(profile: Profile, { only = [], former }: Choice = {}): Promise<Row[]> {
  await using labs = createLabs({
    oneLab: profile.oneLab,
    former: former === undefined ? null : resolve(former),
  })
  const all = benchmarks(profile, labs)
  const unknown = only.find((wanted) => !all.some(({ rule }) => rule === wanted))
  if (unknown !== undefined) {
    throw new Error(`Nothing measures ${unknown}. There are ${all.map(({ rule }) => rule).join(', ')}.`)
  }
  const rows: Row[] = []
  for (const { rule, run } of all) {
    if (only.length > 0 && !only.includes(rule)) continue
    console.log(`${rule} …`)
    rows.push(...(await run()))
  }
  return rows
}

function benchmarks(profile: Profile, { openLab }: Labs): Benchmark[] {
  return [
    {
      rule: 'PF-1',
      async run() {
        await using lab = await openLab()
        return await measureFirstDelta([lab.bare, lab.ours], profile.firstDelta.samples)
      },
    },
    {
      rule: 'PF-2',
      async run() {
        await using lab = await openLab()
        const rows: Row[] = []
        for (const { deltas, rounds } of profile.burst) {
          rows.push(await measureBurst([lab.bare, lab.ours], deltas, rounds))
        }
        return rows
      },
    },
    {
      rule: 'PF-3',
      async run() {
        const rows: Row[] = []
        for (const { sessions, rounds } of profile.crowd) {
          await using lab = await openLab()
          rows.push(...(await measureCrowd([lab.bare, lab.ours], sessions, rounds)))
        }
        return rows
      },
    },
    {
      rule: 'PF-4',
      async run() {
        await using lab = await openLab()
        const rows: Row[] = []
        for (const { deltas, rounds } of profile.attach)
          rows.push(await measureAttach(lab.ours, deltas, rounds))
        const { deltas, rounds } = profile.viewers
        rows.push(...(await measureViewers(lab.ours, deltas, rounds)))
        for (const size of profile.fanOut) rows.push(...(await measureFanOut(lab.ours, size)))
        for (const size of profile.silence) rows.push(...(await measureSilence(lab.ours, size)))
        return rows
      },
    },
    {
      rule: 'PF-5',
      async run() {
        const rows: Row[] = []
        for (const size of profile.library.sizes) {
          await withLibrary(size, async (ours) => {
            rows.push(...(await measureLibrary(ours, size, profile.library.samples)))
          })
        }
        return rows
      },
    },
    {
      rule: 'PF-6',
      async run() {
        const rows: Row[] = []
        for (const { messages, rounds } of profile.history) {
          const size = { sessions: 0, messagesPerSession: 0, longMessages: messages, longWords: LONG_WORDS }
          await withLibrary(size, async (ours, database) => {
            rows.push(...(await measureHistory(ours, { database, messages, rounds })))
          })
        }
        return rows
      },
    },
    {
      rule: 'PF-7',
      async run() {
        const rows: Row[] = []
        for (const size of profile.start) rows.push(...(await measureStart(size)))
        for (const size of profile.soak) {
          await using lab = await openLab()
          rows.push(...(await measureSoak(lab.ours, size)))
        }
        return rows
      },
    },
    {
      rule: 'PF-10',
      async run() {
        await using lab = await openLab({ withOthers: true })
        const rows = await measureStranger(lab, profile.stranger)
        return [...rows, ...(await measureDelay(lab, profile.stranger.rounds))]
      },
    },
    {
      rule: 'PF-11',
      async run() {
        const rows: Row[] = []
        for (const size of profile.flatOut) {
          await using lab = await openLab({ withOthers: true })
          rows.push(await measureFlatOut(lab, size))
        }
        for (const { sessions, rounds } of profile.strangers) {
          await using lab = await openLab({ withOthers: true })
          rows.push(...(await measureStrangers(lab, sessions, rounds)))
        }
        return rows
      },
    },
    {
      rule: 'SY-7',
      async run() {
        await using lab = await openLab()
        return await measureFixedPart(lab.ours)
      },
    },
    {
      rule: 'TO-7',
      async run() {
        const rows = await measureTools(profile.tools.rounds)
        for (const size of profile.tools.grep) rows.push(...(await measureGrep(size)))
        return rows
      },
    },
    {
      rule: 'SX-10',
      async run() {
        const { scale, restMs } = profile.attacks
        await using attacked = await openAttackTarget(scale)
        const rows = await measureAttacks(attacked, restMs)
        await using busy = await openBusyTarget(profile.busy)
        return [...rows, ...(await measureBusy(busy, profile.busy, restMs))]
      },
    },
  ]
}
