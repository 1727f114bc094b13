import { parsePartialJson } from 'ai'
import { type ChatMessage, type ChatPart, isToolPart } from '../domain/message.ts'

/** The part with the `input` that its `rawInput` makes so far, as the AI SDK's reducer has it. */
export async function withParsedInput(part: ChatPart): Promise<ChatPart> {
  if (!isToolPart(part) || part.state !== 'input-streaming' || part.rawInput === undefined) return part
  if (part.inputEncoding === 'text') return { ...part, input: part.rawInput }
  const { value } = await parsePartialJson(part.rawInput)
  return value === undefined ? part : ({ ...part, input: value } as ChatPart)
}

export async function withParsedInputs(message: ChatMessage): Promise<ChatMessage> {
  return { ...message, parts: await Promise.all(message.parts.map(withParsedInput)) }
}
