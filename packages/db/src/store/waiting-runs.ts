import { waitsOn } from '@palimpsest/core/domain'
import type { RunStore } from '@palimpsest/core/ports'
import type { Database } from '../connect/database.ts'
import { toSession } from '../rows/session-row.ts'
import { asksOfRun, insertAsks } from '../sql/ask-rows.ts'
import { claimWaiting, waitingRuns, waitOn } from '../sql/waiting-claims.ts'
import type { GroupCommit } from './group-commit.ts'
import { touchSession } from './session-changes.ts'

type Waiting = Pick<RunStore, 'ask' | 'pause' | 'resume' | 'interrupt' | 'waiting'>

/** Runs that ask and wait; `owner` is the host that resumes them. */
export function createWaitingRuns(database: Database, commit: GroupCommit, owner: string): Waiting {
  return {
    ask: (write, asks) => commit.finish(write, (queries) => insertAsks(queries, asks)),
    pause: ({ runId, sessionId }, write, at) =>
      commit.finish(write, async (queries) => {
        const on = waitsOn((await asksOfRun(queries, runId)).filter(({ reply }) => reply === null))
        if (on === null) return null
        await waitOn(queries, { runId, messageId: write.messageId }, on)
        return toSession(await touchSession(queries, sessionId, at), queries.note)
      }),
    resume: (runId, at) =>
      database.write(async (queries) => {
        const asks = await asksOfRun(queries, runId)
        return asks.some(({ reply }) => reply === null)
          ? null
          : await claimWaiting(queries, runId, { owner, at })
      }),
    interrupt: (runId, at) => database.write((queries) => claimWaiting(queries, runId, { owner, at })),
    waiting: () => database.read(waitingRuns),
  }
}
