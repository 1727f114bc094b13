import { convertToModelMessages, type ModelMessage, type ToolSet } from 'ai'
import type { ChatMessage } from '../domain/message.ts'
import type { ModelInfo, ModelRef } from '../domain/model.ts'
import { prepareMessage } from './prepare-message.ts'

/**
 * Lowers visible messages, in order, to what the provider packages take. A message that can't be lowered is left out
 * rather than ending the conversation.
 */
export async function toModelMessages(
  messages: readonly ChatMessage[],
  target: { model: ModelRef; info: ModelInfo; tools: ToolSet },
): Promise<ModelMessage[]> {
  const lowered = messages.map((message) =>
    lower(prepareMessage(message, target.model, target.info), target.tools),
  )
  return (await Promise.all(lowered)).flat()
}

async function lower(message: ChatMessage, tools: ToolSet): Promise<ModelMessage[]> {
  try {
    const lowered = await convertToModelMessages([message], { tools })
    return lowered.filter(({ content }) => content.length > 0)
  } catch {
    return []
  }
}
