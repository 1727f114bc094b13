import { setTimeout as delay } from 'node:timers/promises'
import { type Summary, summarize } from '../statistics.ts'
import { added, megabytes, ms, perSecond, type Row, spread, times } from '../table.ts'
import type { Strangers } from '../targets/lab.ts'
import type { Target } from '../targets/target.ts'
import { deltasPerSecond } from './burst.ts'
import { readStamps } from './stamps.ts'

const GOAL = {
  firstDeltaMs: 5,
  apartMs: 10,
  delayMedianMs: 3,
  delayP99Ms: 12,
  flatOut: 1,
  sessions: 100,
  crowdFirstDelta: 1.5,
  crowdWall: 1.06,
  crowdCpu: 1,
  crowdMemory: 1.2,
}

/** At the pace of a fast model, so that only the first delta is in flight when it arrives. */
const FIRST = { deltas: 3, everyMs: 20 }
const QUICK = { deltas: 300, everyMs: 5, stamped: true } as const
const CROWD = { deltas: 100, everyMs: 50, stamped: true } as const
const WARM_UP = { questions: 30, sessions: 20 }

/** A figure of each target, round after round; none of one that was not started. */
type Taken<T> = Record<Target['name'], T[]>

type Rounds = { from: number; to: number; pauseMs?: number }

/** Measures every target once a round, in turn; rounds below 0 warm up and are not counted. */
async function alternately<T>(
  { bare, former, stranger, peer }: Strangers,
  { from, to, pauseMs = 0 }: Rounds,
  measure: (target: Target) => Promise<T>,
): Promise<Taken<T>> {
  const taken: Taken<T> = { bare: [], former: [], ours: [], peer: [] }
  for (let round = from; round < to; round++) {
    if (pauseMs > 0) await delay(pauseMs)
    for (const target of [bare, former, stranger, peer]) {
      const value = target === null ? null : await measure(target)
      if (target !== null && value !== null && round >= 0) taken[target.name].push(value)
    }
  }
  return taken
}

/** The medians of a figure, in the columns of the table; the former one with the ratio of ours to it, round by round. */
function cells<T>(
  { bare, former, ours, peer }: Taken<T>,
  read: (value: T) => number,
  unit: (value: number) => string,
): Pick<Row, 'bare' | 'former' | 'ours' | 'peer'> {
  const median = (values: T[]) => unit(summarize(values.map(read)).median)
  const ratios = former.map((value, round) =>
    ours[round] === undefined ? 1 : read(ours[round]) / read(value),
  )
  return {
    bare: median(bare),
    ...(former.length > 0 && { former: `${median(former)}, ${times(summarize(ratios).median)}` }),
    ours: median(ours),
    ...(peer.length > 0 && { peer: median(peer) }),
  }
}

/** PF-10: from creating a session to the first delta of its reply, one message at a time: at once, and `apart`. */
export async function measureStranger(
  targets: Strangers,
  { samples, apart }: { samples: number; apart: { samples: number; pauseMs: number } },
): Promise<Row[]> {
  const warmUp = -Math.min(WARM_UP.questions, samples)
  const inARow = await alternately(targets, { from: warmUp, to: samples }, firstDelta)
  const withPauses = await alternately(
    targets,
    { from: 0, to: apart.samples, pauseMs: apart.pauseMs },
    firstDelta,
  )
  const row = (what: string, taken: Taken<number>, most: number): Row => {
    const difference = summarize(taken.ours).median - summarize(taken.bare).median
    return {
      rule: 'PF-10',
      what: `create, send, first delta, ${what}`,
      ...cells(taken, (value) => value, ms),
      result: added(difference),
      goal: `≤ + ${most} ms`,
      holds: difference <= most,
    }
  }
  const seconds = apart.pauseMs / 1000
  return [
    row(`median of ${samples}`, inARow, GOAL.firstDeltaMs),
    row(`${seconds} s apart, median of ${apart.samples}`, withPauses, GOAL.apartMs),
  ]
}

async function firstDelta(target: Target): Promise<number> {
  const conversation = await target.open()
  const start = performance.now()
  let arrived = Number.NaN
  await conversation.ask(FIRST, () => {
    if (Number.isNaN(arrived)) arrived = performance.now() - start
  })
  await conversation.close()
  return arrived
}

/** PF-10: from the provider's sending of a delta to its arrival, at a pace of 5 ms, on an idle server. */
export async function measureDelay(targets: Strangers, rounds: number): Promise<Row[]> {
  const taken = await alternately(targets, { from: -1, to: rounds }, delaysOf)
  const row = (key: 'median' | 'p99', goal: number): Row => {
    const ours = summarize(taken.ours.map((summary) => summary[key]))
    return {
      rule: 'PF-10',
      what: `delay of a delta every ${QUICK.everyMs} ms, ${key}`,
      ...cells(taken, (summary) => summary[key], ms),
      result: spread(ours, ms),
      goal: `≤ ${goal} ms`,
      holds: ours.median <= goal,
    }
  }
  return [row('median', GOAL.delayMedianMs), row('p99', GOAL.delayP99Ms)]
}

