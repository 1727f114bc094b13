import { summaryText } from '../../context/model-view.ts'
import { outputText } from '../../context/output-text.ts'
import { type ChatMessage, type ChatPart, isToolPart } from '../../domain/message.ts'

/** How much of a tool's output the summariser reads, in characters; null for all of it. */
export type OutputCut = number | null

/** A conversation as the summariser reads it, message by message, from the start each time that it is called. */
export type Transcript = (cut: OutputCut) => AsyncIterable<string>

/** A message as the summariser reads it: who said what, which tools were called with what result. */
export function describeMessage(message: ChatMessage, cut: OutputCut): string {
  const summary = message.parts.map(summaryText).find((text) => text !== null)
  if (summary !== undefined) return `<earlier-summary>\n${summary}\n</earlier-summary>`
  const parts = message.parts.map((part) => describePart(part, cut)).filter((text) => text !== '')
  return `<${message.role}>\n${parts.join('\n')}\n</${message.role}>`
}

function describePart(part: ChatPart, cut: OutputCut): string {
  if (isToolPart(part)) return describeCall(part, cut)
  switch (part.type) {
    case 'text':
      return part.text
    case 'file':
      return `[attachment ${part.filename ?? part.mediaType}]`
    case 'steering-message':
      return `[the user added] ${part.parts.map((inner) => describePart(inner, cut)).join(' ')}`
    default:
      return ''
  }
}

function describeCall(part: Extract<ChatPart, { toolCallId: string }>, cut: OutputCut): string {
  const name = part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length)
  const result = part.state === 'output-available' ? outputText(part.output) : (part.errorText ?? part.state)
  const shown = cut !== null && result.length > cut ? `${result.slice(0, cut)} […]` : result
  return `[called ${name} with ${JSON.stringify(part.input ?? {})}]\n[result] ${shown}`
}
