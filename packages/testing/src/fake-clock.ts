import { systemClock } from '@palimpsest/core'
import type { Clock } from '@palimpsest/core/ports'

export type FakeClock = Clock & {
  /** Advances the time; timers fire in the order in which they fall due. */
  advance(ms: number): void
  /** Sets the time of day, as a correction of a wrong clock: no timer fires and no time has passed. */
  jump(ms: number): void
  /** Timers that have not fired. */
  readonly pending: number
}

type Alarm = { at: number; ring: () => void }

/** A clock that only moves when a test advances it. */
export function createFakeClock(start = 1_760_000_000_000): FakeClock {
  let now = start
  let jumped = 0
  let alarms: Alarm[] = []

  function after(ms: number, ring: () => void): Disposable {
    const alarm = { at: now + ms, ring }
    alarms.push(alarm)
    return {
      [Symbol.dispose]() {
        alarms = alarms.filter((other) => other !== alarm)
      },
    }
  }

  return {
    now: () => now + jumped,
    elapsed: () => now - start,
    after,
    turn: systemClock.turn,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const alarm = after(ms, resolve)
        signal?.addEventListener('abort', () => {
          alarm[Symbol.dispose]()
          reject(signal.reason)
        })
      })
    },
    advance(ms) {
      const end = now + ms
      for (let due = nextDue(alarms, end); due !== undefined; due = nextDue(alarms, end)) {
        alarms = alarms.filter((other) => other !== due)
        now = Math.max(now, due.at)
        due.ring()
      }
      now = end
    },
    jump(ms) {
      jumped += ms
    },
    get pending() {
      return alarms.length
    },
  }
}

function nextDue(alarms: Alarm[], end: number): Alarm | undefined {
  return alarms.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
}

/** The system clock without waits: a sleep ends at once and is recorded in `slept`, in milliseconds. */
export function createImpatientClock(): Clock & { readonly slept: number[] } {
  const slept: number[] = []
  return {
    ...systemClock,
    slept,
    sleep(ms, signal) {
      slept.push(ms)
      return signal?.aborted ? Promise.reject(signal.reason) : Promise.resolve()
    },
  }
}
