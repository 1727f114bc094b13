import type { Side } from '../sides/side.ts'
import { type Summary, summarize } from '../statistics.ts'
import { added, megabytes, ms, type Row, spread, times } from '../table.ts'
import { readStamps } from './stamps.ts'

const TARGET = {
  firstDeltaMs: 6,
  delayMedianMs: 3,
  delayP99Ms: 12,
  sessions: 100,
  crowdFirstDelta: 1.5,
  crowdWall: 1.06,
  crowdCpu: 1.25,
  crowdMemory: 1.3,
}

/** At the pace of a quick model, so that nothing but the first delta is under way when it arrives. */
const FIRST = { deltas: 3, everyMs: 20 }
const QUICK = { deltas: 300, everyMs: 5, stamped: true } as const
const CROWD = { deltas: 100, everyMs: 50, stamped: true } as const
const WARM_UP = { questions: 30, sessions: 20 }

type Sides = { bare: Side; stranger: Side }

/** PF-10: from making a session to the first delta of its reply, both sides in turn, one question at a time. */
export async function measureStranger({ bare, stranger }: Sides, samples: number): Promise<Row[]> {
  const taken = { bare: [] as number[], stranger: [] as number[] }
  for (let sample = -WARM_UP.questions; sample < samples; sample++) {
    const first = { bare: await firstDelta(bare), stranger: await firstDelta(stranger) }
    if (sample < 0) continue
    taken.bare.push(first.bare)
    taken.stranger.push(first.stranger)
  }
  const [theirs, ours] = [summarize(taken.bare), summarize(taken.stranger)]
  const difference = ours.median - theirs.median
  return [
    {
      rule: 'PF-10',
      what: 'create, send, first delta, median',
      bare: ms(theirs.median),
      ours: ms(ours.median),
      result: added(difference),
      target: `≤ + ${TARGET.firstDeltaMs} ms`,
      holds: difference <= TARGET.firstDeltaMs,
    },
  ]
}

async function firstDelta(side: Side): Promise<number> {
  const conversation = await side.open()
  const start = performance.now()
  let arrived = Number.NaN
  await conversation.ask(FIRST, () => {
    if (Number.isNaN(arrived)) arrived = performance.now() - start
  })
  await conversation.close()
  return arrived
}

/** PF-10: from the provider's sending of a delta to its arrival, at a pace of 5 ms, with nothing else going on. */
export async function measureDelay({ bare, stranger }: Sides, rounds: number): Promise<Row[]> {
  const taken = { bare: [] as Summary[], stranger: [] as Summary[] }
  for (let round = -1; round < rounds; round++) {
    const delays = { bare: await delaysOf(bare), stranger: await delaysOf(stranger) }
    if (round < 0) continue
    taken.bare.push(delays.bare)
    taken.stranger.push(delays.stranger)
  }
  const row = (key: 'median' | 'p99', target: number): Row => {
    const ours = summarize(taken.stranger.map((summary) => summary[key]))
    return {
      rule: 'PF-10',
      what: `delay of a delta every ${QUICK.everyMs} ms, ${key}`,
      bare: ms(summarize(taken.bare.map((summary) => summary[key])).median),
      ours: ms(ours.median),
      result: spread(ours, ms),
      target: `≤ ${target} ms`,
      holds: ours.median <= target,
    }
  }
  return [row('median', TARGET.delayMedianMs), row('p99', TARGET.delayP99Ms)]
}

async function delaysOf(side: Side): Promise<Summary> {
  const conversation = await side.open()
  const delays: number[] = []
  await conversation.ask(QUICK, readStamps(delays))
  await conversation.close()
  if (delays.length !== QUICK.deltas) throw new Error(`${side.name} lost text`)
  return summarize(delays)
}

type Crowd = { firstDelta: number; wallMs: number; cpuMs: number | null; rss: number | null }

/** PF-11: many sessions at once, round after round on the same servers; memory is read after the last one. */
export async function measureStrangers(
  { bare, stranger }: Sides,
  sessions: number,
  rounds: number,
): Promise<Row[]> {
  for (const side of [bare, stranger]) await crowd(side, WARM_UP.sessions)
  const taken = { bare: [] as Crowd[], stranger: [] as Crowd[] }
  for (let round = 0; round < rounds; round++) {
    taken.bare.push(await crowd(bare, sessions))
    taken.stranger.push(await crowd(stranger, sessions))
  }

  function row(what: string, read: (crowd: Crowd) => number, unit: typeof ms, most: number): Row {
    const ratios = summarize(
      taken.stranger.map((ours, round) => read(ours) / read(taken.bare[round] ?? ours)),
    )
    const middle = (crowds: Crowd[]) => unit(summarize(crowds.map(read)).median)
    return judged(
      what,
      middle(taken.bare),
      middle(taken.stranger),
      spread(ratios, times),
      ratios.median,
      most,
    )
  }

  function judged(
    what: string,
    theirs: string,
    ours: string,
    result: string,
    ratio: number,
    most: number,
  ): Row {
    const isTarget = sessions === TARGET.sessions
    return {
      rule: 'PF-11',
      what: `${sessions} sessions at once by HTTP, ${what}`,
      bare: theirs,
      ours,
      result,
      target: isTarget ? `≤ ${times(most)}` : '',
      holds: isTarget ? ratio <= most : null,
    }
  }

  const rows = [
    row('first delta', ({ firstDelta }) => firstDelta, ms, TARGET.crowdFirstDelta),
    row('wall', ({ wallMs }) => wallMs, ms, TARGET.crowdWall),
  ]
  const all = [...taken.bare, ...taken.stranger]
  if (all.every(({ cpuMs }) => cpuMs !== null))
    rows.push(row('processor time', ({ cpuMs }) => cpuMs ?? Number.NaN, ms, TARGET.crowdCpu))
  const [theirs, ours] = [taken.bare.at(-1)?.rss ?? null, taken.stranger.at(-1)?.rss ?? null]
  if (theirs !== null && ours !== null)
    rows.push(
      judged(
        `memory after ${rounds} rounds`,
        megabytes(theirs),
        megabytes(ours),
        times(ours / theirs),
        ours / theirs,
        TARGET.crowdMemory,
      ),
    )
  return rows
}

async function crowd(side: Side, sessions: number): Promise<Crowd> {
  const conversations = await Promise.all(Array.from({ length: sessions }, () => side.open()))
  const delays: number[] = []
  const firsts: number[] = []
  const cpuBefore = side.server.cpuMs()
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
  const cpuAfter = side.server.cpuMs()
  await Promise.all(conversations.map((conversation) => conversation.close()))
  if (delays.length !== sessions * CROWD.deltas) throw new Error(`${side.name} lost text`)
  const cpuMs = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore
  return { firstDelta: summarize(firsts).median, wallMs, cpuMs, rss: side.server.rss() }
}
