/** One line of a unified diff; `gap` is between hunks. */
export type DiffLine = { kind: 'added' | 'removed' | 'same' | 'note' | 'gap'; text: string }

const KINDS: Record<string, DiffLine['kind']> = { '+': 'added', '-': 'removed', ' ': 'same', '\\': 'note' }

/** The lines of the hunks of a unified diff of one file. */
export function diffLines(diff: string): DiffLine[] {
  const lines = diff.split('\n')
  const start = lines.findIndex((line) => line.startsWith('@@'))
  if (start === -1) return []
  return lines.slice(start + 1).flatMap((line): DiffLine[] => {
    if (line.startsWith('@@')) return [{ kind: 'gap', text: '' }]
    const kind = KINDS[line.slice(0, 1)]
    return kind === undefined ? [] : [{ kind, text: line.slice(1) }]
  })
}
