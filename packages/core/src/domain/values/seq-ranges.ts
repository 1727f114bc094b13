/** Messages of a session by their place in it: inclusive ranges of `seq`, ascending, apart from one another. */
export type SeqRange = [from: number, to: number]

export function toRanges(seqs: Iterable<number>): SeqRange[] {
  const ranges: SeqRange[] = []
  for (const seq of [...seqs].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last !== undefined && seq <= last[1] + 1) last[1] = seq
    else ranges.push([seq, seq])
  }
  return ranges
}

export function inRanges(ranges: readonly SeqRange[], seq: number): boolean {
  let from = 0
  let to = ranges.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((ranges[middle]?.[1] ?? 0) < seq) from = middle + 1
    else to = middle
  }
  const range = ranges[from]
  return range !== undefined && range[0] <= seq
}
