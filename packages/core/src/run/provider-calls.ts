import { InvalidToolInputError, NoSuchToolError, type UIMessageChunk } from 'ai'

/**
 * True when an error only says that a call is none of our tools. Of a call of ours the model is told as its output; a
 * call that the provider carries out itself needs no tool here.
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
