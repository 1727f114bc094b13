/** Texts of each side that are compared with each other; what lies before is matched with nothing. */
const COMPARED = 1_000

export type TextPair = readonly [left: number, right: number]

/**
 * Pairs equal texts of two lists, in order, as many as possible; null equals nothing. Takes time in proportion to the
 * product of what differs, at most a million steps.
 */
export function matchTexts(left: readonly (string | null)[], right: readonly (string | null)[]): TextPair[] {
  // The end first: what was sent to both sides is last on both.
  const end = sharedStart(left.toReversed(), right.toReversed())
  const start = sharedStart(left.slice(0, left.length - end), right.slice(0, right.length - end))
  const [leftTo, rightTo] = [left.length - end, right.length - end]
  const [leftFrom, rightFrom] = [Math.max(start, leftTo - COMPARED), Math.max(start, rightTo - COMPARED)]
  const between = longestCommon(left.slice(leftFrom, leftTo), right.slice(rightFrom, rightTo))
  return [
    ...Array.from({ length: start }, (_, at): TextPair => [at, at]),
    ...between.map(([l, r]): TextPair => [l + leftFrom, r + rightFrom]),
    ...Array.from({ length: end }, (_, at): TextPair => [leftTo + at, rightTo + at]),
  ]
}

const isEqual = (a: string | null | undefined, b: string | null | undefined) =>
  a !== null && a !== undefined && a === b

function sharedStart(left: readonly (string | null)[], right: readonly (string | null)[]): number {
  const differs = left.findIndex((text, at) => !isEqual(text, right[at]))
  return differs === -1 ? left.length : differs
}

/** The longest common subsequence, by its lengths for every pair of remainders. */
function longestCommon(left: readonly (string | null)[], right: readonly (string | null)[]): TextPair[] {
  const width = right.length + 1
  const lengths = new Uint16Array((left.length + 1) * width)
  const lengthAt = (l: number, r: number) => lengths[l * width + r] ?? 0
  for (let l = left.length - 1; l >= 0; l--) {
    for (let r = right.length - 1; r >= 0; r--) {
      lengths[l * width + r] = isEqual(left[l], right[r])
        ? lengthAt(l + 1, r + 1) + 1
        : Math.max(lengthAt(l + 1, r), lengthAt(l, r + 1))
    }
  }
  const pairs: TextPair[] = []
  let [l, r] = [0, 0]
  while (l < left.length && r < right.length) {
    if (isEqual(left[l], right[r])) pairs.push([l++, r++])
    else if (lengthAt(l + 1, r) >= lengthAt(l, r + 1)) l += 1
    else r += 1
  }
  return pairs
}
