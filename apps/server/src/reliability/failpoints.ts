import type { CorePorts } from '@palimpsest/core'
import type { LiveStreams, LiveWriter, Store } from '@palimpsest/core/ports'

const STEPS = ['begin', 'append', 'commit', 'steer', 'publish', 'finalise', 'end'] as const

type Step = (typeof STEPS)[number]
export type Point = `${'before' | 'after'} ${Step}`

/** Everywhere that a host can die in a run: around each of its writes, and of what it publishes. */
export const POINTS = STEPS.flatMap((step): Point[] => [`before ${step}`, `after ${step}`])

export type FailpointPorts = {
  ports: CorePorts
  /** Resolves when the host dies. */
  readonly died: Promise<void>
}

/**
 * Ports of a host that dies when it comes to a point for the `time`-th time, from 1. From then on nothing of it reaches
 * the store or a viewer, and nothing that it waits for ever comes.
 */
export function withFailpoint(ports: CorePorts, end: Point, time: number): FailpointPorts {
  const death = Promise.withResolvers<void>()
  let times = 0
  let dead = false

  function pass(point: Point): void {
    if (point !== end || dead) return
    times += 1
    if (times < time) return
    dead = true
    death.resolve()
  }

  const afterDeath = <T>() => new Promise<T>(() => undefined)

  async function passThrough<T>(step: Step, work: () => Promise<T>): Promise<T> {
    pass(`before ${step}`)
    if (dead) return await afterDeath()
    const result = await work()
    pass(`after ${step}`)
    return dead ? await afterDeath() : result
  }

  /** What is only read, or written outside of runs, fails with the host but is no point of its own. */
  function cutOff<T extends object>(methods: T): T {
    return new Proxy(methods, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return (...args: unknown[]) => (dead ? afterDeath() : Reflect.apply(method, target, args))
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
      orphans: () => runs.orphans(),
    }
  }

  function writerWithFailpoints(writer: LiveWriter): LiveWriter {
    return {
      append(chunks) {
        pass('before publish')
        if (!dead) writer.append(chunks)
        pass('after publish')
      },
      end() {
        pass('before end')
        if (!dead) writer.end()
        pass('after end')
      },
    }
  }

  const { store } = ports
  const live: LiveStreams = { ...ports.live, open: (run) => writerWithFailpoints(ports.live.open(run)) }
  const { sessions, messages, queue, reports } = store
  return {
    ports: {
      ...ports,
      live,
      store: {
        ...store,
        sessions: cutOff(sessions),
        messages: cutOff(messages),
        queue: cutOff(queue),
        reports: cutOff(reports),
        runs: runsWithFailpoints(store),
      },
    },
    died: death.promise,
  }
}
