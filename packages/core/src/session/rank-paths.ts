/** How well a path fits what is typed: the lower the better; null when it does not. */
type Fit = number | null

/**
 * The paths that fit what is typed, the best first, at most `limit`: those whose name begins with it, then whose name holds it, then
 * whose path holds it, then those with its characters in their order. Among equals the shorter path comes first, then the earlier
 * one. Letters fit in either case.
 */
export function rankPaths(paths: readonly string[], typed: string, limit: number): string[] {
  const query = typed.toLowerCase()
  if (query === '') return paths.slice(0, limit)
  const found = paths.flatMap((path, at) => {
    const fit = fitOf(path.toLowerCase(), query)
    return fit === null ? [] : [{ path, at, fit }]
  })
  return found
    .toSorted((a, b) => a.fit - b.fit || a.path.length - b.path.length || a.at - b.at)
    .slice(0, limit)
    .map(({ path }) => path)
}

function fitOf(path: string, query: string): Fit {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (name.startsWith(query)) return 0
  if (name.includes(query)) return 1
  if (path.includes(query)) return 2
  if (holdsInOrder(name, query)) return 3
  return holdsInOrder(path, query) ? 4 : null
}

/** Whether the characters of `query` come in `text` in their order, with others between them. */
function holdsInOrder(text: string, query: string): boolean {
  let from = 0
  for (const character of query) {
    const at = text.indexOf(character, from)
    if (at === -1) return false
    from = at + character.length
  }
  return true
}
