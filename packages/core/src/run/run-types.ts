import type { ModelView } from '../context/model-view.ts'
import type { ErrorCode } from '../domain/errors.ts'
import type { ChatChunk, ChatMessage, FinishReason } from '../domain/message.ts'
import type { ModelRef } from '../domain/model.ts'
import type { StatusEvent } from '../domain/status.ts'
import type { TokenCounts } from '../domain/usage.ts'
import type { Clock, Logger, OpenModel } from '../ports/index.ts'
import type { Environment } from '../prompt/assemble.ts'
import type { ToolContext } from '../tool/ai-tools.ts'
import type { Agent } from './agent.ts'
import type { Recorder } from './recorder.ts'

/** One execution of the loop for a turn. Its state lives as long as the run and no longer. */
export type Run = {
  runId: string
  sessionId: string
  messageId: string
  agent: Agent
  model: ModelRef
  open: OpenModel
  environment: Environment
  /** What the model may see of the conversation so far, the message that started the run last. */
  view: ModelView
  /** Goes on after a reply that was cut short, instead of answering a new message. */
  continues: boolean
  signal: AbortSignal
  startedAt: number
}

export type StepRecord = {
  usage: TokenCounts | null
  contextTokens: number | null
  contextEstimated: boolean
  systemPrompt: { digest: string; body: string }
}

/** What the loop acts through. */
export type RunDeps = {
  clock: Clock
  logger: Logger
  recorder: Recorder
  toolContext: ToolContext
  maxTries: number
  stallMs: number
  random(): number
  onStatus(event: StatusEvent): void
  room: RoomKeeper
  condensing: Condensing
  /** Before a further step: tells how the last one left the session, and lets messages in that were sent to steer the run. */
  betweenSteps(): Promise<void>
  commitStep(chunks: Parameters<Recorder['commit']>[0], step: StepRecord): Promise<void>
}

/** What came of making room. */
export type Room =
  | { type: 'unchanged' }
  /** What the model sees from now on before the reply, and the calls of the reply whose outputs it sees as stubs. */
  | { type: 'changed'; view: ModelView; stubs: ReadonlySet<string> }
  | { type: 'failed'; error: { code: ErrorCode; message: string } }

/** The reply so far, what the model sees before it, and the characters of outputs that it sees of neither. */
export type NextRequest = { message: ChatMessage; view: ModelView; pruned: number }

/** Has large outputs condensed while a run goes on; delays nothing. */
export type Condensing = {
  /** Told of each chunk that the reply holds by now. */
  note(chunk: ChatChunk): void
  /** Told how many condensed outputs a request to the model holds. */
  used(hits: number): void
  /** The reply is about to be finished: what is condensed from now on is written beside it. */
  close(): void
}

/** Keeps the context window from overflowing. */
export type RoomKeeper = {
  /** Before the `step`-th model call, which would be told this. */
  beforeStep(step: number, next: NextRequest): Promise<Room>
  /** After a provider has refused a prompt as too long. */
  afterOverflow(): Promise<Room>
}

/** How a run ended; `error` is there when it failed. */
export type RunEnd = { finishReason: FinishReason; error?: { code: ErrorCode; message: string } }
