import { InvalidToolInputError, NoSuchToolError, type UIMessageChunk } from 'ai'

/**
 * True when an error only says that a call is none of our tools. An invalid call of ours becomes an error output for the
 * model; a call that the provider executes needs no tool here.
 */
export function isForeignCall(error: unknown): boolean {
  return NoSuchToolError.isInstance(error) || InvalidToolInputError.isInstance(error)
}

/** Marks a call as provider-executed: the SDK treats a call without a tool of that name here as invalid. */
export function asProviderCall(chunk: UIMessageChunk): UIMessageChunk {
  if (chunk.type !== 'tool-input-error' || chunk.providerExecuted !== true) return chunk
  const { errorText: _errorText, dynamic: _dynamic, ...call } = chunk
  return { ...call, type: 'tool-input-available' }
}

type StepCall = { toolCallId: string; providerExecuted?: boolean | undefined; invalid?: boolean | undefined }

/**
 * Whether a call of a finished step needs a result of ours. Where a provider omits that it executes a call itself, the
 * call looks like one of a tool that does not exist; its result is in the same answer.
 */
export function isOurs(call: StepCall, results: readonly { toolCallId: string }[]): boolean {
  if (call.providerExecuted === true) return false
  return call.invalid !== true || !results.some(({ toolCallId }) => toolCallId === call.toolCallId)
}
