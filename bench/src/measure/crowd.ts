import { setTimeout as delay } from 'node:timers/promises'
import type { Script } from '../script.ts'
import { type Summary, summarize } from '../statistics.ts'
import { megabytes, ms, type Row, spread, times } from '../table.ts'
import type { Target } from '../targets/target.ts'
import { readStamps } from './stamps.ts'

const GOAL = { sessions: 100, wall: 1.1, delay: 2, rss: 2 }
const SCRIPT = { deltas: 100, everyMs: 50, stamped: true } satisfies Script
const WARM_UP = { sessions: 20, script: { deltas: 20, everyMs: 10, stamped: true } } as const
const SAMPLE_MS = 100

/** Milliseconds between opening the page and sending. */
const LOOK_MS = 500

type Crowd = { wallMs: number; delay: Summary; rss: number | null; arrived: number }

/** PF-3: many concurrent sessions, each viewed by a client of its own: none may lose a delta. */
export async function measureCrowd(
  targets: readonly Target[],
  sessions: number,
  rounds: number,
): Promise<Row[]> {
  for (const target of targets) await run(target, WARM_UP.sessions, WARM_UP.script)
  const bare: Crowd[] = []
  const ours: Crowd[] = []
  for (let round = 0; round < rounds; round++) {
    bare.push(await run(targetNamed(targets, 'bare'), sessions, SCRIPT))
    ours.push(await run(targetNamed(targets, 'ours'), sessions, SCRIPT))
  }

  function row(
    what: string,
    read: (crowd: Crowd) => number,
    unit: (value: number) => string,
    most?: number,
  ): Row {
    const ratios = summarize(ours.map((crowd, round) => read(crowd) / read(bare[round] ?? crowd)))
    const middle = (crowds: Crowd[]) => unit(summarize(crowds.map(read)).median)
    const hasGoal = most !== undefined && sessions === GOAL.sessions
    return {
      rule: 'PF-3',
      what: `${sessions} sessions at once, ${what}`,
      bare: middle(bare),
      ours: middle(ours),
      result: spread(ratios, times),
      goal: hasGoal ? `≤ ${times(most)}` : '',
      holds: hasGoal ? ratios.median <= most : null,
    }
  }

  const rows = [
    row('wall', ({ wallMs }) => wallMs, ms, GOAL.wall),
    row('delay, median', ({ delay }) => delay.median, ms),
    row('delay, p99', ({ delay }) => delay.p99, ms, GOAL.delay),
  ]
  const hasMemory = [...bare, ...ours].every(({ rss }) => rss !== null)
  if (hasMemory) rows.push(row('memory', ({ rss }) => rss ?? Number.NaN, megabytes, GOAL.rss))
  return [...rows, lostRow(sessions, bare, ours)]
}

function lostRow(sessions: number, bare: readonly Crowd[], ours: readonly Crowd[]): Row {
  const lost = (crowds: readonly Crowd[]) =>
    crowds.reduce((sum, { arrived }) => sum + sessions * SCRIPT.deltas - arrived, 0)
  return {
    rule: 'PF-3',
    what: `${sessions} sessions at once, deltas lost`,
    bare: String(lost(bare)),
    ours: String(lost(ours)),
    result: '',
    goal: '0',
    holds: lost(ours) === 0,
  }
}

function targetNamed(targets: readonly Target[], name: Target['name']): Target {
  const target = targets.find((candidate) => candidate.name === name)
  if (target === undefined) throw new Error(`There is no target ${name}`)
  return target
}

async function run(target: Target, sessions: number, script: Script): Promise<Crowd> {
  const conversations = await Promise.all(Array.from({ length: sessions }, () => target.open()))
  await delay(LOOK_MS)
  const delays: number[] = []
  let rss: number | null = null
  const sampler = setInterval(() => {
    const held = target.server.rss()
    if (held !== null) rss = Math.max(rss ?? 0, held)
  }, SAMPLE_MS)
  const start = performance.now()
  await Promise.all(conversations.map((conversation) => conversation.ask(script, readStamps(delays))))
  const wallMs = performance.now() - start
  clearInterval(sampler)
  await Promise.all(conversations.map((conversation) => conversation.close()))
  return { wallMs, delay: summarize(delays), rss, arrived: delays.length }
}
