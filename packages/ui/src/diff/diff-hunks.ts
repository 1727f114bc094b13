/**
 * The hunks of a unified diff of one file, each with its header, in order; their places are what a revert of hunks takes.
 * Each line of a hunk begins with its sign, so that only a header begins with `@@`.
 */
export function diffHunks(diff: string): string[] {
  const lines = diff.replace(/\n$/, '').split('\n')
  const starts = lines.flatMap((line, at) => (line.startsWith('@@') ? [at] : []))
  return starts.map((start, at) => lines.slice(start, starts[at + 1]).join('\n'))
}
