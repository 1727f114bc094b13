import {
  type ChatPart,
  FIRST_EPOCH,
  type HistoryDetail,
  type HistoryOperation,
  type MessageMetadata,
  type ModelRef,
  type Session,
  type StoredMessage,
} from '@palimpsest/core/domain'
import type {
  BranchCopy,
  HistoryChange,
  ImportLine,
  NewMessage,
  NewSession,
  RecordWrite,
  RunLease,
  RunTrigger,
  Store,
} from '@palimpsest/core/ports'

/** A store to test, and a way to stop its host and start another one on the same data. */
export interface StoreFixture extends AsyncDisposable {
  readonly store: Store
  restart(): Promise<Store>
}

export type OpenFixture = () => Promise<StoreFixture>

export const MODEL = { providerId: 'lab', modelId: 'one' }

export function newSession(id: string, over: Partial<NewSession> = {}): NewSession {
  return {
    id,
    title: 'New chat',
    agent: 'chat',
    workspaceRoot: null,
    model: MODEL,
    parentId: null,
    parentMessageId: null,
    metadata: {},
    at: 1_000,
    ...over,
  }
}

/** Deletes a session for ever. */
export async function removeSession({ sessions }: Store, sessionId: string): Promise<void> {
  await sessions.delete(sessionId, { withBranches: false, at: 9_000 })
  await sessions.purge(sessionId)
}

export function userMessage(sessionId: string, id: string, text: string, at = 2_000): NewMessage {
  const metadata = { schemaVersion: 1 as const, createdAt: at, model: MODEL }
  return { id, sessionId, role: 'user', metadata, parts: [{ type: 'text', text }] }
}

export function lease(sessionId: string, number: number): RunLease {
  return { runId: `run_${sessionId}_${number}`, sessionId, startedAt: 2_000 + number, epoch: FIRST_EPOCH }
}

export function asks(message: NewMessage): RunTrigger {
  return { type: 'message', message, change: null }
}

/** The queued message with this id, or the earliest one, answered by `model` if it names none. */
export function fires(
  messageId: string | null,
  model: ModelRef = MODEL,
  change: HistoryChange | null = null,
): RunTrigger {
  return { type: 'queued', messageId, model, change }
}

/** A write of a reply's parts as they are now. */
export function replyWrite(
  run: RunLease,
  messageId: string,
  parts: ChatPart[],
  at = 3_000,
): RecordWrite & { metadata: MessageMetadata } {
  const { runId, epoch } = run
  return {
    log: { runId, epoch, chunks: [], open: { text: {}, reasoning: {} } },
    sessionId: run.sessionId,
    messageId,
    metadata: { schemaVersion: 1, createdAt: at, runId: run.runId, model: MODEL },
    createdAt: at,
    parts: parts.map((data, index) => ({ id: `prt_${messageId}_${index}`, index, data })),
    at,
  }
}

/** Runs a whole turn: a question and its answer, `<id>` and `<id>a`. */
export async function turn(
  store: Store,
  sessionId: string,
  id: string,
  { question = 'Hello', answer = 'Hi', at = 2_000 }: { question?: string; answer?: string; at?: number } = {},
): Promise<Session> {
  const run = { runId: `run_${id}`, sessionId, startedAt: at, epoch: FIRST_EPOCH }
  await store.runs.begin(run, asks(userMessage(sessionId, id, question, at)))
  return store.runs.end(run, replyWrite(run, `${id}a`, [{ type: 'text', text: answer }], at + 1), at + 1)
}

export function ids(messages: StoredMessage[]): string[] {
  return messages.map((message) => message.id)
}

export function texts(message: StoredMessage | null): string[] {
  return (message?.parts ?? []).flatMap(({ data }) => (data.type === 'text' ? [data.text] : []))
}

/** A change of `sessionId`: a rewind unless it says otherwise. */
export function planned(
  sessionId: string,
  id: string,
  detail: Partial<HistoryDetail>,
  { createdAt = 7_000, kind = 'rewind' }: Partial<Pick<HistoryOperation, 'createdAt' | 'kind'>> = {},
  over: Partial<HistoryChange> = {},
): HistoryChange {
  return {
    operation: { id, sessionId, kind, detail: { lastSeq: 0, hidden: [], shown: [], ...detail }, createdAt },
    insert: null,
    prune: [],
    unprune: [],
    contextTokens: 11,
    contextEstimated: false,
    ...over,
  }
}

/** A branch `id` of `parent`, with copies of the messages at `seqs`. */
export function branchOf(
  parent: string,
  id: string,
  seqs: number[],
  over: Partial<NewSession> = {},
): BranchCopy {
  const detail = { lastSeq: seqs.length, hidden: [], shown: [], branchId: id }
  return {
    session: newSession(id, { parentId: parent, parentMessageId: 'm', at: 8_000, ...over }),
    seqs,
    contextTokens: 22,
    contextEstimated: true,
    operation: { id: `op_${id}`, sessionId: parent, kind: 'branch', detail, createdAt: 8_000 },
  }
}

/** Writes a compaction's summary over the messages up to `to`. */
export function compaction(
  sessionId: string,
  id: string,
  { lastSeq, to }: { lastSeq: number; to: number },
): HistoryChange {
  const insert: NewMessage = {
    id: `sum_${id}`,
    sessionId,
    role: 'assistant',
    metadata: { schemaVersion: 1, createdAt: 7_500, summary: true, synthetic: true, compactionId: id },
    parts: [{ type: 'data-compaction', data: { summary: 'So far', tail_start_id: 'm2', auto: false } }],
  }
  const hidden: HistoryDetail['hidden'] = [[1, to]]
  const detail = { lastSeq, hidden, summarySeq: lastSeq + 1, summaryMessageId: insert.id, tailStartId: 'm2' }
  return planned(sessionId, id, detail, { kind: 'compaction', createdAt: 7_500 }, { insert })
}

/** The rows of a session, as lines of a file. */
export async function exported(store: Store, sessionId: string): Promise<ImportLine[]> {
  const lines = await Array.fromAsync(store.history.exportRows(sessionId))
  return lines.map((line, index) => ({ ...line, number: index + 1 }))
}

/** Gives lines one by one. */
export async function* given<T>(lines: Iterable<T>): AsyncGenerator<T> {
  for (const line of lines) yield await Promise.resolve(line)
}
