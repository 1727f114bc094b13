import {
  type ChatMessage,
  type ChatPart,
  isToolPart,
  type StoredMessage,
  type StoredPart,
} from '../domain/message.ts'

/**
 * Visible messages as the model sees them: a summary of what came before first, in the user's place and marked as such,
 * then everything else in order, pruned outputs as stubs.
 */
export function toModelView(visible: readonly StoredMessage[]): ChatMessage[] {
  const summaries = visible.filter(({ metadata }) => metadata.compactionId !== undefined)
  const others = visible.filter(({ metadata }) => metadata.compactionId === undefined)
  return [...summaries.map(toEnvelope), ...others.map(toView)]
}

function toEnvelope(stored: StoredMessage): ChatMessage {
  const summary = stored.parts.map(({ data }) => summaryText(data)).find((text) => text !== null) ?? ''
  const text = `<summary-of-earlier-conversation>\n${summary}\n</summary-of-earlier-conversation>`
  return { id: stored.id, role: 'user', metadata: stored.metadata, parts: [{ type: 'text', text }] }
}

function toView({ id, role, metadata, parts }: StoredMessage): ChatMessage {
  return { id, role, metadata, parts: parts.map(toViewPart) }
}

function toViewPart({ data, prunedAt }: StoredPart): ChatPart {
  if (prunedAt === null || !isToolPart(data) || data.state !== 'output-available') return data
  return { ...data, output: prunedOutput(data.output) }
}

/** Characters above which an output is trimmed rather than replaced, and what then stays of its head and its tail. */
const SOFT_TRIM_ABOVE = 50_000
const KEPT_CHARACTERS = 1_500

/** The stub that stands for an output; the same bytes each time, so that a provider's cache holds. */
export function prunedOutput(output: unknown): { type: 'output'; text: string } {
  const text = outputText(output)
  if (text.length <= SOFT_TRIM_ABOVE)
    return { type: 'output', text: `<output pruned, ${Math.round(text.length / 4)} tokens>` }
  const left = text.length - 2 * KEPT_CHARACTERS
  const notice = `\n\n<${left} characters pruned>\n\n`
  return { type: 'output', text: `${text.slice(0, KEPT_CHARACTERS)}${notice}${text.slice(-KEPT_CHARACTERS)}` }
}

/** The text that a tool's output is for the model. */
export function outputText(output: unknown): string {
  if (typeof output === 'object' && output !== null && 'text' in output && typeof output.text === 'string')
    return output.text
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? '')
}

/** The text of a compaction's summary; null for every other part. */
export function summaryText(part: ChatPart): string | null {
  if (part.type !== 'data-compaction') return null
  const { data } = part
  const held =
    typeof data === 'object' && data !== null && 'summary' in data && typeof data.summary === 'string'
  return held ? (data.summary as string) : null
}
