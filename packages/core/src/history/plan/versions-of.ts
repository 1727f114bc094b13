import type { HistoryOperation } from '../../domain/history/history-operation.ts'
import type { Outline, OutlineEntry } from '../../domain/history/outline.ts'
import { inRanges } from '../../domain/values/seq-ranges.ts'

/** One of the messages that were written at the same place. */
export type MessageVersion = {
  messageId: string
  /** The operation before which it was last visible; null while it is visible. */
  operationId: string | null
}

/** The versions of a visible message in the order in which they were written, and which of them is visible. */
export type MessageVersions = { messageId: string; versions: MessageVersion[]; current: number }

/** The versions of every visible message that has several: edits of a question, and replies to the same one. */
export function versionsOf(outline: Outline): MessageVersions[] {
  const said = saidIn(outline)
  const { predecessors, lastShown } = readBackwards(outline, said)
  const places = Map.groupBy(said.keys(), (index) => `${predecessors[index]} ${said[index]?.role}`)
  return said.flatMap(({ id: messageId, role, hiddenBy }, index) => {
    if (hiddenBy !== null) return []
    const versions = (places.get(`${predecessors[index]} ${role}`) ?? []).flatMap((other) => {
      const [entry, operationId] = [said[other], lastShown[other]]
      return entry === undefined || operationId === undefined ? [] : [{ messageId: entry.id, operationId }]
    })
    if (versions.length < 2) return []
    return [
      { messageId, versions, current: versions.findIndex((version) => version.messageId === messageId) },
    ]
  })
}

/** Questions and replies: no summaries, and no words that steered a reply. */
function saidIn({ entries, operations }: Outline): OutlineEntry[] {
  const known = new Set(operations.map(({ id }) => id))
  return entries.filter(
    ({ compactionId, hiddenBy }) => compactionId === null && (hiddenBy === null || known.has(hiddenBy)),
  )
}

type Reading = {
  /** Whether each message was visible at the moment that is looked at. */
  visible: boolean[]
  /** The operation before which it was last visible; null while it is visible, undefined when it never was. */
  lastShown: (string | null | undefined)[]
  /** The message before it where it was written; -1 for the first. */
  predecessors: (number | undefined)[]
}

/** Takes the operations back one by one. Between two of them messages are only added. */
function readBackwards({ operations }: Outline, said: readonly OutlineEntry[]): Reading {
  const visible = said.map(({ hiddenBy }) => hiddenBy === null)
  const lastShown = visible.map((shown) => (shown ? null : undefined))
  const reading: Reading = { visible, lastShown, predecessors: [] }
  let end = said.length
  for (const operation of operations.toReversed()) {
    const start = countUpTo(said, operation.detail.lastSeq)
    notePredecessors(reading, start, end)
    end = Math.min(end, start)
    takeBack(reading, operation, said.slice(0, start))
  }
  notePredecessors(reading, 0, end)
  return reading
}

/** Messages that were added one after the other, the first behind the last one that was visible then. */
function notePredecessors({ visible, predecessors }: Reading, start: number, end: number): void {
  let previous = start === 0 ? -1 : visible.lastIndexOf(true, start - 1)
  for (let index = start; index < end; index++) {
    predecessors[index] = previous
    if (visible[index]) previous = index
  }
}

function takeBack(
  { visible, lastShown }: Reading,
  { id, detail }: HistoryOperation,
  before: readonly OutlineEntry[],
): void {
  for (const [index, { seq }] of before.entries()) {
    if (inRanges(detail.hidden, seq)) {
      visible[index] = true
      if (lastShown[index] === undefined) lastShown[index] = id
    } else if (inRanges(detail.shown, seq)) visible[index] = false
  }
}

function countUpTo(said: readonly OutlineEntry[], lastSeq: number): number {
  const next = said.findIndex(({ seq }) => seq > lastSeq)
  return next === -1 ? said.length : next
}
