import { z } from 'zod'
import { LIMITS } from '../domain/limits.ts'
import { defineTool } from './tool.ts'

/** Finds earlier words of the conversation that a summary has replaced. */
export const recallTool = defineTool({
  id: 'recall',
  description:
    'Search the earlier messages of this chat that a summary has replaced, by their words. ' +
    'Use it for exact words, figures and names that the summary leaves out.',
  input: z.object({
    query: z.string().min(1).max(LIMITS.searchCharacters).describe('A few words that the messages hold'),
  }),
  canAct: ({ parts }) => parts.some(({ type }) => type === 'data-compaction'),
  requires: () => [],
  async execute({ query }, { recall }) {
    const found = await recall(query)
    if (found.length === 0) return { text: 'No summarised message holds these words.' }
    const passages = found.map(({ role, createdAt, messageId, text }) => {
      const date = new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ')
      return `[${role}, ${date} UTC, message ${messageId}]\n${text}`
    })
    return {
      text: passages.join('\n\n'),
      data: { messages: found.map(({ sessionId, messageId }) => ({ sessionId, messageId })) },
    }
  },
})
