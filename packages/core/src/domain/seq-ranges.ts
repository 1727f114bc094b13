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
  return ranges.some(([from, to]) => from <= seq && seq <= to)
}
