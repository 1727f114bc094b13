import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { InvalidToolInputError, NoSuchToolError, type UIMessageChunk } from 'ai'
import { markHosted, unmarkHosted } from '../../context/hosted-names.ts'

/**
 * True when an error only says that a call is none of our tools. An invalid call of ours becomes an error output for the
 * model; a call that the provider executes needs no tool here.
 */
export function isForeignCall(error: unknown): boolean {
  return NoSuchToolError.isInstance(error) || InvalidToolInputError.isInstance(error)
}

/** A call that the provider executes itself, and its result, under a name that is none of our tools'. */
export function withHostedName(part: LanguageModelV4StreamPart): LanguageModelV4StreamPart {
  switch (part.type) {
    case 'tool-input-start':
    case 'tool-call':
      return part.providerExecuted === true ? { ...part, toolName: markHosted(part.toolName) } : part
    case 'tool-result':
      return { ...part, toolName: markHosted(part.toolName) }
    default:
      return part
  }
}

/**
 * The chunk of a call that the provider executes, as that provider made it: `withHostedName` gives it a name that the SDK has
 * no tool for, so that the SDK reports it as invalid.
 */
export function asProviderCall(chunk: UIMessageChunk): UIMessageChunk {
  switch (chunk.type) {
    case 'tool-input-start':
    case 'tool-input-available':
      return chunk.providerExecuted === true ? { ...chunk, toolName: unmarkHosted(chunk.toolName) } : chunk
    case 'tool-input-error': {
      if (chunk.providerExecuted !== true) return chunk
      const { errorText: _errorText, dynamic: _dynamic, ...call } = chunk
      return { ...call, type: 'tool-input-available', toolName: unmarkHosted(chunk.toolName) }
    }
    default:
      return chunk
  }
}

type StepCall = { toolCallId: string; providerExecuted?: boolean | undefined }

/**
 * Whether a call of a finished step needs a result of ours. Where a provider omits that it executes a call itself, the
 * call's result is in the same answer; the SDK executes none of our tools.
 */
export function isOurs(call: StepCall, results: readonly { toolCallId: string }[]): boolean {
  return call.providerExecuted !== true && !results.some(({ toolCallId }) => toolCallId === call.toolCallId)
}
