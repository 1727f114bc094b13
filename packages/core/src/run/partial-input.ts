import { parsePartialJson } from 'ai'
import { isJsonNestedBeyond } from '../domain/json/nesting.ts'
import { type ChatMessage, type ChatPart, isToolPart } from '../domain/message/message.ts'
import { PROVIDER_LIMITS } from '../domain/model/provider-limits.ts'

/** Characters of arguments that are parsed at each write; longer ones only when they have grown by a quarter. */
const PARSED_ALWAYS = 4 * 1024
const GROWTH = 1.25
/** Characters of arguments that are parsed while they are on their way; longer ones are at the end of the step. */
const PARSED_MEANWHILE = 64 * 1024

type StreamingPart = Extract<ChatPart, { toolCallId: string; state: 'input-streaming' }>

/** The part with the `input` that its `rawInput` makes so far, as the AI SDK's reducer has it. */
export async function withParsedInput(part: ChatPart): Promise<ChatPart> {
  return isStreaming(part) ? withInput(part, await parse(part)) : part
}

export async function withParsedInputs(message: ChatMessage): Promise<ChatMessage> {
  return { ...message, parts: await Promise.all(message.parts.map(withParsedInput)) }
}

/**
 * Parses arguments as they grow, in time that is linear in their final length: between two parses the `input` of the
 * earlier one stays.
 */
export type GrowingInputs = {
  withInput(part: ChatPart): Promise<ChatPart>
}

export function createGrowingInputs(): GrowingInputs {
  const parsed = new Map<string, { length: number; input: unknown }>()
  return {
    async withInput(part) {
      if (!isToolPart(part)) return part
      const id = part.toolCallId
      if (!isStreaming(part)) {
        parsed.delete(id)
        return part
      }
      const { length } = part.rawInput
      const last = parsed.get(id)
      const isDue = length <= PARSED_ALWAYS || length >= (last?.length ?? 0) * GROWTH
      if (length > PARSED_MEANWHILE || !isDue) return withInput(part, last?.input)
      const input = await parse(part)
      parsed.set(id, { length, input })
      return withInput(part, input)
    },
  }
}

function isStreaming(part: ChatPart): part is StreamingPart & { rawInput: string } {
  return isToolPart(part) && part.state === 'input-streaming' && typeof part.rawInput === 'string'
}

/** Arguments that are nested too deep stay a text: what they make could not be written. */
async function parse({ inputEncoding, rawInput }: StreamingPart & { rawInput: string }): Promise<unknown> {
  if (inputEncoding === 'text') return rawInput
  if (isJsonNestedBeyond(rawInput, PROVIDER_LIMITS.nesting)) return undefined
  return (await parsePartialJson(rawInput)).value
}

function withInput(part: StreamingPart, input: unknown): ChatPart {
  return input === undefined ? part : ({ ...part, input } as ChatPart)
}
