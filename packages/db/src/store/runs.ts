import { setImmediate } from 'node:timers/promises'
import {
  AppError,
  createId,
  nameByMessage,
  type Session,
  type StoredMessage,
  toSteeringPart,
} from '@palimpsest/core/domain'
import type {
  HistoryChange,
  NewMessage,
  RecordWrite,
  RunBeginning,
  RunLease,
  RunStore,
  RunTrigger,
  SteeringWrite,
  StepCommit,
} from '@palimpsest/core/ports'
import type { Database } from '../connect/database.ts'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'
import { toSession, writeModel } from '../rows/session-row.ts'
import { cancelAsks } from '../sql/ask-rows.ts'
import {
  claimSession,
  expiredClaims,
  releaseSession,
  renewClaims,
  takeOverClaim,
} from '../sql/claim-session.ts'
import { messageParts, replyOfRun } from '../sql/placed-messages.ts'
import { recordWrites, writeParts } from '../sql/record-writes.ts'
import { appendLog, dropLogs, dropUnclaimedLogs, endLog, openLog, readLog } from '../sql/run-log.ts'
import { endStep } from '../sql/step-ending.ts'
import { indexTitle } from '../sqlite/search-index.ts'
import { searchedParts } from '../sqlite/search-slices.ts'
import { applyChange } from './apply-change.ts'
import type { GroupCommit } from './group-commit.ts'
import { queuedMessages, waitingMessage } from './queue.ts'
import type { SearchIndexer } from './search-indexer.ts'
import { missingSession, openSession, touchSession } from './session-changes.ts'
import { insertMessage, makeSearchable, placeQueued } from './stored-messages.ts'
import { createWaitingRuns } from './waiting-runs.ts'

/** `owner` names this host among all that ever opened the store. */
export function createRunStore(
  database: Database,
  commit: GroupCommit,
  indexer: SearchIndexer,
  owner: string,
): RunStore {
  /** Messages of this host's runs whose text is indexed as stored. */
  const searchable = new Set<string>()

  /** Runs whose logs the next deletion takes: those of runs that ended together are between each other. */
  let dropping: { runIds: string[]; done: Promise<void> } | null = null

  function dropTogether(runId: string): Promise<void> {
    if (dropping === null) {
      const runIds: string[] = []
      const done = setImmediate().then(() => {
        dropping = null
        return commit.finish(null, (queries) => dropLogs(queries, runIds))
      })
      dropping = { runIds, done }
    }
    dropping.runIds.push(runId)
    return dropping.done
  }

  async function begin(
    queries: RawQueries,
    run: RunLease,
    starting: () => Promise<Start | null>,
  ): Promise<RunBeginning | null> {
    await claim(queries, run, owner)
    const started = await starting()
    if (started === null) {
      await releaseSession(queries, run)
      queries.logs.forget(run.runId)
      return null
    }
    const model = started.message?.metadata.model
    const changes = model === undefined ? {} : { modelJson: writeModel(model) }
    const row = await touchSession(queries, run.sessionId, run.startedAt, changes)
    const session = toSession(row, queries.note)
    return { session: await named(queries, run, session, started.message), ...started }
  }

  /** The session with the title that it takes from this message, if it has none. */
  async function named(
    queries: RawQueries,
    { startedAt }: RunLease,
    session: Session,
    message: StoredMessage | null,
  ): Promise<Session> {
    const name =
      message === null
        ? null
        : nameByMessage(
            session,
            message.parts.map(({ data }) => data),
          )
    if (name === null) return session
    await indexTitle(queries, { sessionId: session.id, title: name.title })
    return toSession(await touchSession(queries, session.id, startedAt, name), queries.note)
  }

  return {
    async begin(run, trigger) {
      const begun = await (trigger.type === 'message' && trigger.change === null
        ? commit.finish(null, (queries) => begin(queries, run, () => askAlone(queries, run, trigger.message)))
        : database.write((queries) => begin(queries, run, () => start(queries, run, trigger))))
      indexer.wake()
      return begun
    },
    record(write) {
      if (hasText(write)) searchable.delete(write.messageId)
      return commit.record(write)
    },
    async commitStep(step) {
      const session = await commit.finish(step, (queries) => finishStep(queries, step))
      searchable.add(step.messageId)
      indexer.wake()
      return session
    },
    async takeSteering(runId, reply) {
      const taken = await database.write((queries) => takeSteering(queries, runId, reply))
      indexer.wake()
      return taken
    },
    async end(run, last, at) {
      const settled = last === null || (searchable.delete(last.messageId) && !hasText(last))
      const step = last?.step
      // With the end of a step the session's row is changed once.
      const session = await commit.finish(last && withoutStep(last), async (queries) => {
        if (!settled) await settle(queries, last)
        const row = step
          ? ((await endStep(queries, run.sessionId, step, at)) ?? missingSession())
          : await touchSession(queries, run.sessionId, at)
        if (last === null) await endLog(queries, run)
        await releaseSession(queries, run)
        await cancelAsks(queries, run.runId, at)
        return toSession(row, queries.note)
      })
      if (!settled) indexer.wake()
      return session
    },
    ...createWaitingRuns(database, commit, owner),
    renew: (runIds, at) => database.write((queries) => renewClaims(queries, { owner, runIds, at })),
    orphans: (at) => database.read((queries) => orphans(queries, { owner, at })),
    takeOver: (lease, at) => database.write((queries) => takeOverClaim(queries, lease, { owner, at })),
    log: (runId) => database.read((queries) => readLog(queries, runId)),
    dropLog: (runId) => (runId === 'unclaimed' ? database.write(dropUnclaimedLogs) : dropTogether(runId)),
  }
}

