import type { UIMessageChunk } from 'ai'
import { PROVIDER_LIMITS } from '../../domain/model/provider-limits.ts'
import { tooDeepArguments } from './answer-bounds.ts'

const TOO_DEEP =
  `The arguments are nested deeper than ${PROVIDER_LIMITS.nesting} levels, which is the limit. ` +
  'The call was not made.'

/** The chunk with an error text for the user and the model, without secrets and with the actual reason, and with an id that can be stored. */
export function readable(
  streamed: UIMessageChunk,
  redact: (text: string) => string = (text) => text,
): UIMessageChunk {
  const chunk = storable(streamed)
  switch (chunk.type) {
    case 'tool-input-error': {
      const refused = tooDeepArguments(chunk.input)
      if (refused !== null) return { ...chunk, input: refused, errorText: TOO_DEEP }
      return { ...chunk, errorText: shortened(redact(chunk.errorText)) }
    }
    case 'tool-output-error':
      return { ...chunk, errorText: redact(chunk.errorText) }
    default:
      return chunk
  }
}

/**
 * A call is found again by its id, also after the id was written as UTF-8: half of a surrogate pair and NUL would come back as
 * something else.
 */
function storable(chunk: UIMessageChunk): UIMessageChunk {
  if (!('toolCallId' in chunk)) return chunk
  const toolCallId = chunk.toolCallId.toWellFormed().replaceAll('\0', '\ufffd')
  return toolCallId === chunk.toolCallId ? chunk : { ...chunk, toolCallId }
}

/** Characters kept of an error's beginning and end; errors that quote arguments have the reason after them. */
const KEPT = 4_000

function shortened(text: string): string {
  return text.length <= 2 * KEPT ? text : `${text.slice(0, KEPT)} … ${text.slice(-KEPT)}`
}
