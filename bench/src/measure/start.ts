import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { openStore } from '@palimpsest/db'
import { LONG_SESSION, seedLibrary } from '../library/seed.ts'
import type { Child } from '../processes/child.ts'
import { type StartedCommand, startCommand } from '../processes/start-command.ts'
import { summarize } from '../statistics.ts'
import { megabytes, ms, type Row, spread, times } from '../table.ts'
import { programOf, serverSettings, startServer } from '../targets/lab.ts'

const MEGABYTE = 1024 * 1024
const GOAL = {
  startMs: 2000,
  startCpuMs: 700,
  privateBytes: 130 * MEGABYTE,
  serverBytes: 200 * MEGABYTE,
  allBytes: 350 * MEGABYTE,
}
/** No model is called. */
const NO_PROVIDER = 'http://127.0.0.1:9'
const WITH_PAGES = { PALIMPSEST_WEB: 'on' }
/** A message of 600 words is some nine kilobytes of the file, with its place in the search. */
const WORDS = 600
/** Milliseconds in which an idle server reaches its resting memory. */
const REST_MS = 3000

/** `command`: whether the start command is measured too, which builds the pages where they are not built. */
export type StartSize = { messages: number; rounds: number; command: boolean }

/** What one start takes. */
type Start = Record<'ms' | 'cpuMs' | 'privateBytes' | 'rss', number | null>

/**
 * PF-7: time from starting the server, with its pages, on an existing database to its first answer, the processor time of that, and
 * its memory after that answer, after a page, and when idle; then the same for the start command, whose package managers keep
 * running with the server. `roots` are this checkout and, where it is compared, another one, with a database in its own schema.
 */
export async function measureStart(
  { messages, rounds, command }: StartSize,
  roots: { ours: string; former: string | null },
): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-start-'))
  try {
    const databases = { ours: join(folder, 'library.db'), former: join(folder, 'former.db') }
    const size = { sessions: 100, messagesPerSession: 10, longMessages: messages, longWords: WORDS }
    await seedLibrary(databases.ours, size)
    if (roots.former !== null) await seedLibrary(databases.former, size, await openStoreOf(roots.former))
    const bytes = megabytes((await stat(databases.ours)).size)
    const taken: Record<'ours' | 'former', Start[]> = { ours: [], former: [] }
    for (let round = 0; round < rounds; round++)
      for (const name of ['former', 'ours'] as const) {
        const root = roots[name]
        if (root !== null) taken[name].push(await startOf(root, folder, databases[name]))
      }
    const all = command ? [await memoryOfCommand(folder, databases.ours)] : []
    const rows = (what: string, key: keyof Start, unit: (value: number) => string, goal?: Goal) =>
      startRows(`${what}, database of ${bytes}`, { taken, key, unit, goal })
    return [
      ...rows('start to first answer', 'ms', ms, { text: `≤ ${GOAL.startMs / 1000} s`, most: GOAL.startMs }),
      ...rows('processor time of a start', 'cpuMs', ms, {
        text: `≤ ${ms(GOAL.startCpuMs)}`,
        most: GOAL.startCpuMs,
      }),
      ...rows('private memory at rest', 'privateBytes', megabytes, upTo(GOAL.privateBytes)),
      ...rows('memory at rest', 'rss', megabytes, upTo(GOAL.serverBytes)),
      ...memoryRows(
        `memory at rest of all that start leaves running, database of ${bytes}`,
        all,
        GOAL.allBytes,
      ),
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What makes a database in the schema of another checkout. */
async function openStoreOf(root: string): Promise<typeof openStore> {
  const address = pathToFileURL(join(root, 'packages/db/src/index.ts')).href
  // The other checkout is one of ours.
  return ((await import(address)) as { openStore: typeof openStore }).openStore
}

async function startOf(root: string, folder: string, database: string): Promise<Start> {
  const begun = performance.now()
  await using server = await startServer(folder, NO_PROVIDER, {
    database,
    environment: WITH_PAGES,
    program: programOf(root),
  })
  await firstAnswer(server)
  const taken = { ms: performance.now() - begun, cpuMs: server.cpuMs() }
  const rss = await memoryAtRest(server)
  return { ...taken, rss, privateBytes: server.privateBytes() }
}

async function memoryOfCommand(folder: string, database: string): Promise<number | null> {
  const settings = await serverSettings(folder, NO_PROVIDER, database)
  await using everything = await startCommand({ ...settings, ...WITH_PAGES })
  return await memoryAtRest(everything)
}

async function firstAnswer({ url }: Child): Promise<void> {
  const input = encodeURIComponent(JSON.stringify({ sessionId: LONG_SESSION }))
  const answer = await fetch(`${url}/trpc/session.get?input=${input}`)
  if (!answer.ok) throw new Error(`The server answered ${answer.status}`)
}

async function memoryAtRest(server: Child | StartedCommand): Promise<number | null> {
  await (await fetch(server.url)).text()
  await delay(REST_MS)
  return server.rss()
}

type Goal = { text: string; most: number }

const upTo = (most: number): Goal => ({ text: `≤ ${megabytes(most)}`, most })

type Figure = {
  taken: Record<'ours' | 'former', Start[]>
  key: keyof Start
  unit(value: number): string
  goal?: Goal | undefined
}

/** No row where the system does not give the figure. */
function startRows(what: string, { taken, key, unit, goal }: Figure): Row[] {
  const read = (starts: Start[]) => starts.map((start) => start[key]).filter((value) => value !== null)
  const [ours, former] = [summarize(read(taken.ours)), summarize(read(taken.former))]
  if (Number.isNaN(ours.median)) return []
  return [
    {
      rule: 'PF-7',
      what,
      bare: '',
      ...(!Number.isNaN(former.median) && {
        former: `${unit(former.median)}, ${times(ours.median / former.median)}`,
      }),
      ours: unit(ours.median),
      result: spread(ours, unit),
      goal: goal?.text ?? '',
      holds: goal === undefined ? null : ours.median <= goal.most,
    },
  ]
}

/** No row where the system gives no memory. */
function memoryRows(what: string, looks: (number | null)[], most: number): Row[] {
  const held = looks.filter((look) => look !== null)
  if (held.length === 0) return []
  const summary = summarize(held)
  return [
    {
      rule: 'PF-7',
      what,
      bare: '',
      ours: megabytes(summary.median),
      result: spread(summary, megabytes),
      goal: `≤ ${megabytes(most)}`,
      holds: summary.median <= most,
    },
  ]
}
