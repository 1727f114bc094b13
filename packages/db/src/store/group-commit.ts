import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { AppError } from '@palimpsest/core/domain'
import type { RecordWrite } from '@palimpsest/core/ports'
import type { Database } from '../connect/database.ts'
import type { RawQueries } from '../connect/statements.ts'
import { recordWrites } from '../sql/record-writes.ts'
import { readSession } from '../sql/session-rows.ts'

/** What the commit does after the writes, in the same transaction. */
type Finish<T> = (queries: RawQueries) => Promise<T>

/** One caller's share of a commit: tried with others or alone, then resolved or rejected. */
type Share = {
  write: RecordWrite | null
  /** Returns the function that resolves the caller. */
  finish: Finish<() => void>
  fail: (error: unknown) => void
}

/**
 * Commits of many runs that share transactions: while one is under way the next ones gather, and go together. What
 * makes a shared commit fail is found by trying each alone, so that no run fails for another one's sake.
 */
export type GroupCommit = {
  record(write: RecordWrite): Promise<void>
  finish<T>(write: RecordWrite | null, finish: Finish<T>): Promise<T>
}

/** Milliseconds from one commit to the next under load: long enough to gather, too short to be noticed. */
const GATHER_MS = 4
/**
 * After a commit of more than `writes` shares the next one waits: each commit costs as much again, and at 100 streams this
 * saves a quarter of the processor time.
 */
const CROWD = { writes: 8, waitMs: 10 }

export function createGroupCommit(
  database: Database,
  wait: (ms: number) => Promise<unknown> = delay,
): GroupCommit {
  let gathering: Share[] = []
  let underWay = false
  let nextAt = 0

  const commitAll = async () => {
    underWay = true
    const shares = gathering
    gathering = []
    await commitTogether(database, shares)
    if (shares.length > CROWD.writes) await wait(CROWD.waitMs)
    nextAt = performance.now() + GATHER_MS
    underWay = false
    if (gathering.length > 0) await commitSoon()
  }

  // SQLite answers without ever waiting, so nothing could gather unless the host got to read its sockets here.
  const commitSoon = async () => {
    await setImmediate()
    if (!underWay && gathering.length > 0) await commitAll()
  }

  function join(share: Share) {
    gathering.push(share)
    if (underWay) return
    if (performance.now() >= nextAt) void commitAll()
    else if (gathering.length === 1) void commitSoon()
  }

  function finish<T>(write: RecordWrite | null, finishing: Finish<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const finishAndResolve: Share['finish'] = async (queries) => {
        const result = await finishing(queries)
        return () => resolve(result)
      }
      join({ write, finish: finishAndResolve, fail: reject })
    })
  }

  return { finish, record: (write) => finish(write, () => Promise.resolve()) }
}

async function commitTogether(database: Database, shares: Share[]): Promise<void> {
  try {
    const announcements = await database.write((queries) => commit(queries, shares))
    for (const announce of announcements) announce()
  } catch (error) {
    const [only, ...others] = shares
    if (only !== undefined && others.length === 0) only.fail(await reasonOf(database, only, error))
    else for (const share of shares) await commitTogether(database, [share])
  }
}

async function commit(queries: RawQueries, shares: Share[]): Promise<(() => void)[]> {
  await recordWrites(
    queries,
    shares.flatMap(({ write }) => write ?? []),
  )
  const announcements: (() => void)[] = []
  for (const { finish } of shares) announcements.push(await finish(queries))
  return announcements
}

/** A write into a session that is gone fails on its foreign key; this says so in the caller's words. */
async function reasonOf(database: Database, { write }: Share, error: unknown): Promise<unknown> {
  if (write === null) return error
  const exists = await database
    .read((queries) => readSession(queries, write.sessionId))
    .then(
      (session) => session !== undefined,
      () => true,
    )
  return exists ? error : new AppError('SESSION_NOT_FOUND', 'This session does not exist.')
}
