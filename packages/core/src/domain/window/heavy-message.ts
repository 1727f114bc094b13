/** A message that takes much of the context window. */
export type HeavyMessage = {
  messageId: string
  role: 'user' | 'assistant'
  /** Its first words, or the name of its first file. */
  text: string
  /** An estimate of what it takes of the window. */
  tokens: number
  /** Its place among the visible messages of its role, from 1. */
  place: number
}
