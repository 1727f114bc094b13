import { LIMITS } from '@palimpsest/core/domain'
import type { McpAsked, McpReply } from '@palimpsest/core/ports'

/** Calls of one connection that may be open while they wait for a person. */
const MAX_HELD = 20
/** Questions of one call that may wait for the one before. */
const MAX_QUESTIONS = 10

type Elicitation = McpAsked['elicitation']

/**
 * The open calls of a connection of an earlier revision, where a server asks by a request of its own and keeps its call open. Such
 * a request does not name its call: it counts for the oldest one that does not wait for a person.
 */
export interface HeldCalls<T> {
  /** Makes a call. Resolves with its result, or with what the server asks meanwhile; the call stays open then. */
  run(begin: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T | McpAsked>
  /** Goes on with an open call. Fails when it is none of this connection. */
  resume(token: string, reply: McpReply, signal: AbortSignal): Promise<T | McpAsked>
  /** Ends an open call, if there is one. */
  abandon(token: string): void
  /** The reply to a request of the server. */
  ask(elicitation: Elicitation): Promise<McpReply>
}

type Held<T> = {
  token: string
  ending: AbortController
  /** Never rejects. */
  result: Promise<{ value: T } | { error: unknown }>
  questions: { elicitation: Elicitation; reply: (reply: McpReply) => void }[]
  asked: number
  wake: PromiseWithResolvers<null>
}

export function createHeldCalls<T>(): HeldCalls<T> {
  const open = new Map<string, Held<T>>()

  /** The next thing that happens to the call; an abort cancels the call at the server. */
  async function next(call: Held<T>, signal: AbortSignal): Promise<T | McpAsked> {
    const abort = () => call.ending.abort(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    try {
      const ended = call.questions.length > 0 ? null : await Promise.race([call.result, call.wake.promise])
      const [question] = call.questions
      if (ended === null && question !== undefined && !signal.aborted)
        return { elicitation: question.elicitation, state: { type: 'held', token: call.token } }
      leave(call)
      const end = ended ?? (await call.result)
      if ('error' in end) throw end.error
      return end.value
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  function leave(call: Held<T>): void {
    open.delete(call.token)
    for (const { reply } of call.questions.splice(0)) reply({ action: 'cancel' })
  }

  return {
    run(begin, signal) {
      const ending = new AbortController()
      const token = crypto.randomUUID()
      const call: Held<T> = {
        token,
        ending,
        result: begin(ending.signal).then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        ),
        questions: [],
        asked: 0,
        wake: Promise.withResolvers(),
      }
      open.set(token, call)
      return next(call, signal)
    },
    async resume(token, reply, signal) {
      const call = open.get(token)
      if (call === undefined)
        throw new Error(
          'The connection in which the server asked has ended, and the call with it. It may have had effects.',
        )
      call.wake = Promise.withResolvers()
      call.questions.shift()?.reply(reply)
      return await next(call, signal)
    },
    abandon(token) {
      const call = open.get(token)
      if (call === undefined) return
      leave(call)
      call.ending.abort(new Error('Nobody replies to what the server asked.'))
    },
    ask(elicitation) {
      const calls = [...open.values()]
      const call = calls.find(({ questions }) => questions.length === 0) ?? calls[0]
      const held = calls.filter(({ questions }) => questions.length > 0).length
      if (call === undefined) return Promise.resolve({ action: 'cancel' })
      call.asked += 1
      if (held >= MAX_HELD || call.questions.length >= MAX_QUESTIONS || call.asked > LIMITS.forms)
        return Promise.resolve({ action: 'decline' })
      return new Promise((reply) => {
        call.questions.push({ elicitation, reply })
        call.wake.resolve(null)
      })
    },
  }
}
