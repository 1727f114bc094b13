import type { ChatMessage } from '@palimpsest/core/domain'
import { type ComparedTurn, type CompareTurn, messageText } from '@palimpsest/ui'
import { matchTexts } from './match-texts.ts'

export type Alignment = {
  /** What both have, up to where they part. */
  common: readonly ChatMessage[]
  turns: readonly ComparedTurn[]
  /** False when nothing that is loaded is in both. */
  related: boolean
}

/**
 * Aligns two threads by question from where they part: turns with the same question are in one row, and those between
 * two such rows are paired by their position. Copies are identified by role, time and run.
 */
export function alignTurns(left: readonly ChatMessage[], right: readonly ChatMessage[]): Alignment {
  const places = new Map(right.map((message, at) => [identity(message), at]))
  const lastCommon = left.findLastIndex((message) => places.has(identity(message)))
  const match = left[lastCommon]
  const from = match === undefined ? -1 : (places.get(identity(match)) ?? -1)
  return {
    common: left.slice(0, lastCommon + 1),
    turns: pairTurns(toTurns(left.slice(lastCommon + 1)), toTurns(right.slice(from + 1))),
    related: lastCommon !== -1,
  }
}

/** A message that is on its way has no run yet, and is nobody's copy. */
function identity({ id, role, metadata }: ChatMessage): string {
  return metadata?.runId === undefined ? id : `${role} ${metadata.createdAt} ${metadata.runId}`
}

function pairTurns(left: readonly CompareTurn[], right: readonly CompareTurn[]): ComparedTurn[] {
  const pairs = matchTexts(left.map(questionOf), right.map(questionOf))
  const rows: ComparedTurn[] = []
  let [l, r] = [0, 0]
  for (const [toLeft, toRight] of [...pairs, [left.length, right.length] as const]) {
    rows.push(...pairByPosition(left.slice(l, toLeft), right.slice(r, toRight)))
    const row = { left: left[toLeft] ?? null, right: right[toRight] ?? null }
    if (row.left !== null) rows.push(row)
    ;[l, r] = [toLeft + 1, toRight + 1]
  }
  return rows
}

/** A reply whose question is before the fork faces no question that only the other side has. */
function pairByPosition(left: readonly CompareTurn[], right: readonly CompareTurn[]): ComparedTurn[] {
  const [first, other] = [left[0], right[0]]
  if (first?.prompt === null && other !== undefined && other.prompt !== null)
    return [{ left: first, right: null }, ...pairByPosition(left.slice(1), right)]
  if (other?.prompt === null && first !== undefined && first.prompt !== null)
    return [{ left: null, right: other }, ...pairByPosition(left, right.slice(1))]
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => ({
    left: left[at] ?? null,
    right: right[at] ?? null,
  }))
}

/** The words of a turn's question, by which it is matched; null when it has none. */
function questionOf({ prompt }: CompareTurn): string | null {
  if (prompt === null) return ''
  const text = messageText(prompt).replace(/\s+/g, ' ').trim()
  return text === '' ? null : text
}

function toTurns(messages: readonly ChatMessage[]): CompareTurn[] {
  const turns: { prompt: ChatMessage | null; replies: ChatMessage[] }[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (message.role === 'user') turns.push({ prompt: message, replies: [] })
    else if (last === undefined) turns.push({ prompt: null, replies: [message] })
    else last.replies.push(message)
  }
  return turns
}
