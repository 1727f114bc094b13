import { vi } from 'vitest'
import { PLAIN_DELTA, type Script } from '../script.ts'
import type { Target } from '../targets/target.ts'

/** The time that the benchmarks read, which only a test advances. In milliseconds. */
export type FakeTime = { now: number }

/** Until mocks are restored, `performance.now` and the monotonic clock return this time. */
export function fakeTime(): FakeTime {
  const time: FakeTime = { now: 1000 }
  vi.spyOn(performance, 'now').mockImplementation(() => time.now)
  vi.spyOn(process.hrtime, 'bigint').mockImplementation(() => BigInt(Math.round(time.now * 1e6)))
  return time
}

export type FakeTarget = Target & {
  /** The requested scripts, in order. */
  readonly asked: readonly Script[]
  /** Conversations that are open. */
  readonly opened: number
}

export type Behaviour = {
  /** Milliseconds until a delta is sent, by the number of the question and that of the delta, both from 0. */
  takes(question: number, delta: number): number
  /** Milliseconds that a delta is in flight. */
  delay?(question: number, delta: number): number
  /** Changes a delta's text on its way. */
  deliver?(text: string, question: number, delta: number): readonly string[]
  /** Bytes of memory at each sample; unknown by default. */
  rss?(look: number): number | null
}

/** A target of a benchmark whose behaviour a test sets, without real time. */
export function createFakeTarget(name: Target['name'], time: FakeTime, behaviour: Behaviour): FakeTarget {
  const { takes, delay = () => 0, deliver = (text) => [text], rss = () => null } = behaviour
  const asked: Script[] = []
  let looks = 0
  let opened = 0

  return {
    name,
    asked,
    get opened() {
      return opened
    },
    server: {
      url: 'http://127.0.0.1:9',
      rss: () => rss(looks++),
      cpuMs: () => null,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    },
    open() {
      opened += 1
      return Promise.resolve({
        ask(script, onText) {
          const question = asked.push(script) - 1
          for (let delta = 0; delta < script.deltas; delta++) {
            time.now += takes(question, delta)
            const text = script.stamped ? `${time.now.toFixed(2)} ` : PLAIN_DELTA
            time.now += delay(question, delta)
            for (const piece of deliver(text, question, delta)) onText(piece)
          }
          return Promise.resolve()
        },
        close() {
          opened -= 1
          return Promise.resolve()
        },
      })
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}
