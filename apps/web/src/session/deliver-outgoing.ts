import { describeFailure } from '../state/describe-failure.ts'
import { inputParts } from './input-part.ts'
import { type KeptOutgoing, lacksFiles } from './kept-outgoing.ts'
import type { Outgoing } from './outgoing.ts'
import type { SessionApi } from './session-api.ts'
import type { SessionAction, SessionState } from './session-state.ts'

export type DeliveryDeps = {
  api: SessionApi
  keeper: KeptOutgoing
  sessionId: string
  /** What was kept when the page opened. */
  kept: readonly Outgoing[]
  get(): SessionState
  dispatch(action: SessionAction): void
  /** Called when a message would not survive a reload whole. */
  onNotKept(what: 'text' | 'files'): void
  /** Called once the server has the session of a first message. */
  onSessionExists(): void
}

/** Milliseconds until what failed for want of a connection is tried again. */
const RETRY_MS = 2_000
/** Milliseconds that another tab has to deliver what it keeps before this one sends it too, under the same id. */
const TAKE_OVER_MS = 10_000

const FILES_LOST = 'The files of this message were lost when the page was closed.'

export type Delivery = {
  /** Sends what was kept, and shows what other tabs keep, until `stop`. */
  start(): void
  stop(): void
  /** Keeps, shows and sends a message; true once the server has taken it. */
  submit(outgoing: Outgoing): Promise<boolean>
  retry(messageId: string): void
  /** Sends again what failed for want of a connection. */
  resumeFailed(): void
}

/**
 * Sends the messages of a session to the server one at a time, in the order in which they were written, each under the
 * one id that it has.
 */
