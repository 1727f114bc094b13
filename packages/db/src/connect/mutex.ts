/** Lets one at a time through, in order of asking. `acquire` resolves to what lets the next one in. */
export type Mutex = { acquire(): Promise<() => void> }

export function createMutex(): Mutex {
  const waiting: (() => void)[] = []
  let held = false

  const release = () => {
    const next = waiting.shift()
    if (next === undefined) held = false
    else next()
  }

  /** Each turn ends once, however often its end is announced. */
  const turn = () => {
    let ended = false
    return () => {
      if (ended) return
      ended = true
      release()
    }
  }

  return {
    acquire() {
      if (!held) {
        held = true
        return Promise.resolve(turn())
      }
      return new Promise((resolve) => waiting.push(() => resolve(turn())))
    },
  }
}
