import type { ChatMessage, ChatPart } from '@palimpsest/core/domain'
import { isSummary } from '../../session/summary.ts'
import type { ThreadLayout } from './thread-layout.ts'

/** What is looked at once these operations are asked for: all that they hid, or none of it where all of it was shown. */
export function toggled(
  revealed: readonly string[],
  operationIds: readonly string[],
): { revealed: readonly string[]; shown: boolean } {
  const others = revealed.filter((id) => !operationIds.includes(id))
  const shown = !operationIds.every((id) => revealed.includes(id))
  return { revealed: shown ? [...others, ...operationIds] : others, shown }
}

/** Where that which operations hid begins, as far as it is loaded. */
export function firstHidden(
  loaded: readonly ChatMessage[],
  operationIds: readonly string[],
  covers: ThreadLayout['covers'],
): ChatMessage | null {
  const hidden = (message: ChatMessage) =>
    !isSummary(message) && operationIds.includes(covers.get(message.id) ?? message.metadata?.hiddenBy ?? '')
  return loaded.find(hidden) ?? null
}

/** These operations, and the compactions whose summaries replace some of what they hid. */
export function withCovers(
  operationIds: readonly string[],
  loaded: readonly ChatMessage[],
  covers: ThreadLayout['covers'],
): readonly string[] {
  const over = loaded.flatMap(({ id, metadata }) =>
    operationIds.includes(metadata?.hiddenBy ?? '') ? (covers.get(id) ?? []) : [],
  )
  return [...new Set([...operationIds, ...over])]
}

/** Where a message is in a thread that is laid out. */
export type Spot =
  /** It is read in the row of this message: its own, or that of the reply that it steered. */
  | { type: 'shown'; messageId: string }
  /** It is loaded, and shown once what these operations hid is. */
  | { type: 'covered'; operationIds: readonly string[] }
  /** Nothing that is loaded shows it. */
  | { type: 'absent' }

type Laid = {
  /** Every message that is loaded. */
  loaded: readonly ChatMessage[]
  layout: ThreadLayout
  revealed: ReadonlySet<string>
}

/** Finds a message in a thread, or the operations that have to be revealed before it is shown. */
export function findSpot(messageId: string, laid: Laid): Spot {
  const { loaded, layout, revealed } = laid
  const message = loaded.find(({ id, parts }) => id === messageId || parts.some(isSteeredBy(messageId)))
  if (message === undefined) return { type: 'absent' }
  if (layout.messages.includes(message)) return { type: 'shown', messageId: message.id }
  const operationIds = coverOf(message, laid)
  const isCovered = operationIds.some((id) => !revealed.has(id))
  return isCovered ? { type: 'covered', operationIds } : { type: 'absent' }
}

/** Whether a part of a reply is the message that was added to it while it was being written. */
function isSteeredBy(messageId: string) {
  return (part: ChatPart) => part.type === 'steering-message' && part.id === messageId
}

/** The operations over a message: those of its trace, or its summary's and those of the summaries that hold this one. */
function coverOf(message: ChatMessage, { loaded, layout }: Laid): readonly string[] {
  const traces = [...layout.traces.values(), layout.endTrace]
  const cover = new Set<string>()
  let by = layout.covers.get(message.id) ?? message.metadata?.hiddenBy
  while (by !== undefined && !cover.has(by)) {
    cover.add(by)
    const trace = traces.find((one) => one?.operationIds.includes(by ?? ''))
    if (trace) return [...cover, ...trace.operationIds]
    const summary = loaded.find((one) => isSummary(one) && one.metadata?.compactionId === by)
    by = summary && (layout.covers.get(summary.id) ?? summary.metadata?.hiddenBy)
  }
  return [...cover]
}
