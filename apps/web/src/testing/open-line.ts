import type { Client } from '@palimpsest/client'
import type { Core } from '@palimpsest/core'
import type { ErrorCode } from '@palimpsest/core/domain'
import type { SandboxInfo } from '@palimpsest/core/ports'
import { type AppRouter, appRouter } from '@palimpsest/server/testing/router'
import { createTRPCClient, localLink, type Operation, TRPCClientError, type TRPCLink } from '@trpc/client'
import { observable, type Unsubscribable } from '@trpc/server/observable'

/** One tab's way to a core in the same process: through the whole router, but over no wire. */
export type Line = {
  readonly client: Client
  /** Every query and mutation that was made, in order, as `session.send`. */
  readonly calls: readonly string[]
  /** How many of them have no answer yet. */
  readonly underway: number
  /** Loses the connection: calls fail and nothing arrives, until `mend`. */
  cut(): void
  /** The connection is back: every subscription begins again. */
  mend(): void
  /** Keeps the answers of a procedure back; the answer lets them go. */
  hold(path: string): () => void
  /** The next call of a procedure is refused. */
  refuse(path: string, appCode: ErrorCode, message: string): void
}

type ErrorShape = { message: string; data: { appCode: ErrorCode } }

/** `system` is what the server says of itself beside what every test server says. */
export function openLine(core: Core, system: SystemFacts): Line {
  const calls: string[] = []
  const cuts = new Set<{ cut(): void; mend(): void }>()
  const held = new Map<string, Promise<void>>()
  const refusals = new Map<string, ErrorShape>()
  let up = true
  let underway = 0

  const local = localLink<AppRouter>({
    router: appRouter,
    createContext: () =>
      Promise.resolve({
        sessions: core.sessions,
        systemInfo: () => ({ ...SYSTEM, ...system }),
        admit: () => Promise.resolve(),
        isOwnAddress: () => true,
        outlet: { claim: () => ({ [Symbol.dispose]: () => undefined }), writable: () => Promise.resolve() },
      }),
  })

  const line: TRPCLink<AppRouter> = (runtime) => {
    const call = local(runtime)
    const passOn = (op: Operation) => call({ op, next: () => observable(() => undefined) })
    return ({ op }) => (op.type === 'subscription' ? overLine(() => passOn(op)) : once(op, () => passOn(op)))
  }

  type Passed = ReturnType<ReturnType<typeof local>>

  function once(op: Operation, pass: () => Passed): Passed {
    calls.push(op.path)
    return observable((observer) => {
      let subscription: Unsubscribable | null = null
      underway += 1
      const refusal = refusals.get(op.path)
      refusals.delete(op.path)
      const lost = () => observer.error(TRPCClientError.from(new Error('The connection is lost.')))
      if (refusal !== undefined) queueMicrotask(() => observer.error(refused(refusal)))
      else if (!up) queueMicrotask(lost)
      else {
        subscription = pass().subscribe({
          next: (value) => void (held.get(op.path) ?? Promise.resolve()).then(() => observer.next(value)),
          error: (error) => void (held.get(op.path) ?? Promise.resolve()).then(() => observer.error(error)),
          complete: () => void (held.get(op.path) ?? Promise.resolve()).then(() => observer.complete()),
        })
      }
      return () => {
        underway -= 1
        subscription?.unsubscribe()
      }
    })
  }

  function overLine(pass: () => Passed): Passed {
    return observable((observer) => {
      let inner: Unsubscribable | null = null
      const ends = {
        cut() {
          inner?.unsubscribe()
          inner = null
          const error = TRPCClientError.from<AppRouter>(new Error('The connection is lost.'))
          observer.next({ result: { type: 'state', state: 'connecting', error } })
        },
        mend() {
          inner = pass().subscribe({
            next: (value) => up && observer.next(value),
            error: (error) => up && observer.error(error),
            complete: () => up && observer.complete(),
          })
        },
      }
      cuts.add(ends)
      if (up) ends.mend()
      return () => {
        cuts.delete(ends)
        inner?.unsubscribe()
      }
    })
  }

  const api = createTRPCClient<AppRouter>({ links: [line] })
  return {
    // As the client's own: only the types of what is JSON anyway differ.
    client: api as unknown as Client,
    calls,
    get underway() {
      return underway
    },
    cut() {
      up = false
      for (const ends of cuts) ends.cut()
    },
    mend() {
      up = true
      for (const ends of cuts) ends.mend()
    },
    hold(path) {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.set(path, promise)
      return () => {
        held.delete(path)
        resolve()
      }
    },
    refuse: (path, appCode, message) => void refusals.set(path, { message, data: { appCode } }),
  }
}

function refused({ message, data }: ErrorShape): TRPCClientError<AppRouter> {
  const error = { message, code: -32_000, data: { code: 'BAD_REQUEST', httpStatus: 400, ...data } } as const
  return TRPCClientError.from({ error })
}

export type SystemFacts = {
  snapshots: boolean
  workspaces: string[]
  defaultWorkspace: string | null
  demoWorkspace: string | null
  asksWithoutFolder: boolean
  sandbox: SandboxInfo
}

const SYSTEM = {
  name: 'Palimpsest',
  version: 'test',
  runtime: 'test',
  startedAt: 0,
  activeRuns: 0,
  limits: {},
  setup: { variables: ['OPENAI_API_KEY'], configFile: 'palimpsest.config.json' },
}
