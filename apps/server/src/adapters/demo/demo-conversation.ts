import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'

/** What a tool answered since the person last spoke. */
export type DemoToolResult = { toolName: string; text: string; failed: boolean }

/** The prompt as the demo model understands it. */
export type DemoConversation = {
  instructions: string
  /** The person's last message. */
  said: string
  /** Files attached to it. */
  files: number
  /** How many messages the person has sent, this one included. */
  turn: number
  /** Tool results since that message, in order. */
  results: DemoToolResult[]
  /** The text so far of a reply that was cut short and is to be continued. */
  written: string
}

export function readConversation(prompt: LanguageModelV4Prompt): DemoConversation {
  const instructions = prompt
    .flatMap((message) => (message.role === 'system' ? [message.content] : []))
    .join('\n')
  const talk = prompt.filter((message) => !isReminder(message))
  const last = talk.findLastIndex((message) => message.role === 'user')
  const spoken = talk[last]
  const parts = spoken?.role === 'user' ? spoken.content : []
  return {
    instructions,
    said: parts
      .flatMap((part) => (part.type === 'text' ? [part.text] : []))
      .join('\n')
      .trim(),
    files: parts.filter((part) => part.type === 'file').length,
    turn: talk.filter((message) => message.role === 'user').length,
    results: toolResults(talk.slice(last + 1)),
    written: writtenAtEnd(talk),
  }
}

/** A note of the product to the model, which no person wrote. */
function isReminder({ role, content }: LanguageModelV4Prompt[number]): boolean {
  const isNote = (text: string) => /^<reminder>[\s\S]*<\/reminder>$/.test(text)
  return role === 'user' && content.every((part) => part.type === 'text' && isNote(part.text))
}

function writtenAtEnd(talk: LanguageModelV4Prompt): string {
  const end = talk.at(-1)
  if (end?.role !== 'assistant') return ''
  return end.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
}

function toolResults(messages: LanguageModelV4Prompt): DemoToolResult[] {
  return messages
    .flatMap((message) => (message.role === 'tool' ? message.content : []))
    .flatMap((part) => (part.type === 'tool-result' ? [toResult(part)] : []))
}

function toResult({ toolName, output }: LanguageModelV4ToolResultPart): DemoToolResult {
  const failed =
    output.type === 'error-text' || output.type === 'error-json' || output.type === 'execution-denied'
  return { toolName, text: outputText(output), failed }
}

function outputText(output: LanguageModelV4ToolResultPart['output']): string {
  if (output.type === 'text' || output.type === 'error-text') return output.value
  if (output.type === 'execution-denied') return output.reason ?? 'It was not allowed.'
  if (output.type === 'content')
    return output.value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  return JSON.stringify(output.value)
}
