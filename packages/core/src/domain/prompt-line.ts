import { isSteering, type MessageLayer } from './history/message-layer.ts'
import type { StoredMessage } from './message/message.ts'

/** A person's message as a line of a list: the beginning of its words, which are empty when it has only files. */
export type PromptLine = {
  messageId: string
  text: string
  /** `visible`, or `summarised` where the model reads a summary in its place. */
  layer: MessageLayer
  createdAt: number
}

/** Characters of a line. */
const LINE = 200

/** Characters of a text that are looked at for its line: one that begins with more blanks has an empty line. */
const READ = 2_000

/** The lines of those that are read in the thread: hidden ones, and words that were added to a running reply, are left out. */
export function promptLines(
  messages: readonly StoredMessage[],
  layers: ReadonlyMap<string, MessageLayer>,
): PromptLine[] {
  return messages.flatMap((message) => {
    const layer = layers.get(message.id) ?? 'visible'
    if (layer === 'hidden' || isSteering(message)) return []
    return [{ messageId: message.id, text: lineOf(message), layer, createdAt: message.createdAt }]
  })
}

function lineOf({ parts }: StoredMessage): string {
  const text = parts.find(({ data }) => data.type === 'text' && data.text.trim() !== '')?.data
  if (text?.type !== 'text') return ''
  const line = text.text.slice(0, READ).replaceAll(/\s+/g, ' ').trim()
  return line.length <= LINE ? line : `${line.slice(0, LINE).trimEnd().toWellFormed()}…`
}