async function delaysOf(target: Target): Promise<Summary> {
  const conversation = await target.open()
  const delays: number[] = []
  await conversation.ask(QUICK, readStamps(delays))
  await conversation.close()
  if (delays.length !== QUICK.deltas) throw new Error(`${target.name} lost text`)
  return summarize(delays)
}

/** PF-11: one stream as fast as the provider can send. */
export async function measureFlatOut(
  targets: Strangers,
  { deltas, rounds }: { deltas: number; rounds: number },
): Promise<Row> {
  const taken = await alternately(targets, { from: -1, to: rounds }, (target) =>
    deltasPerSecond(target, deltas),
  )
  const ratios = summarize(taken.ours.map((rate, round) => rate / (taken.bare[round] ?? rate)))
  return {
    rule: 'PF-11',
    what: `${deltas} deltas at once by HTTP`,
    ...cells(taken, (rate) => rate, perSecond),
    result: spread(ratios, times),
    goal: `≥ ${times(GOAL.flatOut)}`,
    holds: ratios.median >= GOAL.flatOut,
  }
}

type Crowd = { firstDelta: number; wallMs: number; cpuMs: number | null; rss: number | null }

type Figure = {
  read(crowd: Crowd): number | null
  unit(value: number): string
  most: number
}

/** PF-11: many concurrent sessions, round after round on the same servers; memory is read after the last one. */
export async function measureStrangers(targets: Strangers, sessions: number, rounds: number): Promise<Row[]> {
  await alternately(targets, { from: -1, to: 0 }, (target) =>
    crowd(target, Math.min(WARM_UP.sessions, sessions)),
  )
  const all = await alternately(targets, { from: 0, to: rounds }, (target) => crowd(target, sessions))
  const [bare, former, ours, peer] = [all.bare, all.former, all.ours, all.peer].map((crowds) =>
    crowds.slice(-1),
  )
  const last: Taken<Crowd> = { bare: bare ?? [], former: former ?? [], ours: ours ?? [], peer: peer ?? [] }

  /** No row where the system does not give the figure. */
  function row(what: string, taken: Taken<Crowd>, { read, unit, most }: Figure): Row[] {
    if (Object.values(taken).some((crowds) => crowds.some((one) => read(one) === null))) return []
    const figure = (one: Crowd) => read(one) ?? Number.NaN
    const ratios = summarize(taken.ours.map((one, round) => figure(one) / figure(taken.bare[round] ?? one)))
    const hasGoal = sessions === GOAL.sessions
    return [
      {
        rule: 'PF-11',
        what: `${sessions} sessions at once by HTTP, ${what}`,
        ...cells(taken, figure, unit),
        result: spread(ratios, times),
        goal: hasGoal ? `≤ ${times(most)}` : '',
        holds: hasGoal ? ratios.median <= most : null,
      },
    ]
  }

  return [
    ...row('first delta', all, { read: (one) => one.firstDelta, unit: ms, most: GOAL.crowdFirstDelta }),
    ...row('wall', all, { read: ({ wallMs }) => wallMs, unit: ms, most: GOAL.crowdWall }),
    ...row('processor time', all, { read: ({ cpuMs }) => cpuMs, unit: ms, most: GOAL.crowdCpu }),
    ...row(`memory after ${rounds} rounds`, last, {
      read: ({ rss }) => rss,
      unit: megabytes,
      most: GOAL.crowdMemory,
    }),
  ]
}

async function crowd(target: Target, sessions: number): Promise<Crowd> {
  const conversations = await Promise.all(Array.from({ length: sessions }, () => target.open()))
  const delays: number[] = []
  const firsts: number[] = []
  const cpuBefore = target.server.cpuMs()
  const start = performance.now()
  await Promise.all(
    conversations.map(async (conversation) => {
      const read = readStamps(delays)
      let seen = false
      await conversation.ask(CROWD, (text) => {
        if (!seen) firsts.push(performance.now() - start)
        seen = true
        read(text)
      })
    }),
  )
  const wallMs = performance.now() - start
  const cpuAfter = target.server.cpuMs()
  await Promise.all(conversations.map((conversation) => conversation.close()))
  if (delays.length !== sessions * CROWD.deltas) throw new Error(`${target.name} lost text`)
  const cpuMs = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore
  return { firstDelta: summarize(firsts).median, wallMs, cpuMs, rss: target.server.rss() }
}
