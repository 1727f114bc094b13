import { createId } from '../ids.ts'
import type { ChatChunk, StoredMessage } from '../message/message.ts'
import { type Reduction, reduceChunk } from './message-reducer.ts'

/** The epoch of a claim that no other host has taken over. */
export const FIRST_EPOCH = 1

/** Milliseconds from the last renewal of a claim to its expiry. */
export const LEASE_MS = 10_000

/** The terminal record of a run that ended before its reply began. */
export const NO_REPLY: ChatChunk = { type: 'error', errorText: 'The run ended before its reply began.' }

/** What a run's log holds beyond a message's stored parts: the parts that were open there, and the chunks since. */
export type LogTail = { open: Reduction['open']; chunks: readonly ChatChunk[] }

/**
 * The message with the chunks of its run's log that are not folded into its parts yet. The parsed `input` of a tool call
 * that still streams stays that of the last fold; its `rawInput` is complete.
 */
export function joinTail(message: StoredMessage, { open, chunks }: LogTail): StoredMessage {
  if (chunks.length === 0) return message
  const { id, metadata, parts } = message
  const folded = { id, role: 'assistant' as const, metadata, parts: parts.map(({ data }) => data) }
  const joined = chunks.reduce(reduceChunk, { message: folded, open }).message
  return {
    ...message,
    metadata: joined.metadata ?? metadata,
    parts: joined.parts.map((data, index) => {
      const stored = parts[index] ?? { id: createId('prt'), index, data, prunedAt: null }
      return stored.data === data ? stored : { ...stored, data }
    }),
  }
}
