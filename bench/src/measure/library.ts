import type { Client } from '@palimpsest/client'
import { type LibrarySize, LONG_SESSION } from '../library/seed.ts'
import { wordFor } from '../library/words.ts'
import { summarize } from '../statistics.ts'
import { ms, type Row, spread } from '../table.ts'
import type { OurTarget } from '../targets/our-target.ts'

const TARGET_MS = { session: 20, list: 50 }
const WARM_UP = 10

/** PF-5: the queries of the page when it opens, on a library of that size, client to client. */
export async function measureLibrary(ours: OurTarget, size: LibrarySize, samples: number): Promise<Row[]> {
  await using client = ours.connect()
  const rows: Row[] = []
  for (const { what, goalMs, ask } of questions(client)) {
    const taken: number[] = []
    for (let sample = -WARM_UP; sample < samples; sample++) {
      const start = performance.now()
      await ask()
      if (sample >= 0) taken.push(performance.now() - start)
    }
    const { min, median, p95 } = summarize(taken)
    rows.push({
      rule: 'PF-5',
      what: `${what}, ${size.sessions} sessions, ${size.sessions * size.messagesPerSession} messages`,
      bare: '',
      ours: `${ms(p95)} p95`,
      result: spread({ min, median, max: p95 }, ms),
      goal: `≤ ${goalMs} ms`,
      holds: p95 <= goalMs,
    })
  }
  return rows
}

type Question = { what: string; goalMs: number; ask(): Promise<unknown> }

function questions({ session, search }: Client): Question[] {
  const limit = 50
  const anyWord = () => wordFor(Math.random())
  let cursor: string | null = null
  return [
    {
      what: 'session',
      goalMs: TARGET_MS.session,
      ask: () => session.get.query({ sessionId: LONG_SESSION }),
    },
    {
      what: 'first page of messages',
      goalMs: TARGET_MS.session,
      ask: () => session.messages.query({ sessionId: LONG_SESSION, limit }),
    },
    {
      what: 'list, page after page',
      goalMs: TARGET_MS.list,
      async ask() {
        const page = await session.list.query({ limit, ...(cursor !== null && { cursor }) })
        cursor = page.nextCursor
      },
    },
    {
      what: 'list of those that hold a word',
      goalMs: TARGET_MS.list,
      ask: () => session.list.query({ limit, search: anyWord() }),
    },
    {
      what: 'search for a word',
      goalMs: TARGET_MS.list,
      ask: () => search.messages.query({ limit, text: anyWord() }),
    },
    {
      what: 'search for a beginning',
      goalMs: TARGET_MS.list,
      ask: () => search.messages.query({ limit, text: anyWord().slice(0, 2) }),
    },
  ]
}
