/**
 * A message of the reference: the view up to it when it was last visible, what hid it, and whether a rewind has ever
 * ended with it.
 */
type Known = { id: string; role: string; path: readonly string[]; hiddenBy: string | null; left: boolean }

/** What a session's history must look like: whole views are remembered, nothing is worked out from places. */
export type Reference = {
  readonly known: Map<string, Known>
  /** Ids in the order in which the model sees them: a summary first. */
  visible: readonly string[]
  /** Rewinds and their undoings, with the view before each, and whether a rewind showed something. */
  readonly rewinds: { id: string; before: readonly string[]; known: number; shows: boolean }[]
  /** Summaries, with the messages that each replaces. */
  readonly summaries: Map<string, readonly string[]>
  /** Messages that the model does not see by request. */
  readonly leftOut: Set<string>
}

export function createReference(): Reference {
  return { known: new Map(), visible: [], rewinds: [], summaries: new Map(), leftOut: new Set() }
}

export function addMessage(reference: Reference, id: string, role: string): void {
  if (reference.known.has(id)) return
  reference.known.set(id, { id, role, path: [], hiddenBy: null, left: false })
  show(reference, [...reference.visible, id], '')
}

/** Back to a message, or with `replace` to just before it. */
export function rewind(
  reference: Reference,
  id: string,
  by: string,
  { replace }: { replace: boolean },
): void {
  const { path } = reference.known.get(id) ?? { path: [] }
  const next = replace ? path.slice(0, -1) : path
  const shows = next.some((shown) => !reference.visible.includes(shown))
  reference.rewinds.push({ id: by, before: reference.visible, known: reference.known.size, shows })
  moveTo(reference, next, by)
}

/** The user message that a rewind, which can be undone, has left at the end without its reply. */
export function leftUnanswered(reference: Reference): string | null {
  if (nextUndone(reference) === undefined) return null
  const last = reference.known.get(reference.visible.at(-1) ?? '')
  return last?.role === 'user' && last.left ? last.id : null
}

export function canUnrewind(reference: Reference): boolean {
  return nextUndone(reference) !== undefined
}

function nextUndone(reference: Reference) {
  const { known, rewinds } = reference
  const latest = rewinds.at(-1)
  return latest?.shows && latest.known === known.size ? latest : lastHiding(reference)
}

/** False when there is nothing to take back. */
export function unrewind(reference: Reference, by: string): boolean {
  const { known, rewinds } = reference
  const target = nextUndone(reference)
  if (target === undefined) return false
  rewinds.push({ id: by, before: reference.visible, known: known.size, shows: false })
  moveTo(reference, target.before, by)
  return true
}

export function compact(
  reference: Reference,
  summaryId: string,
  summarised: readonly string[],
  by: string,
): void {
  const rest = reference.visible.filter((id) => !summarised.includes(id))
  reference.known.set(summaryId, { id: summaryId, role: 'assistant', path: [], hiddenBy: null, left: false })
  reference.summaries.set(summaryId, summarised)
  show(reference, [summaryId, ...rest], by)
}

/** False when no summary is visible. */
export function uncompact(reference: Reference, by: string): boolean {
  const summaryId = reference.visible.find((id) => reference.summaries.has(id))
  if (summaryId === undefined) return false
  const summarised = reference.summaries.get(summaryId) ?? []
  show(reference, [...summarised, ...reference.visible.filter((id) => id !== summaryId)], by)
  return true
}

/** What a branch from this message begins with. */
export function pathTo(reference: Reference, id: string): readonly string[] {
  return reference.known.get(id)?.path ?? []
}

function lastHiding({ known, rewinds }: Reference) {
  const hiding = new Set([...known.values()].map(({ hiddenBy }) => hiddenBy))
  return rewinds.findLast(({ id }) => hiding.has(id))
}

function moveTo(reference: Reference, next: readonly string[], by: string): void {
  show(reference, next, by)
  const last = reference.known.get(next.at(-1) ?? '')
  const newest = [...reference.known.keys()].at(-1)
  if (last !== undefined && last.id !== newest) last.left = true
}

/** Every message with its path, for what is visible now. */
function show(reference: Reference, next: readonly string[], by: string): void {
  for (const id of reference.visible.filter((seen) => !next.includes(seen))) {
    const hidden = reference.known.get(id)
    if (hidden !== undefined) hidden.hiddenBy = by
  }
  for (const [index, id] of next.entries()) {
    const seen = reference.known.get(id)
    if (seen === undefined) throw new Error(`The reference has no message ${id}`)
    seen.hiddenBy = null
    seen.path = next.slice(0, index + 1)
  }
  reference.visible = next
}
