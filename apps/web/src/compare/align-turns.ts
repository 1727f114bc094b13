import type { ChatMessage } from '@palimpsest/core/domain'
import type { ComparedTurn, CompareTurn } from '@palimpsest/ui'

export type Alignment = {
  /** What both have, up to where they part. */
  common: readonly ChatMessage[]
  turns: readonly ComparedTurn[]
  /** False when nothing that is loaded is in both. */
  related: boolean
}

/** Puts two threads side by side from where they part. Copies are known by who said them, and when. */
export function alignTurns(left: readonly ChatMessage[], right: readonly ChatMessage[]): Alignment {
  const places = new Map(right.map((message, at) => [identity(message), at]))
  const lastCommon = left.findLastIndex((message) => places.has(identity(message)))
  const match = left[lastCommon]
  const from = match === undefined ? -1 : (places.get(identity(match)) ?? -1)
  const leftTurns = toTurns(left.slice(lastCommon + 1))
  const rightTurns = toTurns(right.slice(from + 1))
  // A fork behind a prompt leaves a reply without one; it faces the other's first turn only if that has none either.
  const [padLeft, padRight] = paddings(leftTurns[0], rightTurns[0])
  const paddedLeft = [...padLeft, ...leftTurns]
  const paddedRight = [...padRight, ...rightTurns]
  const length = Math.max(paddedLeft.length, paddedRight.length)
  return {
    common: left.slice(0, lastCommon + 1),
    turns: Array.from({ length }, (_, at) => ({
      left: paddedLeft[at] ?? null,
      right: paddedRight[at] ?? null,
    })),
    related: lastCommon !== -1,
  }
}

/** A message that is on its way has no run yet, and is nobody's copy. */
function identity({ id, role, metadata }: ChatMessage): string {
  return metadata?.runId === undefined ? id : `${role} ${metadata.createdAt} ${metadata.runId}`
}

function paddings(
  left: CompareTurn | undefined,
  right: CompareTurn | undefined,
): [(CompareTurn | null)[], (CompareTurn | null)[]] {
  if (left === undefined || right === undefined) return [[], []]
  if (left.prompt === null && right.prompt !== null) return [[], [null]]
  return right.prompt === null && left.prompt !== null ? [[null], []] : [[], []]
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
