import type { ChatMessage, ModelRef } from '@palimpsest/core/domain'
import type { ChatTransport } from 'ai'
import type { Api } from './api.ts'
import { type Approval, approvalsIn, chunksAfter, replyTo } from './approvals.ts'
import { appCodeOf, isUnreachable } from './failures.ts'
import { firedRun } from './fired-run.ts'
import { replayLastRun } from './replay.ts'
import { untilReached } from './retry.ts'
import { createRunStream } from './run-stream.ts'
import { createSentIds } from './sent-ids.ts'
import { toSentParts } from './sent-parts.ts'

export type ChatTransportOptions = {
  /** Whether a chat whose session does not exist yet makes it with its first message. Default true. */
  createSession?: boolean
  /** Asked at every send: the model, agent or steering of this message. */
  send?: () => { model?: ModelRef; agent?: string; steer?: boolean }
  /**
   * What `addToolApprovalResponse` needs. `stream`, the default: the stream stays open while a run waits, and permissions are
   * decided by `client.permission.reply`. `pause`: it ends while only permissions are awaited, so that a chat with
   * `sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses` sends the decisions, and shows the rest.
   */
  approvals?: 'stream' | 'pause'
}

type SendOptions = Parameters<ChatTransport<ChatMessage>['sendMessages']>[0]
type Session = Api['session']

/**
 * Lets a stock `useChat({ id: sessionId, transport: chatTransport(client) })` talk to the server, whose session is the
 * chat's `id`. Replies survive lost connections; `resumeStream()` shows the current run from its start, or the one that
 * has just ended; `stop()` stops the run on the server. `useChat` also stops when its component leaves the page: keep a
 * `Chat` outside of components when runs are to go on then.
 */
export function chatTransport(
  client: Pick<Api, 'session' | 'queue' | 'permission'>,
  options: ChatTransportOptions = {},
): ChatTransport<ChatMessage> {
  const { session } = client
  const pauses = options.approvals === 'pause'
  const sentIds = createSentIds()

  async function start(request: SendOptions): Promise<{ runId: string }> {
    const { chatId: sessionId, messages, messageId, trigger, abortSignal } = request
    const message = messages.findLast(({ role }) => role === 'user')
    if (message === undefined) throw new TypeError('There is no message of the user to answer.')
    if (trigger === 'regenerate-message') {
      return await session.resend.mutate({ sessionId, messageId: sentIds.of(message.id) })
    }
    if (messages.at(-1) !== message && messageId === undefined) {
      throw new TypeError('Only messages of the user can be sent.')
    }
    const replaced = message.id === messageId ? { replaceMessageId: sentIds.of(message.id) } : {}
    const id = sentIds.next(message.id, message.id === messageId)
    const sent = await sendOrCreate({
      sessionId,
      message: { id, parts: toSentParts(message) },
      ...replaced,
      ...options.send?.(),
    })
    if (sent.runId !== undefined) return { runId: sent.runId }
    return await firedRun(client, { sessionId, messageId: sent.messageId, signal: abortSignal })
  }

  async function sendOrCreate(input: Parameters<Session['send']['mutate']>[0]) {
    const send = () => untilReached(() => session.send.mutate(input))
    try {
      return await send()
    } catch (error) {
      if (appCodeOf(error) !== 'SESSION_NOT_FOUND' || options.createSession === false) throw error
      await untilReached(() => session.create.mutate({ id: input.sessionId }))
      return await send()
    }
  }

  /** Sends what a person decided in the page, and shows what the run does from there on. */
  async function decide(
    { chatId: sessionId, abortSignal }: SendOptions,
    runId: string,
    approvals: readonly Approval[],
  ) {
    await replyTo(client, approvals)
    return createRunStream(client, { sessionId, runId }, abortSignal, {
      pauses,
      passes: chunksAfter(approvals),
    })
  }

  return {
    resumeStreamIsReplay: true,
    async sendMessages(request) {
      try {
        const last = request.messages.at(-1)
        const approvals =
          request.trigger === 'submit-message' && last?.role === 'assistant' ? approvalsIn(last) : []
        const waiting = last?.metadata?.runId
        if (approvals.length > 0 && waiting !== undefined) return await decide(request, waiting, approvals)
        const { runId } = await start(request)
        return createRunStream(client, { sessionId: request.chatId, runId }, request.abortSignal, { pauses })
      } catch (error) {
        throw asNetworkError(error)
      }
    },
    async reconnectToStream({ chatId: sessionId, abortSignal }) {
      try {
        const { activeRun } = await untilReached(() => session.get.query({ sessionId }))
        if (activeRun === undefined) return await replayLastRun(client, sessionId, abortSignal)
        return createRunStream(client, { sessionId, runId: activeRun.runId }, abortSignal, { pauses })
      } catch (error) {
        if (appCodeOf(error) === 'SESSION_NOT_FOUND') return null
        throw asNetworkError(error)
      }
    },
  }
}

/** The AI SDK offers to resume after a `TypeError` whose message names the network. */
function asNetworkError(error: unknown): unknown {
  return isUnreachable(error)
    ? new TypeError('network: the server cannot be reached', { cause: error })
    : error
}