function withoutStep({ step: _, ...write }: RecordWrite): RecordWrite {
  return write
}

function hasText({ parts }: RecordWrite): boolean {
  return parts.some(({ data }) => data.type === 'text')
}

type Start = Omit<RunBeginning, 'session'>

async function claim(queries: RawQueries, run: RunLease, owner: string): Promise<void> {
  if (await claimSession(queries, run, owner)) {
    openLog(queries, run.runId)
    return
  }
  await openSession(queries, run.sessionId)
  throw new AppError('SESSION_BUSY', 'This session is busy.')
}

async function start(queries: RawQueries, run: RunLease, trigger: RunTrigger): Promise<Start | null> {
  const { runId, sessionId, startedAt: at } = run
  switch (trigger.type) {
    case 'existing':
      await changeFor(queries, trigger.change)
      return { message: null }
    case 'queued': {
      const { messageId, model, change } = trigger
      const [earliest] =
        messageId === null
          ? await queuedMessages(queries, sessionId)
          : [await waitingMessage(queries, sessionId, messageId)]
      if (earliest === undefined) return null
      await changeFor(queries, change)
      const message = await placeQueued(queries, earliest, { runId, at, hiddenBy: null, model })
      return { message }
    }
    case 'message': {
      await changeFor(queries, trigger.change)
      return { message: await ask(queries, run, trigger.message) }
    }
  }
}

async function changeFor(queries: RawQueries, change: HistoryChange | null): Promise<void> {
  if (change !== null) await applyChange(queries, change)
}

async function ask(
  queries: RawQueries,
  { startedAt: at }: RunLease,
  message: NewMessage,
): Promise<StoredMessage> {
  const stored = await insertMessage(queries, message, { queuedAt: null, at })
  await makeSearchable(queries, stored)
  return stored
}

async function askAlone(queries: RawQueries, run: RunLease, message: NewMessage): Promise<Start> {
  return { message: await ask(queries, run, message) }
}

async function finishStep(queries: RawQueries, step: StepCommit): Promise<Session> {
  await settle(queries, step)
  const row = await endStep(queries, step.sessionId, step, step.at)
  return toSession(row ?? missingSession(), queries.note)
}

async function takeSteering(
  queries: RawQueries,
  runId: string,
  reply: RecordWrite,
): Promise<SteeringWrite[]> {
  const { sessionId, messageId, at } = reply
  await recordWrites(queries, [reply])
  const written = (await messageParts(queries, messageId)).length
  const queued = await queuedMessages(queries, sessionId)
  const steering = queued.filter(({ metadata }) => metadata.steer)
  if (steering.length > 0) await touchSession(queries, sessionId, at)
  for (const message of steering) await placeQueued(queries, message, { runId, at, hiddenBy: runId })
  const parts = steering.map((message, place) => ({
    id: createId('prt'),
    index: written + place,
    data: toSteeringPart(message),
  }))
  await writeParts(queries, { messageId, sessionId, parts, at })
  await appendLog(queries, reply, { ...reply.log, chunks: parts.map(({ data }) => data) })
  return parts
}

async function settle(
  queries: RawQueries,
  { sessionId, messageId }: Pick<StepCommit, 'sessionId' | 'messageId'>,
): Promise<void> {
  await makeSearchable(queries, {
    id: messageId,
    sessionId,
    parts: await searchedParts(queries, messageId),
  })
}

async function orphans(
  queries: ReadQueries,
  expiry: { owner: string; at: number },
): Promise<{ lease: RunLease; message: StoredMessage | null }[]> {
  const found: { lease: RunLease; message: StoredMessage | null }[] = []
  for (const lease of await expiredClaims(queries, expiry)) {
    found.push({ lease, message: await replyOfRun(queries, lease) })
  }
  return found
}
