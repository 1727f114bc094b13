import type { SessionLink } from '../../ports/index.ts'

/** The ids in an order in which each parent comes before its children; otherwise as they are given. */
export function parentsFirst(links: readonly SessionLink[]): string[] {
  const parents = new Map(links.map(({ id, parentId }) => [id, parentId]))
  const placed = new Set<string>()
  for (const { id } of links) {
    const line: string[] = []
    const above = new Set<string>()
    let next: string | null | undefined = id
    while (next != null && parents.has(next) && !placed.has(next) && !above.has(next)) {
      above.add(next)
      line.push(next)
      next = parents.get(next)
    }
    for (const one of line.toReversed()) placed.add(one)
  }
  return [...placed]
}
