import { isObject } from '../domain/json/stored-keys.ts'
import {
  type ChatChunk,
  type ChatPart,
  isOwnCall,
  isToolPart,
  type StoredMessage,
} from '../domain/message/message.ts'
import { taskChunks } from '../domain/message/task-end.ts'
import { NO_TOKENS } from '../domain/model/usage.ts'
import { type Ask, waitsOn } from '../domain/permission/ask.ts'
import { ancestorsOf, type Session } from '../domain/session/session.ts'
import { reduceToolChunk } from '../domain/stream/tool-reducer.ts'
import type {
  Clock,
  LiveStreams,
  Logger,
  PartWrite,
  RecordWrite,
  RunLease,
  Store,
  WaitingRun,
} from '../ports/index.ts'
import type { Coordinator } from './coordinator.ts'
import { dropLogLater } from './drop-log.ts'

type RecoveryPorts = { store: Store; clock: Clock; logger: Logger }

export const HOST_RESTARTED = 'aborted by host restart; it may have run'
export const END_LOST = 'the end of its run could not be stored; it may have run'

/**
 * Ends the runs that a dead host left open: open text is closed, a call without an output becomes an error, and nothing is
 * run again. One that has asked a person waits on for the reply; what it asked about was not run. Returns how many there were. One that cannot be ended is logged and left to the next operation on its session.
 */
export async function recoverRuns(ports: RecoveryPorts): Promise<number> {
  await ports.store.runs.dropLog('unclaimed').catch((error: unknown) => {
    ports.logger.warn({ error }, 'The logs of former runs could not be deleted')
  })
  const orphans = await ports.store.runs.orphans(ports.clock.now())
  for (const { lease, message } of orphans) {
    try {
      await closeOrphan(lease, message, ports)
    } catch (error) {
      ports.logger.error({ error, ...lease }, 'A run that had been left open could not be closed')
    }
  }
  return orphans.length
}

type WaitingPorts = { store: Store; live: LiveStreams; coordinator: Coordinator; logger: Logger }

/**
 * Shows the sessions of waiting runs as waiting, and fills the streams of these runs from their logs, one run after the other. What
 * cannot be read of one is logged and left out: it waits all the same, so that a person can stop it.
 */
export async function restoreWaiting(ports: WaitingPorts): Promise<void> {
  for (const run of await ports.store.runs.waiting()) {
    try {
      await restoreRun(run, ports)
    } catch (error) {
      ports.logger.error({ error, ...run.lease }, 'A run that waits could not be restored')
    }
  }
}

async function restoreRun(
  { lease, messageId, on }: WaitingRun,
  { store, live, coordinator, logger }: WaitingPorts,
): Promise<void> {
  const { runId, sessionId, startedAt } = lease
  const read = <T>(what: Promise<T>, otherwise: T): Promise<T> =>
    what.catch((error: unknown) => {
      logger.error({ error, sessionId, runId }, 'A run that waits could not be read whole')
      return otherwise
    })
  const session = await read(store.sessions.get(sessionId), null)
  const asks = await read(store.asks.ofRun(runId), [])
  const log = await read(store.runs.log(runId), [])
  const writer = live.resume(runId) ?? live.open({ runId, sessionId })
  writer.append(log.flatMap(({ chunks }) => chunks))
  const ancestors = session === null ? [] : ancestorsOf(session)
  const open = asks.filter(({ reply }) => reply === null)
  coordinator.restore(sessionId, { runId, messageId, startedAt, on: waitsOn(open) ?? on, ancestors })
}

/** Recovers one session as `recoverRuns` does. Returns whether there was such a run; fails when it cannot be ended. */
export async function recoverRun(sessionId: string, ports: RecoveryPorts): Promise<boolean> {
  const orphans = await ports.store.runs.orphans(ports.clock.now())
  const orphan = orphans.find(({ lease }) => lease.sessionId === sessionId)
  if (orphan === undefined) return false
  await closeOrphan(orphan.lease, orphan.message, ports)
  return true
}

/** Takes the claim over before it ends the run; one that another host has taken is that host's to end. */
async function closeOrphan(
  lease: RunLease,
  message: StoredMessage | null,
  ports: RecoveryPorts,
): Promise<void> {
  const { store, clock } = ports
  const taken = await store.runs.takeOver(lease, clock.now())
  if (taken === null) return
  // Its host may have written until that moment.
  const reply = message === null ? null : await store.messages.get(lease.sessionId, message.id)
  const asks = await store.asks.ofRun(taken.runId)
  const kept = asks.filter(({ reply: given }) => given === null || given.type === 'ended')
  const waits = asks.some(({ reply: given }) => given === null)
  if (reply !== null && waits)
    await waitOn(taken, reply, new Set(kept.map(({ toolCallId }) => toolCallId)), ports)
  else await closeRun(taken, reply, HOST_RESTARTED, ports, asks)
}

