import { setTimeout } from 'node:timers/promises'
import { PLAIN_DELTA, toPrompt } from '../script.ts'
import { summarize } from '../statistics.ts'
import { megabytes, ms, type Row, spread, times } from '../table.ts'
import { MODEL, type OurTarget, readRun } from '../targets/our-target.ts'
import { silentViewer, type Transport } from '../targets/silent-viewer.ts'
import { readEvents } from '../targets/stranger-target.ts'

export type FanOutSize = {
  viewers: number
  transport: Transport
  /** Milliseconds between two of the run's deltas. */
  everyMs: number
  deltas: number
  rounds: number
}

export type SilentSize = {
  viewers: number
  /** Words of the run's reply. */
  megabytes: number
  /** Milliseconds in which a viewer that never reads receives all that it will receive. */
  silenceMs: number
}

const GOAL = { processor: 3, attachMs: 100 }
/** Milliseconds between two viewers that attach. */
const ATTACH_EVERY_MS = 5
const MEGABYTE = 1024 * 1024
/** Words of one delta of a large reply. */
const WORDS = 4_000

/** PF-4: many viewers of one steady run compared with one: processor time, attaching, the end. */
export async function measureFanOut(ours: OurTarget, size: FanOutSize): Promise<Row[]> {
  const ratios: number[] = []
  const attached: number[] = []
  const late: number[] = []
  for (let round = -1; round < size.rounds; round++) {
    const one = await watchSteadyRun(ours, size, 1)
    const many = await watchSteadyRun(ours, size, size.viewers)
    if (round < 0) continue
    if (one.cpuMs !== null && many.cpuMs !== null) ratios.push(many.cpuMs / one.cpuMs)
    attached.push(...many.attachMs)
    late.push(many.lateMs)
  }
  const what = `${size.viewers} viewers of a steady run over ${size.transport}`
  const processor = summarize(ratios)
  const attach = summarize(attached)
  const processorRow = {
    ...row(`${what}, processor against one`, spread(processor, times)),
    goal: `≤ ${times(GOAL.processor)}`,
    holds: processor.median <= GOAL.processor,
  }
  return [
    ...(ratios.length === 0 ? [] : [processorRow]),
    {
      ...row(`${what}, attach p95`, ms(attach.p95)),
      goal: `≤ ${GOAL.attachMs} ms`,
      holds: attach.p95 <= GOAL.attachMs,
    },
    row(`${what}, last end after the first`, spread(summarize(late), ms)),
  ]
}

/** LS-4: the server's memory for viewers of a large reply that never read. */
export async function measureSilence(ours: OurTarget, size: SilentSize): Promise<Row[]> {
  const rows: Row[] = []
  for (const transport of ['sse', 'ws'] as const) {
    rows.push(await measureSilentViewers(ours, size, transport))
  }
  return rows
}

function row(what: string, result: string): Row {
  return { rule: 'PF-4', what, bare: '', ours: '', result, goal: '', holds: null }
}

async function watchSteadyRun(ours: OurTarget, { deltas, everyMs, transport }: FanOutSize, viewers: number) {
  await using clients = new AsyncDisposableStack()
  const connect = () => clients.adopt(ours.connect(), (client) => client.dispose())
  const first = connect()
  const { id: sessionId } = await first.session.create.mutate({ title: 'Bench', model: MODEL })
  const message = { parts: [{ type: 'text' as const, text: toPrompt({ deltas, everyMs }) }] }
  const cpuBefore = ours.server.cpuMs()
  const { runId = '' } = await first.session.send.mutate({ sessionId, message })
  const attachMs: number[] = []
  const watching: Promise<number>[] = []
  const run = { sessionId, runId }
  const read = (isFirst: boolean, onText: (text: string) => void) =>
    transport === 'sse'
      ? readEvents(ours.server.url, run, onText)
      : readRun(isFirst ? first : connect(), run, onText)
  for (let viewer = 0; viewer < viewers; viewer++) {
    const start = performance.now()
    let characters = 0
    const onText = (text: string) => {
      if (characters === 0) attachMs.push(performance.now() - start)
      characters += text.length
    }
    const watched = read(viewer === 0, onText).then(() => {
      if (characters !== deltas * PLAIN_DELTA.length) throw new Error('A viewer lost text')
      return performance.now()
    })
    watching.push(watched)
    await setTimeout(ATTACH_EVERY_MS)
  }
  const ends = await Promise.all(watching)
  const cpuAfter = ours.server.cpuMs()
  const cpuMs = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore
  return { cpuMs, attachMs, lateMs: Math.max(...ends) - Math.min(...ends) }
}

async function measureSilentViewers(
  ours: OurTarget,
  { viewers, megabytes: size, silenceMs }: SilentSize,
  transport: Transport,
): Promise<Row> {
  await using opened = new AsyncDisposableStack()
  const client = opened.adopt(ours.connect(), (each) => each.dispose())
  const { id: sessionId } = await client.session.create.mutate({ title: 'Bench', model: MODEL })
  const deltas = Math.ceil((size * MEGABYTE) / (WORDS * PLAIN_DELTA.length))
  const script = toPrompt({ deltas, words: WORDS, open: true })
  const { runId = '' } = await client.session.send.mutate({
    sessionId,
    message: { parts: [{ type: 'text', text: script }] },
  })
  const run = { sessionId, runId }
  const enough = new AbortController()
  let missing = deltas * WORDS * PLAIN_DELTA.length
  const onText = (text: string) => {
    missing -= text.length
    if (missing === 0) enough.abort()
  }
  await readRun(client, run, onText, enough.signal)
  const before = ours.server.rss()
  for (let viewer = 0; viewer < viewers; viewer++)
    opened.use(await silentViewer(ours.server.url, run, transport))
  await setTimeout(silenceMs)
  const after = ours.server.rss()
  const result = before === null || after === null ? '' : `+ ${megabytes(Math.max(0, after - before))}`
  await client.session.abort.mutate(run)
  return row(`${viewers} silent viewers of ${size} MB over ${transport}, memory`, result)
}
