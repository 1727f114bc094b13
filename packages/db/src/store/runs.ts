import { AppError, type Session, type StoredMessage, totalTokens } from '@palimpsest/core/domain'
import type { RunBeginning, RunLease, RunStore, RunTrigger, StepCommit } from '@palimpsest/core/ports'
import type { Database } from '../connect/database.ts'
import type { Queries } from '../connect/queries.ts'
import { toStoredMessage } from '../rows/message-row.ts'
import { toSession, writeModel } from '../rows/session-row.ts'
import { claimSession } from '../sqlite/claim-session.ts'
import type { GroupCommit } from './group-commit.ts'
import { queuedMessages, waitingMessage } from './queue.ts'
import { openSession, touchSession } from './session-changes.ts'
import {
  existingMessage,
  hideFrom,
  insertMessage,
  makeSearchable,
  placeQueued,
  WITH_PARTS,
} from './stored-messages.ts'

/** `owner` names this host among all that ever opened the store. */
export function createRunStore(database: Database, commit: GroupCommit, owner: string): RunStore {
  return {
    begin: (run, trigger) =>
      database.write(async (queries) => {
        await claim(queries, run, owner)
        const beginning = await start(queries, run, trigger)
        if (beginning === null) {
          await queries.runLease.delete({ where: { sessionId: run.sessionId } })
          return null
        }
        const model = beginning.message?.metadata.model
        const columns = model === undefined ? {} : { modelJson: writeModel(model) }
        const row = await touchSession(queries, run.sessionId, run.startedAt, columns)
        return { session: toSession(row), ...beginning }
      }),
    record: (write) => commit.record(write),
    commitStep: (step) => commit.finish(step, (queries) => finishStep(queries, step)),
    end: (run, last, at) =>
      commit.finish(last, async (queries) => {
        if (last !== null) await settle(queries, last)
        await queries.runLease.deleteMany({ where: { sessionId: run.sessionId, runId: run.runId } })
        return toSession(await touchSession(queries, run.sessionId, at))
      }),
    orphans: () => database.read((queries) => orphans(queries, owner)),
  }
}

async function claim(queries: Queries, run: RunLease, owner: string): Promise<void> {
  if (await claimSession(queries, run, owner)) return
  await openSession(queries, run.sessionId)
  throw new AppError('SESSION_BUSY', 'This session is busy.')
}

async function start(
  queries: Queries,
  { runId, sessionId, startedAt: at }: RunLease,
  trigger: RunTrigger,
): Promise<Omit<RunBeginning, 'session'> | null> {
  switch (trigger.type) {
    case 'existing': {
      const { after } = trigger
      const hidden = after === null ? [] : await hideFrom(queries, sessionId, after, { itself: false, at })
      return { message: null, hidden }
    }
    case 'queued': {
      const { messageId } = trigger
      const [earliest] =
        messageId === null
          ? await queuedMessages(queries, sessionId)
          : [await waitingMessage(queries, sessionId, messageId)]
      if (earliest === undefined) return null
      return { message: await placeQueued(queries, earliest, { runId, at, hiddenBy: null }), hidden: [] }
    }
    case 'message': {
      const { message, replaces } = trigger
      const hidden =
        replaces === null ? [] : await hideFrom(queries, sessionId, replaces, { itself: true, at })
      const stored = await insertMessage(queries, message, { queuedAt: null, at })
      await makeSearchable(queries, stored)
      return { message: stored, hidden }
    }
  }
}

async function finishStep(queries: Queries, step: StepCommit): Promise<Session> {
  await settle(queries, step)
  if (step.systemPrompt !== null) {
    const { digest, body } = step.systemPrompt
    await queries.systemPrompt.upsert({ where: { digest }, create: { digest, body }, update: {} })
  }
  const row = await touchSession(queries, step.sessionId, step.at, {
    modelJson: writeModel(step.model),
    ...(step.contextTokens === null ? {} : { contextTokens: step.contextTokens }),
    ...(step.usage === null
      ? {}
      : {
          promptTokens: { increment: step.usage.input },
          completionTokens: { increment: step.usage.output },
          reasoningTokens: { increment: step.usage.reasoning },
          cacheRead: { increment: step.usage.cacheRead },
          cacheWrite: { increment: step.usage.cacheWrite },
          totalTokens: { increment: totalTokens(step.usage) },
        }),
  })
  return toSession(row)
}

async function settle(
  queries: Queries,
  { sessionId, messageId }: Pick<StepCommit, 'sessionId' | 'messageId'>,
): Promise<void> {
  await makeSearchable(queries, await existingMessage(queries, sessionId, messageId))
}

async function orphans(
  queries: Queries,
  owner: string,
): Promise<{ lease: RunLease; message: StoredMessage | null }[]> {
  const leases = await queries.runLease.findMany({ where: { owner: { not: owner } } })
  const found: { lease: RunLease; message: StoredMessage | null }[] = []
  for (const { runId, sessionId, startedAt } of leases) {
    const rows = await queries.chatMessage.findMany({
      where: { sessionId, role: 'assistant', seq: { not: null } },
      orderBy: { seq: 'desc' },
      take: 1,
      include: WITH_PARTS,
    })
    const message = rows.map(toStoredMessage).find(({ metadata }) => metadata.runId === runId) ?? null
    found.push({ lease: { runId, sessionId, startedAt: Number(startedAt) }, message })
  }
  return found
}
