import { readFileSync } from 'node:fs'

/** Command lines of daily work that only read the workspace. */
export const DAILY_READS = linesOf('daily-reads.txt')
/** Command lines that write, start other programs, reach the network or outside, or gain rights. */
export const DANGEROUS = linesOf('dangerous-lines.txt')

/** The lines of a file; `␤` in one is a line break. */
function linesOf(name: string): string[] {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.replaceAll('␤', '\n'))
}
