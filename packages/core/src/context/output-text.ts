import { type ChatPart, isOwnCall } from '../domain/message/message.ts'

/** The text that a tool's output is for the model. */
export function outputText(output: unknown): string {
  if (typeof output === 'object' && output !== null && 'text' in output && typeof output.text === 'string')
    return output.text
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
}

/** The text of a call's result: that of our own tools' outputs, and the JSON of what a provider's tools returned. */
export function resultText(part: Extract<ChatPart, { toolCallId: string }>): string {
  const { output } = part
  return isOwnCall(part) || typeof output === 'string' ? outputText(output) : (JSON.stringify(output) ?? '')
}