/** Lets the run wait for its asks, which are about the calls `asked`; the other calls are closed. Results come with its resumption. */
async function waitOn(
  lease: RunLease,
  reply: StoredMessage,
  asked: ReadonlySet<string>,
  { store, clock, logger }: RecoveryPorts,
): Promise<void> {
  const { runId, epoch, sessionId } = lease
  const { id: messageId, createdAt } = reply
  const at = clock.now()
  const parts = closedParts(reply, HOST_RESTARTED, asked)
  const log = { runId, epoch, chunks: [], open: { text: {}, reasoning: {} } }
  await store.runs.pause(lease, { log, sessionId, messageId, metadata: null, createdAt, parts, at }, at)
  logger.warn({ sessionId, runId }, 'A run that had been left open waits for a person')
}

/**
 * Ends the claim of a run that no process executes any more, and closes its message as far as it was written; `reason` is the
 * error of calls without an output. Calls whose subagents have ended, by `asks`, get their results.
 */
export async function closeRun(
  lease: RunLease,
  message: StoredMessage | null,
  reason: string,
  ports: RecoveryPorts,
  asks: readonly Ask[] = [],
): Promise<Session> {
  const { store, clock, logger } = ports
  const at = clock.now()
  const last = message === null ? null : interrupted(lease, withResults(message, asks, at), reason, at)
  const session = await store.runs.end(lease, last, at)
  dropLogLater(lease.runId, ports)
  logger.warn({ sessionId: lease.sessionId, runId: lease.runId }, 'Closed a run that had been left open')
  return session
}

/** The write that marks a message as interrupted and closes its open parts. */
function interrupted({ runId, epoch }: RunLease, message: Resulted, reason: string, at: number): RecordWrite {
  const { id, sessionId, metadata, createdAt } = message
  const chunks: ChatChunk[] = [{ type: 'error', errorText: reason }]
  return {
    log: { runId, epoch, chunks, open: { text: {}, reasoning: {} } },
    sessionId,
    messageId: id,
    metadata: {
      ...metadata,
      finishReason: 'interrupted',
      // The usage of its last step was lost with the host.
      usage: { ...(metadata.usage ?? { ...NO_TOKENS, steps: 0 }), unknown: true },
    },
    createdAt,
    parts: closedParts(message, reason),
    at,
  }
}

type Resulted = StoredMessage & { results?: ReadonlySet<string> }

/** The message with the results of subagents that have ended. */
function withResults(message: StoredMessage, asks: readonly Ask[], at: number): Resulted {
  const results = new Set<string>()
  const parts = message.parts.map((part) => {
    const { data } = part
    const ask =
      isOwnCall(data) && data.state === 'input-available' ? endedAsk(asks, data.toolCallId) : undefined
    const chunks = ask === undefined ? [] : taskChunks(ask, at)
    const [changed] = chunks.reduce(reduceToolChunk, [data])
    if (chunks.length === 0 || changed === undefined) return part
    results.add(part.id)
    return { ...part, data: changed }
  })
  return { ...message, parts, results }
}

function endedAsk(asks: readonly Ask[], toolCallId: string): Ask | undefined {
  return asks.findLast((ask) => ask.toolCallId === toolCallId && ask.reply?.type === 'ended')
}

/** The parts that were open, closed; but for the calls in `except`. */
function closedParts(
  { parts, results }: Resulted,
  reason: string,
  except: ReadonlySet<string> = new Set(),
): PartWrite[] {
  return parts.flatMap(({ id, index, data }) => {
    if (isToolPart(data) && except.has(data.toolCallId)) return []
    const closed = closePart(data, reason)
    return closed === data && results?.has(id) !== true ? [] : [{ id, index, data: closed }]
  })
}

function withShown(reason: string, output: unknown): string {
  const text = isObject(output) ? output['text'] : ''
  return typeof text === 'string' && text.trim() !== ''
    ? `${reason}. The end of its output so far:\n${text}`
    : reason
}

/** The closed part; the same object when there is nothing to close. */
function closePart(part: ChatPart, reason: string): ChatPart {
  if ((part.type === 'text' || part.type === 'reasoning') && part.state === 'streaming')
    return { ...part, state: 'done' }
  if (!isToolPart(part)) return part
  switch (part.state) {
    case 'input-streaming':
    case 'input-available':
    case 'approval-requested':
    case 'approval-responded':
      // The states of a tool part are a union; an error keeps the input that had arrived.
      return { ...part, state: 'output-error', errorText: reason } as ChatPart
    case 'output-available': {
      if (part.preliminary !== true) return part
      // What a call had shown before its end is no result, and stays readable.
      const { preliminary: _preliminary, output, ...call } = part
      return { ...call, state: 'output-error', errorText: withShown(reason, output) } as ChatPart
    }
    default:
      return part
  }
}
