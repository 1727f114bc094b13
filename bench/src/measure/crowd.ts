import { now, type Script } from '../script.ts'
import type { Side } from '../sides/side.ts'
import { type Summary, summarize } from '../statistics.ts'
import { megabytes, ms, type Row, times } from '../table.ts'

const TARGET = { wall: 1.1, delay: 2, rss: 2 }
const SCRIPT = { deltas: 100, everyMs: 50, stamped: true } satisfies Script
const WARM_UP = { sessions: 20, script: { deltas: 20, everyMs: 10, stamped: true } } as const
const SAMPLE_MS = 100

type Crowd = { wallMs: number; delay: Summary; rss: number | null; arrived: number }

/** PF-3: many sessions at once, each viewed by a client of its own: none may lose a delta. */
export async function measureCrowd(sides: readonly Side[], sessions: number): Promise<Row[]> {
  for (const side of sides) await run(side, WARM_UP.sessions, WARM_UP.script)
  const bare = await run(sideNamed(sides, 'bare'), sessions, SCRIPT)
  const ours = await run(sideNamed(sides, 'ours'), sessions, SCRIPT)
  const isTarget = sessions === 100
  const wall = ours.wallMs / bare.wallMs
  const delay = ours.delay.p99 / bare.delay.p99
  const lost = sessions * SCRIPT.deltas - ours.arrived
  const row = (
    what: string,
    cells: Pick<Row, 'bare' | 'ours' | 'result'>,
    target: number,
    holds: boolean,
  ): Row => ({
    rule: 'PF-3',
    what: `${sessions} sessions at once, ${what}`,
    ...cells,
    target: isTarget ? `≤ ${times(target)}` : '',
    holds: isTarget ? holds : null,
  })
  return [
    row('wall', ratio(bare.wallMs, ours.wallMs, ms), TARGET.wall, wall <= TARGET.wall),
    {
      ...row('delay, median', ratio(bare.delay.median, ours.delay.median, ms), 0, true),
      target: '',
      holds: null,
    },
    row('delay, p99', ratio(bare.delay.p99, ours.delay.p99, ms), TARGET.delay, delay <= TARGET.delay),
    ...memoryRow(bare.rss, ours.rss),
    {
      rule: 'PF-3',
      what: `${sessions} sessions at once, deltas lost`,
      bare: String(sessions * SCRIPT.deltas - bare.arrived),
      ours: String(lost),
      result: '',
      target: '0',
      holds: lost === 0,
    },
  ]

  function memoryRow(bareRss: number | null, oursRss: number | null): Row[] {
    if (bareRss === null || oursRss === null) return []
    return [row('memory', ratio(bareRss, oursRss, megabytes), TARGET.rss, oursRss / bareRss <= TARGET.rss)]
  }
}

function ratio(bare: number, ours: number, unit: (value: number) => string) {
  return { bare: unit(bare), ours: unit(ours), result: times(ours / bare) }
}

function sideNamed(sides: readonly Side[], name: Side['name']): Side {
  const side = sides.find((candidate) => candidate.name === name)
  if (side === undefined) throw new Error(`There is no side ${name}`)
  return side
}

async function run(side: Side, sessions: number, script: Script): Promise<Crowd> {
  const conversations = await Promise.all(Array.from({ length: sessions }, () => side.open()))
  const delays: number[] = []
  let rss: number | null = null
  const sampler = setInterval(() => {
    const held = side.server.rss()
    if (held !== null) rss = Math.max(rss ?? 0, held)
  }, SAMPLE_MS)
  const start = performance.now()
  await Promise.all(conversations.map((conversation) => conversation.ask(script, readStamps(delays))))
  const wallMs = performance.now() - start
  clearInterval(sampler)
  await Promise.all(conversations.map((conversation) => conversation.close()))
  return { wallMs, delay: summarize(delays), rss, arrived: delays.length }
}

/** Stamps may arrive cut or several at once. */
function readStamps(delays: number[]): (text: string) => void {
  let rest = ''
  return (text) => {
    const stamps = (rest + text).split(' ')
    rest = stamps.pop() ?? ''
    const arrivedAt = now()
    for (const sentAt of stamps) delays.push(arrivedAt - Number(sentAt))
  }
}