export function createDelivery(deps: DeliveryDeps): Delivery {
  const { api, keeper, sessionId, kept, get, dispatch } = deps
  const underway = new Map<string, Promise<boolean>>()
  /** Messages that were kept: once storage no longer has one, another tab has delivered or discarded it. */
  const keptIds = new Set(kept.map(({ message }) => message.id))
  let unsubscribe: (() => void) | null = null
  /** Settles when the last message that was handed to `deliver` is taken or has failed. */
  let last: Promise<unknown> = Promise.resolve()
  let willRetry = false

  const find = (messageId: string) => get().outgoing.find(({ message }) => message.id === messageId)
  const isGone = (messageId: string) => keptIds.has(messageId) && !keeper.has(messageId)

  /** Keeps a message across reloads, and reports what of it could not be kept. */
  function keep(outgoing: Outgoing): void {
    const files = keeper.keep(outgoing)
    if (files === null) deps.onNotKept('text')
    else keptIds.add(outgoing.message.id)
    void files?.then((areKept) => areKept || deps.onNotKept('files'))
  }

  function submit(outgoing: Outgoing): Promise<boolean> {
    if (!lacksFiles(outgoing)) keep(outgoing)
    dispatch({ type: 'outgoing-added', outgoing })
    for (const { message } of earlierThan(outgoing)) resumeIfFailed(message.id, deliver)
    return deliver(outgoing)
  }

  /** Sends a message after those before it, unless that is being done already. */
  function deliver(outgoing: Outgoing): Promise<boolean> {
    const { id } = outgoing.message
    const known = underway.get(id)
    if (known !== undefined) return known
    const delivered = last.then(() => postInTurn(outgoing)).finally(() => underway.delete(id))
    underway.set(id, delivered)
    last = delivered
    return delivered
  }

  function earlierThan({ message }: Outgoing): readonly Outgoing[] {
    const { outgoing } = get()
    return outgoing.slice(
      0,
      outgoing.findIndex((entry) => entry.message.id === message.id),
    )
  }

  /** Sends a message unless it was discarded while it waited, or one before it still has no connection. */
  async function postInTurn(outgoing: Outgoing): Promise<boolean> {
    if (find(outgoing.message.id) === undefined) return false
    const unsent = earlierThan(outgoing).find(isRetryable)
    if (unsent === undefined) return post(outgoing)
    failForNow(outgoing.message.id, unsent.state.failure)
    return false
  }

  async function post(outgoing: Outgoing): Promise<boolean> {
    const whole = lacksFiles(outgoing) ? await complete(outgoing) : outgoing
    if (whole === null) return false
    const { message, model, steer, replaces, files, agent } = whole
    const messageId = message.id
    try {
      if (whole.createsSession) await make(whole)
      deps.onSessionExists()
      const parts = inputParts(message.parts)
      await api.send({
        sessionId,
        message: { id: messageId, parts },
        model,
        steer,
        replaces,
        ...(files && { files }),
        ...(agent && { agent }),
      })
      dispatch({ type: 'outgoing-sent', messageId })
      return true
    } catch (error) {
      const { code, message: failure } = describeFailure(error)
      if (code === null) failForNow(messageId, failure)
      else {
        const filesPending = code === 'FILES_PENDING'
        const state = {
          type: 'failed',
          failure,
          retryable: false,
          ...(filesPending && { filesPending }),
        } as const
        dispatch({ type: 'outgoing-failed', messageId, state })
      }
      return false
    }
  }

  /** Makes the session that a first message is for. */
  async function make({ model, workspaceRoot, permissionMode: mode, agent }: Outgoing): Promise<void> {
    await api.create({
      id: sessionId,
      model,
      ...(workspaceRoot !== undefined && { workspaceRoot }),
      ...(mode !== undefined && { mode }),
      ...(agent && { agent }),
    })
  }

  /** Shows a message as not sent, and sends it again in a moment: until it is through it is shown so. */
  function failForNow(messageId: string, failure: string): void {
    dispatch({ type: 'outgoing-failed', messageId, state: { type: 'failed', failure, retryable: true } })
    if (willRetry) return
    willRetry = true
    setTimeout(() => {
      willRetry = false
      for (const { message } of get().outgoing) resumeIfFailed(message.id, deliver)
    }, RETRY_MS)
  }

  /** The message with its files; null when these are lost and the person has to decide. */
  async function complete(outgoing: Outgoing): Promise<Outgoing | null> {
    const whole = await keeper.restoreFiles(outgoing)
    const isWhole = whole.message.parts.length === outgoing.message.parts.length
    const failed = { type: 'failed', failure: FILES_LOST, retryable: false } as const
    dispatch({ type: 'outgoing-added', outgoing: isWhole ? whole : { ...whole, state: failed } })
    return isWhole ? whole : null
  }

  function retry(messageId: string): void {
    const entry = find(messageId)
    if (entry !== undefined) void submit({ ...entry, state: { type: 'sending' } })
  }

  /** Sends what this page still has, unless another tab has delivered or discarded it in the meantime. */
  function resume(messageId: string): void {
    if (isGone(messageId)) dispatch({ type: 'outgoing-dropped', messageId })
    else retry(messageId)
  }

  function resumeIfFailed(messageId: string, send: (entry: Outgoing) => unknown): void {
    const entry = find(messageId)
    if (entry === undefined || !isRetryable(entry)) return
    if (isGone(messageId)) dispatch({ type: 'outgoing-dropped', messageId })
    else void send(entry)
  }

  /** Shows what another tab keeps; that tab sends it. */
  function adopt(messageId: string, outgoing: Outgoing | null): void {
    if (outgoing === null) {
      dispatch({ type: 'outgoing-dropped', messageId })
      return
    }
    const { messages, queue } = get()
    const isShown = [...messages, ...queue].some(({ id }) => id === messageId)
    if (isShown || find(messageId) !== undefined) return
    keptIds.add(messageId)
    dispatch({ type: 'outgoing-added', outgoing })
    setTimeout(() => {
      const stillWaits = unsubscribe !== null && find(messageId) !== undefined
      if (stillWaits && !underway.has(messageId)) resume(messageId)
    }, TAKE_OVER_MS)
  }

  return {
    start() {
      unsubscribe ??= keeper.subscribe(adopt)
      const ids = new Set(kept.map(({ message }) => message.id))
      for (const { message, state } of get().outgoing) {
        if (state.type === 'sending' && ids.has(message.id)) resume(message.id)
      }
    },
    stop() {
      unsubscribe?.()
      unsubscribe = null
    },
    submit,
    retry,
    resumeFailed() {
      for (const { message } of get().outgoing) resumeIfFailed(message.id, () => retry(message.id))
    },
  }
}

/** Whether it failed for want of a connection. */
function isRetryable(entry: Outgoing): entry is Outgoing & { state: { type: 'failed' } } {
  return entry.state.type === 'failed' && entry.state.retryable
}
