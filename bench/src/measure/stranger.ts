import { type Summary, summarize } from '../statistics.ts'
import { added, megabytes, ms, type Row, spread, times } from '../table.ts'
import type { Target } from '../targets/target.ts'
import { readStamps } from './stamps.ts'

const GOAL = {
  firstDeltaMs: 6,
  delayMedianMs: 3,
  delayP99Ms: 12,
  sessions: 100,
  crowdFirstDelta: 1.5,
  crowdWall: 1.06,
  crowdCpu: 1.25,
  crowdMemory: 1.3,
}

/** At the pace of a fast model, so that only the first delta is in flight when it arrives. */
const FIRST = { deltas: 3, everyMs: 20 }
const QUICK = { deltas: 300, everyMs: 5, stamped: true } as const
const CROWD = { deltas: 100, everyMs: 50, stamped: true } as const
const WARM_UP = { questions: 30, sessions: 20 }

type Targets = { bare: Target; stranger: Target; peer: Target | null }

/** A figure of each target. */
type Taken<T> = { bare: T[]; stranger: T[]; peer: T[] }

/** Measures every target once a round, in turn; rounds below 0 warm up and are not counted. */
async function inTurn<T>(
  { bare, stranger, peer }: Targets,
  { from, to }: { from: number; to: number },
  measure: (target: Target) => Promise<T>,
): Promise<Taken<T>> {
  const taken: Taken<T> = { bare: [], stranger: [], peer: [] }
  for (let round = from; round < to; round++) {
    const theirs = await measure(bare)
    const ours = await measure(stranger)
    const others = peer === null ? [] : [await measure(peer)]
    if (round < 0) continue
    taken.bare.push(theirs)
    taken.stranger.push(ours)
    taken.peer.push(...others)
  }
  return taken
}

/** The median of a figure of the peer, as the part of a row that there is with a peer alone. */
function peerCell<T>(taken: Taken<T>, read: (value: T) => number, unit: typeof ms): { peer?: string } {
  return taken.peer.length === 0 ? {} : { peer: unit(summarize(taken.peer.map(read)).median) }
}

/** PF-10: from creating a session to the first delta of its reply, one message at a time. */
export async function measureStranger(targets: Targets, samples: number): Promise<Row[]> {
  const taken = await inTurn(
    targets,
    { from: -Math.min(WARM_UP.questions, samples), to: samples },
    firstDelta,
  )
  const [theirs, ours] = [summarize(taken.bare), summarize(taken.stranger)]
  const difference = ours.median - theirs.median
  return [
    {
      rule: 'PF-10',
      what: 'create, send, first delta, median',
      bare: ms(theirs.median),
      ours: ms(ours.median),
      ...peerCell(taken, (value) => value, ms),
      result: added(difference),
      goal: `≤ + ${GOAL.firstDeltaMs} ms`,
      holds: difference <= GOAL.firstDeltaMs,
    },
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
export async function measureDelay(targets: Targets, rounds: number): Promise<Row[]> {
  const taken = await inTurn(targets, { from: -1, to: rounds }, delaysOf)
  const row = (key: 'median' | 'p99', goal: number): Row => {
    const ours = summarize(taken.stranger.map((summary) => summary[key]))
    return {
      rule: 'PF-10',
      what: `delay of a delta every ${QUICK.everyMs} ms, ${key}`,
      bare: ms(summarize(taken.bare.map((summary) => summary[key])).median),
      ours: ms(ours.median),
      ...peerCell(taken, (summary) => summary[key], ms),
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

type Figure = (crowd: Crowd) => number | null

type Crowd = { firstDelta: number; wallMs: number; cpuMs: number | null; rss: number | null }

/** PF-11: many concurrent sessions, round after round on the same servers; memory is read after the last one. */
export async function measureStrangers(targets: Targets, sessions: number, rounds: number): Promise<Row[]> {
  await inTurn(targets, { from: -1, to: 0 }, (target) => crowd(target, Math.min(WARM_UP.sessions, sessions)))
  const all = await inTurn(targets, { from: 0, to: rounds }, (target) => crowd(target, sessions))
  const last = { bare: all.bare.slice(-1), stranger: all.stranger.slice(-1), peer: all.peer.slice(-1) }

  /** No row where the system does not give the figure of ours or of bare. */
  function row(
    what: string,
    { taken, read, unit, most }: { taken: Taken<Crowd>; read: Figure; unit: typeof ms; most: number },
  ): Row[] {
    const figures = (crowds: Crowd[]) => crowds.map(read).filter((value) => value !== null)
    const [theirs, ours, peers] = [figures(taken.bare), figures(taken.stranger), figures(taken.peer)]
    if (theirs.length < taken.bare.length || ours.length < taken.stranger.length) return []
    const ratios = summarize(ours.map((value, round) => value / (theirs[round] ?? value)))
    const hasGoal = sessions === GOAL.sessions
    return [
      {
        rule: 'PF-11',
        what: `${sessions} sessions at once by HTTP, ${what}`,
        bare: unit(summarize(theirs).median),
        ours: unit(summarize(ours).median),
        ...(peers.length > 0 && { peer: unit(summarize(peers).median) }),
        result: spread(ratios, times),
        goal: hasGoal ? `≤ ${times(most)}` : '',
        holds: hasGoal ? ratios.median <= most : null,
      },
    ]
  }

  const time = { taken: all, unit: ms }
  return [
    ...row('first delta', { ...time, read: ({ firstDelta }) => firstDelta, most: GOAL.crowdFirstDelta }),
    ...row('wall', { ...time, read: ({ wallMs }) => wallMs, most: GOAL.crowdWall }),
    ...row('processor time', { ...time, read: ({ cpuMs }) => cpuMs, most: GOAL.crowdCpu }),
    ...row(`memory after ${rounds} rounds`, {
      taken: last,
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
