import { asSeen, isSummary } from '../../context/model-view.ts'
import { type StoredMessage, toChatMessage } from '../../domain/message.ts'
import type { OutlineEntry } from '../../domain/outline.ts'
import { toRanges } from '../../domain/seq-ranges.ts'
import type { Store } from '../../ports/index.ts'
import type { Estimator } from '../pruning/outputs.ts'
import { measured } from '../window/measured.ts'
import { describeMessage, type Transcript } from './transcript.ts'

/** Messages whose bodies are held at once. */
const BATCH = 100

/** What a summary is to stand for, a few bodies at a time: however long it is, it is never held whole. */
export type SummarisedMessages = {
  transcript: Transcript
  /** The last of its replies. */
  lastReply(): Promise<StoredMessage | null>
  /** Tokens of it all as the model sees it. Only what no transcript has come to is read for that. */
  tokens(): Promise<number>
}

/** `places` are in the order in which the model sees them: an earlier summary first. */
export function summarisedMessages(
  sessionId: string,
  places: readonly Pick<OutlineEntry, 'seq' | 'role' | 'compactionId'>[],
  estimator: Estimator,
  store: Store,
): SummarisedMessages {
  let counted = 0
  let tokens = 0

  async function* bodies(from: number): AsyncGenerator<StoredMessage> {
    for (let start = from; start < places.length; start += BATCH) {
      const seqs = places.slice(start, start + BATCH).map(({ seq }) => seq)
      const messages = await store.history.messagesAt(sessionId, toRanges(seqs))
      const bySeq = new Map(messages.map((message) => [message.seq, message]))
      for (const [index, seq] of seqs.entries()) {
        const message = bySeq.get(seq)
        if (message === undefined) continue
        if (start + index === counted) {
          counted += 1
          tokens += measured(message, estimator).tokens
        }
        yield message
      }
    }
  }

  return {
    async *transcript(cut) {
      // A summary keeps its part, by which it is marked; everything else is told as the model sees it.
      for await (const message of bodies(0))
        yield describeMessage(isSummary(message) ? toChatMessage(message) : asSeen(message), cut)
    },
    async lastReply() {
      const last = places.findLast(({ role, compactionId }) => role === 'assistant' && compactionId === null)
      if (last === undefined) return null
      const [reply = null] = await store.history.messagesAt(sessionId, [[last.seq, last.seq]])
      return reply
    },
    async tokens() {
      for await (const _ of bodies(counted));
      return tokens
    },
  }
}
