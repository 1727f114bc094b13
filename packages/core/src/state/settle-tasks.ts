import { failed, taskEndOf } from '../domain/message/task-end.ts'
import type { Ask, TaskEnd } from '../domain/permission/ask.ts'
import type { SeqRange } from '../domain/values/seq-ranges.ts'
import type { Clock, Logger, Store } from '../ports/index.ts'
import { closeRun, HOST_RESTARTED } from './recovery.ts'

/** Places among which the first reply of a session is: its question, summaries, steering messages. */
const FIRST_PLACES: SeqRange = [1, 100]

type FoundEnd = { end: TaskEnd; interrupted: boolean }

const NOT_BEGUN: FoundEnd = {
  end: failed('aborted by host restart; the subagent has not begun'),
  interrupted: true,
}

/** How a subagent has ended, by its rows; `interrupted` when its host died before. */
export async function readTaskEnd(sessionId: string, store: Store): Promise<FoundEnd> {
  const first = await store.history.messagesAt(sessionId, [FIRST_PLACES])
  const runId = first.find(({ role }) => role === 'user')?.metadata.runId
  const reply = first.find(
    ({ role, metadata }) =>
      role === 'assistant' && metadata.runId === runId && metadata.compactionId === undefined,
  )
  if (reply === undefined) return NOT_BEGUN
  const { metadata } = reply
  const interrupted = metadata.finishReason === undefined || metadata.finishReason === 'interrupted'
  return { end: taskEndOf({ metadata, parts: reply.parts.map(({ data }) => data) }), interrupted }
}

/**
 * After a restart: gives runs that wait for subagents the ends of those that no longer run, the innermost first. A run whose last
 * subagent was interrupted is interrupted too; one whose subagents have all ended by themselves is resumed by the host.
 */
export async function settleTasks(ports: { store: Store; clock: Clock; logger: Logger }): Promise<void> {
  const { store, logger } = ports
  const failed = new Set<string>()
  /** One that fails is left to a person, who can stop it. */
  const unlessFailed = (work: Promise<unknown>, { id, sessionId, runId }: Ask) =>
    work.catch((error: unknown) => {
      failed.add(id)
      logger.error({ error, sessionId, runId }, 'A run that waits for a subagent could not be settled')
    })
  for (;;) {
    const waiting = new Set((await store.runs.waiting()).map(({ lease }) => lease.sessionId))
    const open = await store.asks.open(null)
    const over = open.filter(
      ({ id, request }) => request.kind === 'task' && !waiting.has(request.task.sessionId) && !failed.has(id),
    )
    if (over.length === 0) return
    const interrupted = new Map<string, Ask>()
    for (const ask of over) await unlessFailed(settleTask(ask, interrupted, ports), ask)
    for (const ask of interrupted.values()) await unlessFailed(interrupt(ask, ports), ask)
  }
}

/** Stores how the subagent has ended; one that was interrupted interrupts the run that waits for it. */
async function settleTask(
  { id, runId, request, ...ask }: Ask,
  interrupted: Map<string, Ask>,
  { store, clock }: { store: Store; clock: Clock },
): Promise<void> {
  if (request.kind !== 'task') return
  const found = await readTaskEnd(request.task.sessionId, store).catch(() => NOT_BEGUN)
  await store.asks.reply(id, { type: 'ended', ...found.end }, clock.now())
  if (found.interrupted) interrupted.set(runId, { ...ask, id, runId, request })
}

/** Ends a waiting run as its host's death would have, unless it waits for something else. */
async function interrupt(
  { runId, sessionId, messageId }: Ask,
  ports: { store: Store; clock: Clock; logger: Logger },
): Promise<void> {
  const { store, clock } = ports
  const asks = await store.asks.ofRun(runId)
  if (asks.some(({ reply }) => reply === null)) return
  const lease = await store.runs.interrupt(runId, clock.now())
  if (lease === null) return
  const reply = await store.messages.get(sessionId, messageId)
  await closeRun(lease, reply, HOST_RESTARTED, ports, asks)
}
