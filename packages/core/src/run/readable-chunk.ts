import type { UIMessageChunk } from 'ai'
import { PROVIDER_LIMITS } from '../domain/provider-limits.ts'
import { tooDeepArguments } from './bounded-model.ts'

const TOO_DEEP =
  `The arguments are nested deeper than ${PROVIDER_LIMITS.nesting} levels, which is the limit. ` +
  'The call was not made.'

/** The chunk with an error text for the user and the model: without secrets, and with the actual reason. */
export function readable(
  chunk: UIMessageChunk,
  redact: (text: string) => string = (text) => text,
): UIMessageChunk {
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

/** Characters kept of an error's beginning and end; errors that quote arguments have the reason after them. */
const KEPT = 4_000

function shortened(text: string): string {
  return text.length <= 2 * KEPT ? text : `${text.slice(0, KEPT)} … ${text.slice(-KEPT)}`
}
