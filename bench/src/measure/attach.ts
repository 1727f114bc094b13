import type { Client } from '@palimpsest/client'
import { PLAIN_DELTA, toPrompt } from '../script.ts'
import { summarize } from '../statistics.ts'
import { ms, type Row, spread, times } from '../table.ts'
import { MODEL, type OurTarget, readRun } from '../targets/our-target.ts'

const GOAL = { attachMs: 150, crowd: 2 }
const VIEWERS = 50

/** PF-4: the whole text of a run in progress with `deltas` behind it, for a viewer that has just attached. */
export async function measureAttach(ours: OurTarget, deltas: number, rounds: number): Promise<Row> {
  await using run = await startOpenRun(ours, deltas)
  const taken: number[] = []
  for (let round = 0; round < rounds; round++) {
    const client = ours.connect()
    const start = performance.now()
    await viewUntil(client, run, deltas)
    taken.push(performance.now() - start)
    await client.dispose()
  }
  const summary = summarize(taken)
  return {
    rule: 'PF-4',
    what: `attach to ${deltas} deltas`,
    bare: '',
    ours: ms(summary.median),
    result: spread(summary, ms),
    goal: `≤ ${GOAL.attachMs} ms`,
    holds: summary.median <= GOAL.attachMs,
  }
}

/** PF-4: a run with many viewers compared with a run with one: time to its end, and processor time of the server. */
export async function measureViewers(ours: OurTarget, deltas: number, rounds: number): Promise<Row[]> {
  const wall: number[] = []
  const cpu: number[] = []
  for (let round = -1; round < rounds; round++) {
    const one = await watched(ours, deltas, 1)
    const many = await watched(ours, deltas, VIEWERS)
    if (round < 0) continue
    wall.push(many.wallMs / one.wallMs)
    if (one.cpuMs !== null && many.cpuMs !== null) cpu.push(many.cpuMs / one.cpuMs)
  }
  const row = (what: string, values: number[]): Row => {
    const summary = summarize(values)
    const result = spread(summary, times)
    const goal = `≤ ${times(GOAL.crowd)}`
    return { rule: 'PF-4', what, bare: '', ours: '', result, goal, holds: summary.median <= GOAL.crowd }
  }
  const rows = [row(`${VIEWERS} viewers against one, time`, wall)]
  return cpu.length === 0 ? rows : [...rows, row(`${VIEWERS} viewers against one, processor`, cpu)]
}

type OpenRun = { sessionId: string; runId: string }

async function startOpenRun(ours: OurTarget, deltas: number): Promise<OpenRun & AsyncDisposable> {
  const client = ours.connect()
  const { id: sessionId } = await client.session.create.mutate({ title: 'Bench', model: MODEL })
  const message = { parts: [{ type: 'text' as const, text: toPrompt({ deltas, open: true }) }] }
  const { runId = '' } = await client.session.send.mutate({ sessionId, message })
  const run = { sessionId, runId }
  await viewUntil(client, run, deltas)
  return {
    ...run,
    async [Symbol.asyncDispose]() {
      await client.session.abort.mutate(run)
      await client.dispose()
    },
  }
}

/** Reads a run until this many deltas have arrived. */
async function viewUntil(client: Client, run: OpenRun, deltas: number): Promise<void> {
  const enough = new AbortController()
  let missing = deltas * PLAIN_DELTA.length
  await readRun(
    client,
    run,
    (text) => {
      missing -= text.length
      if (missing === 0) enough.abort()
    },
    enough.signal,
  )
}

async function watched(
  ours: OurTarget,
  deltas: number,
  viewers: number,
): Promise<{ wallMs: number; cpuMs: number | null }> {
  const conversations = await Promise.all(Array.from({ length: viewers }, () => ours.connect()))
  const [first] = conversations
  if (first === undefined) throw new Error('A run needs a viewer here')
  const { id: sessionId } = await first.session.create.mutate({ title: 'Bench', model: MODEL })
  await Promise.all(conversations.map((client) => client.session.status.query({ sessionId })))
  const cpuBefore = ours.server.cpuMs()
  const start = performance.now()
  const message = { parts: [{ type: 'text' as const, text: toPrompt({ deltas }) }] }
  const { runId = '' } = await first.session.send.mutate({ sessionId, message })
  await Promise.all(conversations.map((client) => viewWhole(client, { sessionId, runId }, deltas)))
  const wallMs = performance.now() - start
  const cpuAfter = ours.server.cpuMs()
  const cpuMs = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore
  await Promise.all(conversations.map((client) => client.dispose()))
  return { wallMs, cpuMs }
}

async function viewWhole(client: Client, run: OpenRun, deltas: number): Promise<void> {
  let characters = 0
  await readRun(client, run, (text) => {
    characters += text.length
  })
  if (characters !== deltas * PLAIN_DELTA.length) throw new Error('A viewer lost text')
}
