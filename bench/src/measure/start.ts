import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { LONG_SESSION, seedLibrary } from '../library/seed.ts'
import type { Child } from '../processes/child.ts'
import { type StartedCommand, startCommand } from '../processes/start-command.ts'
import { summarize } from '../statistics.ts'
import { megabytes, ms, type Row, spread } from '../table.ts'
import { serverSettings, startServer } from '../targets/lab.ts'

const GOAL = { startMs: 2000, serverBytes: 200 * 1024 * 1024, allBytes: 400 * 1024 * 1024 }
/** No model is called. */
const NO_PROVIDER = 'http://127.0.0.1:9'
const WITH_PAGES = { PALIMPSEST_WEB: 'on' }
/** A message of 600 words is some nine kilobytes of the file, with its place in the search. */
const WORDS = 600
/** Milliseconds in which an idle server reaches its resting memory. */
const REST_MS = 3000

/** `command`: whether the start command is measured too, which builds the pages where they are not built. */
export type StartSize = { messages: number; rounds: number; command: boolean }

/**
 * PF-7: time from starting the server, with its pages, on an existing database to its first answer, and its memory
 * after that answer, after a page, and when idle; then the same for the start command, whose
 * package managers keep running with the server.
 */
export async function measureStart({ messages, rounds, command }: StartSize): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-start-'))
  try {
    const database = join(folder, 'library.db')
    await seedLibrary(database, {
      sessions: 100,
      messagesPerSession: 10,
      longMessages: messages,
      longWords: WORDS,
    })
    const size = megabytes((await stat(database)).size)
    const taken: number[] = []
    const idle: (number | null)[] = []
    for (let round = 0; round < rounds; round++) {
      const begun = performance.now()
      await using server = await startServer(folder, NO_PROVIDER, { database, environment: WITH_PAGES })
      await firstAnswer(server)
      taken.push(performance.now() - begun)
      idle.push(await memoryAtRest(server))
    }
    const all = command ? [await memoryOfCommand(folder, database)] : []
    return [
      startRow(size, taken),
      ...memoryRows(`memory at rest, database of ${size}`, idle, GOAL.serverBytes),
      ...memoryRows(
        `memory at rest of all that start leaves running, database of ${size}`,
        all,
        GOAL.allBytes,
      ),
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
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

function startRow(size: string, taken: number[]): Row {
  const summary = summarize(taken)
  return {
    rule: 'PF-7',
    what: `start to first answer, database of ${size}`,
    bare: '',
    ours: ms(summary.median),
    result: spread(summary, ms),
    goal: `≤ ${GOAL.startMs / 1000} s`,
    holds: summary.median <= GOAL.startMs,
  }
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
