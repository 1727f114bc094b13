import { InvalidToolInputError, NoSuchToolError, type UIMessageChunk } from 'ai'

/**
 * True when an error only says that a call is none of our tools. An invalid call of ours becomes an error output for the
 * model; a call that the provider executes needs no tool here.
 */
export function isForeignCall(error: unknown): boolean {
  return NoSuchToolError.isInstance(error) || InvalidToolInputError.isInstance(error)
}

/** A call that the provider carries out itself, as one: the SDK takes those that no tool here is named for as invalid. */
export function asProviderCall(chunk: UIMessageChunk): UIMessageChunk {
  if (chunk.type !== 'tool-input-error' || chunk.providerExecuted !== true) return chunk
  const { errorText: _errorText, dynamic: _dynamic, ...call } = chunk
  return { ...call, type: 'tool-input-available' }
}

type StepCall = { toolCallId: string; providerExecuted?: boolean | undefined; invalid?: boolean | undefined }

/**
 * Whether a call of a finished step waits for a result of ours. Where a provider leaves out that it carries out a call
 * itself, the call reads as one of a tool that does not exist; its result is in the same answer.
 */
export function isOurs(call: StepCall, results: readonly { toolCallId: string }[]): boolean {
  if (call.providerExecuted === true) return false
  return call.invalid !== true || !results.some(({ toolCallId }) => toolCallId === call.toolCallId)
}
