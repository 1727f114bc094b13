/** A file as the reader returns it: its path, and what it imports. */
export interface ImportingFile {
  readonly source: string
  readonly dependencies: readonly { readonly resolved: string }[]
}

interface Arrow {
  readonly from: string
  readonly to: string
}

/**
 * The circles of folders below `places`: folders, or files and folders beside each other, that import each other, however
 * deep. One line for each circle: its folder, the entries in it, and one import for each step of the way around.
 */
export function folderCycles(files: readonly ImportingFile[], places: readonly string[]): string[] {
  const arrows = files.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
  )
  const folders = new Set(
    arrows.flatMap(({ from }) =>
      places.filter((place) => isInside(from, place)).flatMap((place) => between(from, place)),
    ),
  )
  return [...folders].toSorted().flatMap((folder) => cyclesIn(folder, arrows))
}

const isInside = (path: string, folder: string): boolean => path.startsWith(`${folder}/`)

/** The folders that hold `path`, from its own up to `place`. */
function between(path: string, place: string): string[] {
  const folder = path.slice(0, path.lastIndexOf('/'))
  return folder === place ? [place] : [folder, ...between(folder, place)]
}

function cyclesIn(folder: string, arrows: readonly Arrow[]): string[] {
  const entryOf = (path: string) => /^[^/]*\/?/.exec(path.slice(folder.length + 1))?.[0] ?? ''
  const inside = arrows.filter(({ from, to }) => isInside(from, folder) && isInside(to, folder))
  const entries = new Map<string, Map<string, Arrow>>()
  for (const arrow of inside) {
    const [from, to] = [entryOf(arrow.from), entryOf(arrow.to)]
    if (from === to) continue
    const known = entries.get(from) ?? new Map<string, Arrow>()
    entries.set(from, known.set(to, known.get(to) ?? arrow))
  }
  const found: string[] = []
  const done = new Set<string>()
  for (const start of entries.keys()) {
    const way = done.has(start) ? null : wayBack(start, entries)
    if (way === null || !way.some(({ from, to }) => [from, to].some((path) => entryOf(path).endsWith('/'))))
      continue
    for (const { from } of way) done.add(entryOf(from))
    found.push(
      `folders-import-one-way: ${folder}: ${way.map(({ from, to }) => `${from} → ${to}`).join(', ')}`,
    )
  }
  return found
}

/** The shortest way along the imports from an entry back to itself; null when none leads there. */
function wayBack(start: string, entries: ReadonlyMap<string, ReadonlyMap<string, Arrow>>): Arrow[] | null {
  const ways = new Map<string, Arrow[]>([[start, []]])
  for (const [entry, way] of ways) {
    for (const [next, arrow] of entries.get(entry) ?? []) {
      if (next === start) return [...way, arrow]
      if (!ways.has(next)) ways.set(next, [...way, arrow])
    }
  }
  return null
}
