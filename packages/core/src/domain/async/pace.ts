/** Called between the items of a long loop; answers a turn of the event loop to await when one is due, else nothing. */
export type Pace = () => Promise<void> | undefined

/** Items and milliseconds after which other work has a turn. */
const MOST = { items: 250, ms: 5 }

/** A pace for one loop, or for several that follow one another. A short loop takes no turn. */
export function createPace({ turn, elapsed }: { turn(): Promise<void>; elapsed(): number }): Pace {
  let items = 0
  let since = elapsed()
  return () => {
    items += 1
    if (items < MOST.items && elapsed() - since < MOST.ms) return undefined
    items = 0
    return turn().then(() => {
      since = elapsed()
    })
  }
}

/**
 * Calls `visit` for each item, in order. Returns nothing when no turn was due and all have been visited; else a promise that
 * resolves once they have.
 */
export function eachAtPace<T>(
  items: readonly T[],
  pace: Pace,
  visit: (item: T) => void,
): Promise<void> | undefined {
  const left = items.values()

  function visitUntilTurn(): Promise<void> | undefined {
    for (const item of left) {
      visit(item)
      const turn = pace()
      if (turn !== undefined) return turn.then(visitUntilTurn)
    }
    return undefined
  }

  return visitUntilTurn()
}
