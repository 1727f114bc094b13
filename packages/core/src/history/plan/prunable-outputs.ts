import { charactersToTokens } from '../../context/estimate-tokens.ts'
import { savedCharacters } from '../../context/model-output.ts'
import { completedOutput, condensedText, isLeftOut, isSummary } from '../../context/model-view.ts'
import { type ChatPart, isToolPart, type StoredMessage } from '../../domain/message/message.ts'
import type { PrunableOutput } from './plan-pruning.ts'

/** How the tokens of a session are estimated: by the family of its model, at its own scale. */
export type Estimator = { providerId: string; scale: number }

/** Every completed tool output of these messages, in order, with what leaving it out would gain. */
export function prunableOutputs(
  visible: readonly StoredMessage[],
  { providerId, scale }: Estimator,
): PrunableOutput[] {
  const replies = visible.filter((message) => message.role === 'assistant' && !isSummary(message))
  return replies.flatMap((reply, index) => {
    const { id: messageId, parts, metadata } = reply
    return parts.flatMap(({ id, data, prunedAt }) => {
      const output = completedOutput(data)
      if (output === undefined) return []
      const condensed = condensedText(data, metadata.condensed)
      const gained =
        savedCharacters(output, { condensed, pruned: true }) -
        savedCharacters(output, { condensed, pruned: false })
      const tokens = isLeftOut(reply) ? 0 : charactersToTokens(gained, providerId, scale)
      const repliesAfter = replies.length - 1 - index
      const pruned = prunedAt !== null
      return [{ partId: id, messageId, tool: toolOf(data), tokens, pruned, repliesAfter }]
    })
  })
}

/**
 * Outputs inside turns that alone are too large: all that would gain something, but for those of the last step of the
 * message `unfinished`, which its model has not seen yet.
 */
export function innerOutputs(
  messages: readonly StoredMessage[],
  unfinished: string | null,
  estimator: Estimator,
): PrunableOutput[] {
  const fresh = messages.filter(({ id }) => id === unfinished).flatMap(lastStepParts)
  return prunableOutputs(messages, estimator).filter(
    ({ partId, tool, pruned, tokens }) =>
      tool !== 'skill' && !pruned && tokens > 0 && !fresh.includes(partId),
  )
}

function lastStepParts({ parts }: StoredMessage): string[] {
  const start = parts.findLastIndex(({ data }) => data.type === 'step-start')
  return parts.slice(start + 1).map(({ id }) => id)
}

export function toolOf(part: ChatPart): string {
  if (!isToolPart(part)) return ''
  return part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length)
}
