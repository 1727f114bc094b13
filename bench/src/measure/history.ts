import { setImmediate } from 'node:timers/promises'
import type { Client } from '@palimpsest/client'
import { copyBySql } from '../library/copy-by-sql.ts'
import { LONG_SESSION, messageId } from '../library/seed.ts'
import { summarize } from '../statistics.ts'
import { megabytes, ms, type Row, spread } from '../table.ts'
import type { OurTarget } from '../targets/our-target.ts'
import { peakMemory } from './peak-memory.ts'

const MESSAGE = '{"type":"message",'
const GOAL = { messages: 10_000, branchMs: 1_000, rewindMs: 100, flatBytes: 32 * 1024 * 1024 }

type Library = { database: string; messages: number; rounds: number }

/** The durations of one operation; `bare` is the time of plain SQL for the same, where it can do it. */
type Taken = { wall: number[]; memory: number[]; bare: number[] }

/** PF-6: every operation on a whole long session, client to client. */
export async function measureHistory(ours: OurTarget, library: Library): Promise<Row[]> {
  await using client = ours.connect()
  const { messages, rounds } = library
  const taken = {
    branch: none(),
    rewind: none(),
    unrewind: none(),
    export: none(),
    import: none(),
    compaction: none(),
  }
  const act = async (to: Taken, round: number, work: () => Promise<unknown>) => {
    const { wall, memory } = await measured(ours, work)
    if (round < 0) return
    to.wall.push(wall)
    if (memory !== null) to.memory.push(memory)
  }
  // The first round warms up.
  for (let round = -1; round < rounds; round++) {
    const bare = copyBySql(library.database, `copy${round}`)
    if (round >= 0) taken.branch.bare.push(bare)
    // The copy blocked this process, so that events such as the end of an idle socket are handled only now.
    await setImmediate()
    await act(taken.branch, round, () => branch(client, messages))
    await act(taken.rewind, round, () => rewind(client, messages))
    await act(taken.unrewind, round, () => unrewind(client, messages))
    await act(taken.export, round, () => exportAll(ours, messages))
    // The import reads the export as it arrives, so that it is never in memory whole.
    await act(taken.import, round, () => importAll(ours))
  }
  // An undone compaction leaves its summary behind, hidden, so that these come last.
  for (let round = -1; round < rounds; round++) {
    await act(taken.compaction, round, () => compact(client, messages))
    await client.session.uncompact.mutate({ sessionId: LONG_SESSION })
  }
  const all = `${messages} messages`
  const branching = `branch of ${all}`
  const exporting = `export of ${all}`
  const importing = `import of ${all}`
  const compacting = `compaction of ${all}`
  return [
    timeRow(branching, taken.branch, messages, GOAL.branchMs),
    memoryRow(`${branching}, memory`, taken.branch, messages),
    timeRow(`rewind to the first of ${all}`, taken.rewind, messages, GOAL.rewindMs),
    timeRow(`un-rewind of ${all}`, taken.unrewind, messages, GOAL.rewindMs),
    timeRow(exporting, taken.export, messages),
    memoryRow(`${exporting}, memory`, taken.export, messages),
    timeRow(importing, taken.import, messages),
    memoryRow(`${importing}, memory`, taken.import),
    timeRow(compacting, taken.compaction, messages),
    memoryRow(`${compacting}, memory`, taken.compaction),
  ].filter((row) => row !== null)
}

function none(): Taken {
  return { wall: [], memory: [], bare: [] }
}

async function measured(
  { server }: OurTarget,
  work: () => Promise<unknown>,
): Promise<{ wall: number; memory: number | null }> {
  let wall = 0
  const memory = await peakMemory(server, async () => {
    const start = performance.now()
    await work()
    wall = performance.now() - start
  })
  return { wall, memory }
}

async function branch({ session }: Client, messages: number): Promise<void> {
  const fromMessageId = messageId(LONG_SESSION, messages - 1)
  const { parentId } = await session.branch.mutate({ sessionId: LONG_SESSION, fromMessageId })
  if (parentId !== LONG_SESSION) throw new Error('The branch has another parent')
}

async function rewind({ session }: Client, messages: number): Promise<void> {
  const first = messageId(LONG_SESSION, 0)
  const { hidden } = await session.rewind.mutate({ sessionId: LONG_SESSION, messageId: first })
  if (hidden !== messages - 1) throw new Error(`The rewind hid ${hidden} messages`)
}

async function unrewind({ session }: Client, messages: number): Promise<void> {
  const { restored } = await session.unrewind.mutate({ sessionId: LONG_SESSION })
  if (restored !== messages - 1) throw new Error(`The un-rewind brought ${restored} messages back`)
}

/** Downloads the session and drops its bytes. */
async function exportAll(ours: OurTarget, messages: number): Promise<void> {
  const answer = await download(ours)
  let rows = 0
  let end = ''
  for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const begins = `${end}${piece}`.split(MESSAGE)
    rows += begins.length - 1
    end = (begins.at(-1) ?? '').slice(1 - MESSAGE.length)
  }
  if (rows !== messages) throw new Error(`The export held ${rows} messages`)
}

function download({ server }: OurTarget): Promise<Response> {
  return fetch(`${server.url}/api/v1/sessions/${LONG_SESSION}/export`)
}

async function importAll(ours: OurTarget): Promise<void> {
  const body = (await download(ours)).body
  const headers = { 'content-type': 'application/x-ndjson' }
  // Node requires `duplex` for a streamed body; the browser types of `fetch` lack it.
  const streamed: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
  const answer = await fetch(`${ours.server.url}/api/v1/sessions/import`, streamed)
  if (!answer.ok) throw new Error(`The import was refused: ${await answer.text()}`)
}

async function compact({ session }: Client, messages: number): Promise<void> {
  const { hidden } = await session.compact.mutate({ sessionId: LONG_SESSION })
  if (hidden < messages / 2) throw new Error(`The compaction hid ${hidden} messages`)
}

function timeRow(what: string, { wall, bare }: Taken, messages: number, most?: number): Row {
  const summary = summarize(wall)
  const hasGoal = most !== undefined && messages === GOAL.messages
  return {
    rule: 'PF-6',
    what,
    bare: bare.length > 0 ? ms(summarize(bare).median) : '',
    ours: ms(summary.median),
    result: spread(summary, ms),
    goal: hasGoal ? `≤ ${most} ms` : '',
    holds: hasGoal ? summary.median <= most : null,
  }
}

/** Null where the system gives no memory. With its `messages` in the name, it has to stay flat. */
function memoryRow(what: string, { memory }: Taken, messages?: number): Row | null {
  if (memory.length === 0) return null
  const summary = summarize(memory)
  const hasGoal = messages === GOAL.messages
  return {
    rule: 'PF-6',
    what,
    bare: '',
    ours: `+ ${megabytes(summary.median)}`,
    result: spread(summary, megabytes),
    goal: hasGoal ? `≤ ${megabytes(GOAL.flatBytes)}` : '',
    holds: hasGoal ? summary.median <= GOAL.flatBytes : null,
  }
}
