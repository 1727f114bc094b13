import type { CorePorts } from '@palimpsest/core'
import type { LiveStreams, LiveWriter, Store } from '@palimpsest/core/ports'

const STEPS = ['begin', 'append', 'commit', 'steer', 'publish', 'finalise', 'end'] as const
const WAITS = ['ask', 'pause', 'reply', 'resume'] as const

const SUBAGENTS = ['spawn', 'deliver'] as const

type Step = (typeof STEPS)[number] | (typeof WAITS)[number] | (typeof SUBAGENTS)[number]
export type Point = `${'before' | 'after'} ${Step}`

/** The failpoints of a run: before and after each write to the store and each publication to viewers. */
export const POINTS = STEPS.flatMap(around)

/** The failpoints of a run that asks and waits. */
export const WAIT_POINTS = WAITS.flatMap(around)

/** The failpoints of a run that starts subagents: the session of one, and its result in the background. */
export const SUBAGENT_POINTS = SUBAGENTS.flatMap(around)

function around(step: Step): Point[] {
  return [`before ${step}`, `after ${step}`]
}

export type FailpointPorts = {
  ports: CorePorts
  /** Resolves when the host crashes. */
  readonly crashed: Promise<void>
}

/**
 * Returns ports of a host that crashes at the `occurrence`-th time, from 1, that it passes the failpoint `crashAt`. After
 * that, none of its calls reaches the store or a viewer, and none of its promises settles.
 */
export function withFailpoint(ports: CorePorts, crashAt: Point, occurrence: number): FailpointPorts {
  const crash = Promise.withResolvers<void>()
  let passed = 0
  let isDown = false

  function pass(point: Point): void {
    if (point !== crashAt || isDown) return
    passed += 1
    if (passed < occurrence) return
    isDown = true
    crash.resolve()
  }

  const never = <T>() => new Promise<T>(() => undefined)

  async function passThrough<T>(step: Step, work: () => Promise<T>): Promise<T> {
    pass(`before ${step}`)
    if (isDown) return await never()
    const result = await work()
    pass(`after ${step}`)
    return isDown ? await never() : result
  }

  /** Calls outside of a run have no failpoint of their own, and never settle once the host is down. */
  function stopWhenDown<T extends object>(methods: T): T {
    return new Proxy(methods, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return (...args: unknown[]) => (isDown ? never() : Reflect.apply(method, target, args))
      },
    })
  }

  function runsWithFailpoints({ runs }: Store): Store['runs'] {
    return {
      begin: (...args) => passThrough('begin', () => runs.begin(...args)),
      record: (...args) => passThrough('append', () => runs.record(...args)),
      commitStep: (...args) => passThrough('commit', () => runs.commitStep(...args)),
      takeSteering: (...args) => passThrough('steer', () => runs.takeSteering(...args)),
      end: (...args) => passThrough('finalise', () => runs.end(...args)),
      ask: (...args) => passThrough('ask', () => runs.ask(...args)),
      pause: (...args) => passThrough('pause', () => runs.pause(...args)),
      resume: (...args) => passThrough('resume', () => runs.resume(...args)),
      ...stopWhenDown({
        renew: runs.renew,
        orphans: runs.orphans,
        takeOver: runs.takeOver,
        log: runs.log,
        dropLog: runs.dropLog,
        interrupt: runs.interrupt,
        waiting: runs.waiting,
      }),
    }
  }

  function writerWithFailpoints(writer: LiveWriter): LiveWriter {
    return {
      append(chunks) {
        pass('before publish')
        if (!isDown) writer.append(chunks)
        pass('after publish')
      },
      end() {
        pass('before end')
        if (!isDown) writer.end()
        pass('after end')
      },
    }
  }

  const { store } = ports
  const live: LiveStreams = {
    ...ports.live,
    open: (run) => writerWithFailpoints(ports.live.open(run)),
    resume(runId) {
      const writer = ports.live.resume(runId)
      return writer === null ? null : writerWithFailpoints(writer)
    },
  }
  const { sessions, messages, queue, reports, asks, subagents, budgets } = store
  return {
    ports: {
      ...ports,
      live,
      store: {
        ...store,
        sessions: {
          ...stopWhenDown(sessions),
          create: (session) =>
            session.parentId === null
              ? sessions.create(session)
              : passThrough('spawn', () => sessions.create(session)),
        },
        messages: stopWhenDown(messages),
        queue: stopWhenDown(queue),
        reports: stopWhenDown(reports),
        runs: runsWithFailpoints(store),
        subagents: {
          ...stopWhenDown(subagents),
          deliver: (...args) => passThrough('deliver', () => subagents.deliver(...args)),
        },
        budgets: stopWhenDown(budgets),
        asks: {
          ...stopWhenDown({ get: asks.get, open: asks.open, ofRun: asks.ofRun }),
          reply: (...args) => passThrough('reply', () => asks.reply(...args)),
        },
      },
    },
    crashed: crash.promise,
  }
}
