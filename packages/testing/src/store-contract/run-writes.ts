import {
  type ChatChunk,
  FIRST_EPOCH,
  initialReduction,
  type Reduction,
  reduceChunk,
} from '@palimpsest/core/domain'
import type { RecordWrite, RunLease, Store } from '@palimpsest/core/ports'
import { asks, lease, newSession, replyWrite, userMessage } from './fixtures.ts'

export const START: ChatChunk[] = [
  { type: 'start', messageId: 'r', messageMetadata: { schemaVersion: 1, createdAt: 3_000 } },
  { type: 'text-start', id: 't' },
]
export const delta = (text: string): ChatChunk => ({ type: 'text-delta', id: 't', delta: text })
export const FINISH: ChatChunk = { type: 'finish', finishReason: 'stop' }

/** A run of session `a` that writes message `r`, by hand. */
export async function beginRun(store: Store, number = 1) {
  const run = lease('a', number)
  if ((await store.sessions.get('a')) === null) await store.sessions.create(newSession('a'))
  await store.runs.begin(run, asks(userMessage('a', `m${number}`, 'Go')))
  return run
}

export function appends(run: RunLease, chunks: ChatChunk[], epoch = FIRST_EPOCH): RecordWrite {
  const log = { runId: run.runId, epoch, chunks, open: null }
  return { ...replyWrite(run, 'r', []), metadata: null, log }
}

export function folds(run: RunLease, chunks: ChatChunk[], { message, open }: Reduction): RecordWrite {
  const write = replyWrite(run, 'r', message.parts)
  const metadata = { ...write.metadata, ...message.metadata }
  return { ...write, metadata, log: { runId: run.runId, epoch: FIRST_EPOCH, chunks, open } }
}

export const reduced = (chunks: readonly ChatChunk[]) => chunks.reduce(reduceChunk, initialReduction('r'))
