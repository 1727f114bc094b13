import type { ChatMessage } from '@palimpsest/core/domain'
import type { TimelineEntry } from '@palimpsest/ui'
import { isSummary, summaryData } from '../../session/summary.ts'

/** Where hidden messages lie between two that are read: a place to bring them forward from. */
export type Trace = {
  /** The operations that hid them, each once. */
  operationIds: readonly string[]
  count: number
  /** Set where more of them may lie before what is loaded. */
  more?: true
  revealed: boolean
}

export type ThreadLayout = {
  /** What is read, in order: visible messages, and hidden ones that were asked for. */
  messages: readonly ChatMessage[]
  /** By the id of the message that they come before. */
  traces: ReadonlyMap<string, Trace>
  /** After the last message. */
  endTrace: Trace | null
  /** The compactions whose summaries replace hidden messages, by the ids of these. */
  covers: ReadonlyMap<string, string>
}

export type LayoutInput = {
  /** Every message that is loaded, hidden ones at their place. */
  loaded: readonly ChatMessage[]
  /** True while there are others before them. */
  partial?: boolean
  /** Operations whose hidden messages are shown. */
  revealed: ReadonlySet<string>
  /** Operations of this session; a summary that a branch was made with belongs to none of them. */
  timeline: readonly Pick<TimelineEntry, 'id' | 'covers'>[]
}

/**
 * Lays a thread out: a summary is placed after the messages that it replaces, and other hidden messages leave a trace
 * at their place.
 */
export function threadLayout({ loaded, partial = false, revealed, timeline }: LayoutInput): ThreadLayout {
  const covers = coversOf(loaded, timeline)
  const own = new Set(timeline.map(({ id }) => id))
  const messages: ChatMessage[] = []
  const traces = new Map<string, Trace>()
  let gap: ChatMessage[] = []
  let begun = !partial
  const closeGap = (next: string | null): Trace | null => {
    const shown = gap.filter((message) => revealed.has(hiddenBy(message)))
    const trace = traceOf(gap, revealed, !begun)
    begun = true
    const before = shown[0]?.id ?? next
    messages.push(...shown)
    gap = []
    if (trace === null || before === null) return trace
    traces.set(before, trace)
    return null
  }

  for (const message of summariesInPlace(loaded, own)) {
    const by = hiddenBy(message)
    const cover = covers.get(message.id)
    if (by === '') {
      closeGap(message.id)
      messages.push(message)
    } else if (cover !== undefined) {
      begun ||= gap.length === 0
      if (revealed.has(cover)) messages.push(message)
    } else if (!isSummary(message) && isOperation(by)) {
      gap.push(message)
    }
  }
  return { endTrace: closeGap(null), messages, traces, covers }
}

/** How many messages are hidden where these operations hid theirs; 0 where not all of them are loaded. */
export function hiddenWhere({ traces, endTrace }: ThreadLayout, operationIds: readonly string[]): number {
  const all = [...traces.values(), endTrace]
  const trace = all.find((one) => operationIds.some((id) => one?.operationIds.includes(id)))
  return trace && trace.more === undefined ? trace.count : 0
}

function hiddenBy({ metadata }: ChatMessage): string {
  return metadata?.hiddenBy ?? ''
}

/** Steering words are hidden by the run that they steered and are part of its reply: they leave no trace. */
function isOperation(by: string): boolean {
  return !by.startsWith('run_')
}

function traceOf(gap: readonly ChatMessage[], revealed: ReadonlySet<string>, more: boolean): Trace | null {
  const operationIds = [...new Set(gap.map(hiddenBy))]
  if (operationIds.length === 0) return null
  return {
    operationIds,
    count: gap.length,
    revealed: operationIds.every((id) => revealed.has(id)),
    ...(more && { more }),
  }
}

/**
 * The compaction over each hidden message whose summary is read, or is folded into one that is. What a summary replaces
 * stays so when the summary was undone and restored, whatever hid the message meanwhile.
 */
function coversOf(
  loaded: readonly ChatMessage[],
  timeline: LayoutInput['timeline'],
): ReadonlyMap<string, string> {
  const covers = new Map<string, string>()
  for (const summary of loaded.filter(isSummary).reverse()) {
    const compactionId = summary.metadata?.compactionId ?? ''
    if (hiddenBy(summary) !== '' && !covers.has(summary.id)) continue
    const stretches = timeline.find(({ id }) => id === compactionId)?.covers ?? []
    for (const { id } of replacedBy(loaded, compactionId, stretches)) covers.set(id, compactionId)
  }
  return covers
}

/** The hidden messages that a compaction hid, or that lie in the stretches of it. */
function replacedBy(
  loaded: readonly ChatMessage[],
  compactionId: string,
  stretches: readonly [from: string, to: string][],
): ChatMessage[] {
  // What comes before the first loaded message begins on an older page.
  const ranges = stretches.map(([from, to]) => ({
    from: loaded.findIndex(({ id }) => id === from),
    to: loaded.findIndex(({ id }) => id === to),
  }))
  return loaded.filter((message, at) => {
    const by = hiddenBy(message)
    return by !== '' && (by === compactionId || ranges.some(({ from, to }) => at >= from && at <= to))
  })
}

/** Every summary right before the first message that it left as it was; one whose place is not loaded yet stays out. */
function summariesInPlace(loaded: readonly ChatMessage[], own: ReadonlySet<string>): ChatMessage[] {
  const ids = new Set(loaded.map(({ id }) => id))
  // A new summary is here before its operation is: what it left as it was shows that it belongs to this session.
  const moves = (message: ChatMessage) =>
    isSummary(message) &&
    (own.has(message.metadata?.compactionId ?? '') || ids.has(summaryData(message)?.tailStartId ?? ''))
  const byTail = Map.groupBy(loaded.filter(moves), (message) => summaryData(message)?.tailStartId ?? '')
  return loaded.flatMap((message) => [
    ...(byTail.get(message.id) ?? []),
    ...(moves(message) ? [] : [message]),
  ])
}
