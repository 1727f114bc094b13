import { outputText, prunedOutput } from '../../context/model-view.ts'
import { type ChatPart, isToolPart, type StoredMessage, type StoredPart } from '../../domain/message.ts'
import type { PrunableOutput } from './plan-pruning.ts'

/** Characters of a token in tool output. */
const CHARACTERS_PER_TOKEN = 4

/** Every completed tool output of these messages, in order, with what leaving it out would gain. */
export function prunableOutputs(visible: readonly StoredMessage[]): PrunableOutput[] {
  const replies = visible.filter(({ role }) => role === 'assistant')
  return replies.flatMap(({ parts }, index) =>
    parts.flatMap((part) => {
      const output = completedOutput(part.data)
      if (output === null) return []
      const repliesAfter = replies.length - 1 - index
      return [
        {
          partId: part.id,
          tool: output.tool,
          tokens: gain(part),
          pruned: part.prunedAt !== null,
          repliesAfter,
        },
      ]
    }),
  )
}

/** Parts of a turn too large for the tail: all its completed outputs that are not pruned yet. */
export function intermediateOutputs(
  visible: readonly StoredMessage[],
  messageIds: ReadonlySet<string>,
): string[] {
  const parts = visible.filter(({ id }) => messageIds.has(id)).flatMap((message) => message.parts)
  return parts
    .filter(({ data, prunedAt }) => prunedAt === null && completedOutput(data) !== null)
    .map(({ id }) => id)
}

function gain({ data }: StoredPart): number {
  if (!isToolPart(data)) return 0
  const saved = outputText(data.output).length - prunedOutput(data.output).text.length
  return Math.max(0, Math.round(saved / CHARACTERS_PER_TOKEN))
}

function completedOutput(part: ChatPart): { tool: string } | null {
  if (!isToolPart(part) || part.state !== 'output-available') return null
  return { tool: part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length) }
}
