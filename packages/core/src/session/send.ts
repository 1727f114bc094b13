import { AppError } from '../domain/errors.ts'
import { createId } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json/json.ts'
import type { ChatPart, MessageMetadata, StoredMessage } from '../domain/message/message.ts'
import type { ModelRef } from '../domain/model/model.ts'
import type { Session } from '../domain/session/session.ts'
import { announceQueue } from '../history/apply/announce.ts'
import { isSameModel } from '../history/apply/note-switch.ts'
import type { RewindTarget } from '../history/apply/rewind.ts'
import { checkId, checkModel, checkOpen, checkParts } from '../history/check-input.ts'
import { ensureFitForSend } from '../history/compaction/switch-model.ts'
import type { NewMessage } from '../ports/index.ts'
import type { TurnPorts } from '../run/run-state.ts'
import type { Turns } from '../run/run-turn.ts'
import { admitFiles, sameParts } from './admit-files.ts'
import { fireOrWait } from './fire-or-wait.ts'
import type { SendMessage, SendResult } from './send-message.ts'
import type { SessionService } from './service.ts'

type Sending = Pick<SessionService, 'send'>

/** Sends a user message: it is stored, and starts a run or is queued. */
export function createSending(
  ports: TurnPorts,
  turns: Turns,
  requireSession: (id: string) => Promise<Session>,
): Sending {
  const { store, models, clock, coordinator, keeper, hookRunner } = ports

  async function send(input: SendMessage): Promise<SendResult> {
    checkParts(input.message.parts)
    if (input.message.id !== undefined) checkId(input.message.id, 'message.id')
    const session = await requireSession(input.sessionId)
    checkOpen(session)
    const known = await findSent(input)
    if (known !== null) return known
    await ports.budgets.assertLeft(session)
    const model = input.model ?? (await carriedOn(session))
    await checkModel(model, models)
    const agent = await ports.agentOf(input.agent ?? session.agent, session)
    const parts = await admitFiles(input.message.parts, keeper)
    const message = await withHooks(newMessage(input, parts, session, model))
    try {
      const waits = await hasToWait(input)
      await switchTo(model, session, input, message, waits)
      return await deliver(input, session, message, model, agent, waits)
    } catch (error) {
      const sent = error instanceof AppError && error.code === 'CONFLICT' ? await findSent(input) : null
      if (sent === null) throw error
      return await sentAtOnce(sent, message)
    }
  }

  /** The message with what hooks add to it. `HOOK_DENIED` when one of them blocks it. */
  async function withHooks(message: NewMessage): Promise<NewMessage> {
    if (!hookRunner.has('message.user')) return message
    const { id: messageId, sessionId, metadata } = message
    // Parts come from callers as JSON.
    const facts = { sessionId, messageId, parts: message.parts as unknown as JsonObject[] }
    const { metadata: hooks, snapshotId } = await hookRunner.assertAllowed('message.user', facts)
    const added = {
      ...(hooks !== null && { hooks }),
      ...(snapshotId !== null && ports.snapshots === undefined && { snapshotId }),
    }
    return { ...message, metadata: { ...metadata, ...added } }
  }

  function isBusy(sessionId: string): boolean {
    const { closed } = coordinator
    return closed || coordinator.active(sessionId) !== null || coordinator.waiting(sessionId) !== null
  }

  /** True when other messages are queued before this one. An edit replaces a sent message and is not queued behind them. */
  async function hasToWait({ sessionId, replaceMessageId }: SendMessage): Promise<boolean> {
    return replaceMessageId === undefined && (await store.queue.list(sessionId)).length > 0
  }

  async function deliver(
    input: SendMessage,
    session: Session,
    message: NewMessage,
    model: ModelRef,
    agent: Awaited<ReturnType<TurnPorts['agentOf']>>,
    waits: boolean,
  ): Promise<SendResult> {
    const { sessionId, replaceMessageId } = input
    await coordinator.whenNotHeld(sessionId)
    const running = isBusy(sessionId)
    if (running && replaceMessageId !== undefined)
      throw new AppError('SESSION_BUSY', 'A run is on in this session.')
    if (running || waits) return await enqueue(input.model === undefined ? withoutModel(message) : message)
    const runId = createId('run')
    const started: NewMessage = { ...message, metadata: { ...message.metadata, runId } }
    const rewind = targetOf(replaceMessageId)
    const trigger = { type: 'message', message: started, change: null } as const
    const { files: fileChoices, filesAsTheyAre } = input
    const about = { ...(fileChoices && { fileChoices }), ...(filesAsTheyAre && { filesAsTheyAre }) }
    await turns.start({ session, runId, trigger, rewind, model, agent, ...about })
    return { messageId: message.id, runId, queued: false }
  }

  /** Ensures that the conversation fits its next model; else throws before anything has changed. */
  async function switchTo(
    model: ModelRef,
    session: Session,
    { replaceMessageId }: SendMessage,
    message: NewMessage,
    waits: boolean,
  ): Promise<void> {
    if (waits || isSameModel(model, session.model)) return
    // A queued message is checked when it fires.
    await coordinator.whenNotHeld(session.id)
    if (isBusy(session.id)) return
    try {
      await ensureFitForSend(session, model, message, targetOf(replaceMessageId), ports)
    } catch (error) {
      // Messages that were sent during the attempt fire without this one.
      await turns.resumeQueue(session.id).catch(() => null)
      throw error
    }
  }

  /** The session's model stays, but a variant lasts for its turn; one that a session was created with, for the first. */
  async function carriedOn({ id, model }: Session): Promise<ModelRef> {
    const { variant, ...bare } = model
    if (variant === undefined) return bare
    const { items } = await store.messages.page({ sessionId: id, limit: 1, hidden: true })
    return items.length === 0 ? model : bare
  }

  async function enqueue(message: NewMessage): Promise<SendResult> {
    const { sessionId } = message
    // The run that is starting may be this message's own.
    await coordinator.active(sessionId)?.begun
    await store.queue.add(message, clock.now())
    await announceQueue(sessionId, ports)
    // The run may have ended while the message was being stored.
    return await fireOrWait(message, turns)
  }

  /** A message that was sent twice at once has one result; the other call may be waiting for this start. */
  async function sentAtOnce(sent: SendResult, message: NewMessage): Promise<SendResult> {
    return sent.queued ? await fireOrWait(message, turns) : sent
  }

  /** The first result, if the message was sent before. */
  async function findSent({ sessionId, message }: SendMessage): Promise<SendResult | null> {
    const existing = message.id === undefined ? null : await store.messages.get(sessionId, message.id)
    if (existing === null) return null
    if (!(await isSame(existing, message))) {
      throw new AppError('CONFLICT', 'Another message has this id.', { field: 'message.id' })
    }
    const { runId } = existing.metadata
    return {
      messageId: existing.id,
      ...(runId !== undefined && { runId }),
      queued: existing.queuedAt !== null,
    }
  }

  function newMessage(
    { sessionId, message, agent, steer }: SendMessage,
    parts: ChatPart[],
    session: Session,
    model: ModelRef,
  ): NewMessage {
    const metadata: MessageMetadata = {
      schemaVersion: 1,
      createdAt: clock.now(),
      model,
      ...(agent !== undefined && agent !== session.agent && { agent }),
      ...(steer && { steer }),
    }
    return { id: message.id ?? createId('msg'), sessionId, role: 'user', metadata, parts }
  }

  return { send }
}

/** A queued message without a model of its own takes the session's model at the time it fires. */
function withoutModel({ metadata: { model: _, ...metadata }, ...message }: NewMessage): NewMessage {
  return { ...message, metadata }
}

function targetOf(replaceMessageId: string | undefined): RewindTarget | null {
  return replaceMessageId === undefined ? null : { messageId: replaceMessageId, replace: true }
}

async function isSame({ role, parts }: StoredMessage, given: SendMessage['message']): Promise<boolean> {
  const stored = parts.map(({ data }) => data)
  return role === 'user' && (await sameParts(stored, given.parts))
}
