import type { ChatChunk, ChatMessage, SessionFeedEvent } from '@palimpsest/core/domain'
import { TRPCClientError } from '@trpc/client'
import type { Api, ApiRouter } from '../api.ts'

/** One subscription of a client, driven by the test. */
export type Subscription<T> = {
  readonly input: unknown
  /** False once it has ended or the client has unsubscribed. */
  readonly open: boolean
  started(): void
  data(value: T): void
  complete(): void
  error(error: TRPCClientError<ApiRouter>): void
}

export type Call = { path: string; input: unknown }

/** A server whose answers a test sets. */
export type FakeApi = {
  readonly api: Pick<Api, 'session' | 'queue' | 'permission'>
  readonly streams: readonly Subscription<ChatChunk[]>[]
  readonly events: readonly Subscription<SessionFeedEvent>[]
  readonly calls: readonly Call[]
  /** The answer of a query or mutation from now on; without one such a call never ends. */
  answer(path: string, respond: (input: unknown) => unknown): void
}

type Observer<T> = {
  onStarted?(): void
  onData(value: T): void
  onComplete?(): void
  onError?(error: TRPCClientError<ApiRouter>): void
}

export function createFakeApi(): FakeApi {
  const streams: Subscription<ChatChunk[]>[] = []
  const events: Subscription<SessionFeedEvent>[] = []
  const calls: Call[] = []
  const answers = new Map<string, (input: unknown) => unknown>()

  const call = (path: string) => async (input: unknown) => {
    calls.push({ path, input })
    const respond = answers.get(path)
    return respond === undefined ? await new Promise(() => undefined) : await respond(input)
  }
  const query = (path: string) => ({ query: call(path) })
  const mutate = (path: string) => ({ mutate: call(path) })
  const api = {
    session: {
      get: query('session.get'),
      messages: query('session.messages'),
      create: mutate('session.create'),
      send: mutate('session.send'),
      resend: mutate('session.resend'),
      abort: mutate('session.abort'),
      stream: { subscribe: subscribeTo(streams) },
      events: { subscribe: subscribeTo(events) },
    },
    queue: { cancel: mutate('queue.cancel') },
    permission: { pending: query('permission.pending'), reply: mutate('permission.reply') },
  }
  return {
    // Only the procedures that the client uses exist; any other call would fail the test.
    api: api as unknown as Pick<Api, 'session' | 'queue' | 'permission'>,
    streams,
    events,
    calls,
    answer: (path, respond) => void answers.set(path, respond),
  }
}

function subscribeTo<T>(all: Subscription<T>[]) {
  return (input: unknown, observer: Observer<T>) => {
    let open = true
    const whileOpen = (notify: () => void) => {
      if (open) notify()
    }
    const end = (notify: () => void) => {
      open = false
      notify()
    }
    all.push({
      input,
      get open() {
        return open
      },
      started: () => whileOpen(() => observer.onStarted?.()),
      data: (value) => whileOpen(() => observer.onData(value)),
      complete: () => whileOpen(() => end(() => observer.onComplete?.())),
      error: (error) => whileOpen(() => end(() => observer.onError?.(error))),
    })
    return {
      unsubscribe() {
        open = false
      },
    }
  }
}

/** A 4xx of the server. */
export function refusal(httpStatus: number, appCode: string): TRPCClientError<ApiRouter> {
  const error = { message: 'No.', code: -32_000, data: { code: 'ANY', httpStatus, appCode } }
  return TRPCClientError.from({ error })
}

/** A missing answer. */
export function unreachable(): TRPCClientError<ApiRouter> {
  return TRPCClientError.from(new Error('socket closed'))
}

export function userMessage(
  id: string,
  metadata: Partial<NonNullable<ChatMessage['metadata']>> = {},
): ChatMessage {
  return {
    id,
    role: 'user',
    metadata: { schemaVersion: 1, createdAt: 1, ...metadata },
    parts: [{ type: 'text', text: 'hi' }],
  }
}
