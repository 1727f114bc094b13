import type { Core } from '@palimpsest/core'
import { AppError, type BudgetLimits, type ChatChunk, type ErrorCode } from '@palimpsest/core/domain'
import { openCoreLab, type ScriptedProvider } from '@palimpsest/testing'
import { callProcedure, PROCEDURES } from './call-procedure.ts'
import { openLine } from './open-line.ts'
import { startTestServer } from './start-test-server.ts'

/** One way to the session service, on a service of its own. */
export type Surface = AsyncDisposable & {
  readonly provider: ScriptedProvider
  /** Calls a procedure by its path. Rejects with an `AppError` of the code that the surface reports. */
  call(path: string, input: object): Promise<unknown>
  /** All chunks of a run, once it has ended. */
  chunks(sessionId: string, runId: string): Promise<ChatChunk[]>
}

/** Opens each surface by its name. */
export const SURFACES: Record<string, () => Promise<Surface>> = {
  'the service': openService,
  'tRPC over HTTP and SSE': openHttp,
  'tRPC over WebSocket': openSocket,
}

async function openService(): Promise<Surface> {
  const lab = await openCoreLab()
  const methods = methodsOf(lab.sessions)
  return {
    provider: lab.provider,
    chunks: lab.chunksOf,
    async call(path, input) {
      const method = methods[path]
      if (method === undefined) throw new Error(`The service has no ${path}.`)
      // The scenario passes the fields that the procedure of that path takes.
      return await method(input as Input)
    },
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  }
}

async function openHttp(): Promise<Surface> {
  const server = await startTestServer()
  return {
    provider: server.provider,
    async call(path, input) {
      const { failure, body } = await callProcedure(server.url, { path, type: typeOf(path) }, input)
      if (failure !== null) throw errorOf(failure.data)
      return JSON.parse(body).result.data
    },
    async chunks(sessionId, runId) {
      const stream = { path: 'session.stream', type: 'subscription' } as const
      const { body } = await callProcedure(server.url, stream, { sessionId, runId })
      const data = body.split('\n').filter((line) => line.startsWith('data: ['))
      return data.flatMap((line) => JSON.parse(line.slice('data: '.length)))
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

async function openSocket(): Promise<Surface> {
  const server = await startTestServer()
  const line = await openLine(server)
  let streams = 0
  return {
    provider: server.provider,
    async call(path, input) {
      const { error, result } = await line.call(path, typeOf(path), input)
      if (error !== undefined) throw errorOf(error.data)
      return result?.data
    },
    async chunks(sessionId, runId) {
      const id = `stream-${++streams}`
      const chunks: ChatChunk[] = []
      const stopped = line.next((answer) => {
        if (answer.id === id && answer.result?.type === 'data')
          chunks.push(...(answer.result.data as ChatChunk[]))
        return answer.id === id && answer.result?.type === 'stopped'
      })
      const params = { path: 'session.stream', input: { sessionId, runId } }
      line.send(JSON.stringify({ id, method: 'subscription', params }))
      await stopped
      return chunks
    },
    async [Symbol.asyncDispose]() {
      await line[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

function typeOf(path: string) {
  const procedure = PROCEDURES.find((one) => one.path === path)
  if (procedure === undefined) throw new Error(`There is no procedure ${path}.`)
  return procedure.type
}

function errorOf({ appCode, field }: { appCode: string; field?: string }): AppError {
  return new AppError(appCode as ErrorCode, `Refused with ${appCode}`, field === undefined ? {} : { field })
}

type Sessions = Core['sessions']
type Input = Omit<Parameters<Sessions['create']>[0], 'workspaceRoot'> &
  Parameters<Sessions['send']>[0] &
  Parameters<Sessions['queue']['edit']>[0] &
  Parameters<Sessions['history']['branch']>[0] &
  Parameters<Sessions['history']['switchVersion']>[0] &
  Parameters<Sessions['history']['restoreTo']>[0] & {
    title: string
    workspaceRoot: string
    runId: string
    withBranches?: boolean
    messageIds: string[]
    data: string
    limits: BudgetLimits
  }

/** The methods of the service by the paths of their procedures. */
function methodsOf(sessions: Sessions): Record<string, (input: Input) => Promise<unknown>> {
  const { queue, history, budget } = sessions
  return {
    'session.create': (input) => sessions.create(input),
    'session.list': (input) => sessions.list(input),
    'session.get': ({ sessionId }) => sessions.get(sessionId),
    'session.messages': (input) => sessions.messages(input),
    'session.rename': ({ sessionId, title }) => sessions.rename(sessionId, title),
    'session.chooseFolder': ({ sessionId, workspaceRoot }) => sessions.chooseFolder(sessionId, workspaceRoot),
    'session.archive': ({ sessionId }) => sessions.archive(sessionId),
    'session.unarchive': ({ sessionId }) => sessions.unarchive(sessionId),
    'session.delete': async ({ sessionId, withBranches = false }) => {
      await sessions.delete(sessionId, { withBranches })
      return { deleted: true }
    },
    'session.restore': ({ sessionId }) => sessions.restore(sessionId),
    'session.purge': async ({ sessionId }) => {
      await sessions.purge(sessionId)
      return { purged: true }
    },
    'session.send': (input) => sessions.send(input),
    'session.resend': (input) => sessions.resend(input),
    'session.continue': ({ sessionId }) => sessions.continue(sessionId),
    'session.abort': ({ sessionId, runId }) => sessions.abort(sessionId, runId),
    'session.status': ({ sessionId }) => sessions.status(sessionId),
    'session.rewind': (input) => history.rewind(input),
    'session.unrewind': (input) => history.unrewind(input),
    'session.versions': (input) => history.versions(input),
    'session.switchVersion': (input) => history.switchVersion(input),
    'session.restorePoints': ({ sessionId }) => history.restorePoints({ sessionId }),
    'session.preview': ({ sessionId, pointId }) => history.preview({ sessionId, pointId }),
    'session.restoreTo': (input) => history.restoreTo(input),
    'session.branch': (input) => history.branch(input),
    'session.tree': ({ sessionId }) => history.tree(sessionId),
    'session.export': async ({ sessionId }) => ({
      data: (await Array.fromAsync(history.export({ sessionId }))).join(''),
    }),
    'session.import': ({ data }) => history.import([data]),
    'budget.get': ({ sessionId }) => budget.get(sessionId),
    'budget.set': ({ sessionId, limits }) => budget.set(sessionId, limits),
    'queue.list': ({ sessionId }) => queue.list(sessionId),
    'queue.edit': (input) => queue.edit(input),
    'queue.reorder': ({ sessionId, messageIds }) => queue.reorder(sessionId, messageIds),
    'queue.promote': ({ sessionId, messageId }) => queue.promote(sessionId, messageId),
    'queue.cancel': async ({ sessionId, messageId }) => {
      await queue.cancel(sessionId, messageId)
      return { cancelled: true }
    },
  }
}
