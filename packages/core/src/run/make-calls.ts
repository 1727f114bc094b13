import { type CallPart, toolNameOf } from '../context/hosted-calls.ts'
import type { Answer, Ask, AskKind, AskRequest } from '../domain/ask.ts'
import { createId } from '../domain/ids.ts'
import { type ChatChunk, type ChatPart, isToolPart } from '../domain/message.ts'
import { askedEvent } from '../history/operation/announce.ts'
import { evaluate } from '../permission/evaluate.ts'
import type { Clock, SessionEvents, Store } from '../ports/index.ts'
import type { CallOutcome, ExecuteCall, ValidCall } from '../tool/execute-call.ts'
import type { RunState } from './run-state.ts'

const NOT_MADE = 'The answer was cut off after this call, which was not made.'
const NOBODY = 'Nobody can be asked here, so the call was not made.'

const OPEN: ReadonlySet<string> = new Set<CallPart['state']>([
  'input-available',
  'approval-requested',
  'approval-responded',
])

type Ports = { store: Store; events: SessionEvents; clock: Clock; headless: boolean }

/** The decision about a call. */
type Decision =
  | { type: 'execute'; answers: readonly Answer[] }
  | { type: 'refuse'; reason: string }
  | { type: 'ask'; request: AskRequest }
  /** It was asked about and has no reply. */
  | { type: 'wait'; on: AskKind }

/**
 * Makes the calls of the reply's last step: asks about those that a person decides on, and executes the others at once. Each
 * output is written into the reply as it comes. Over as soon as the run is aborted: what its tools return later is
 * dropped. Returns what the run has to wait for, or null once every call has its output.
 */
export async function makeCalls(run: RunState, execute: ExecuteCall, ports: Ports): Promise<AskKind | null> {
  const calls = openCalls(run)
  const asks = await asksOfStep(run, calls, ports.store)
  const decided = calls.map((call) => ({ call, decision: decide(run, call, asks, ports.headless) }))
  await openAsks(run, decided, ports)
  await Promise.all(
    decided.map(async ({ call, decision }) => {
      if (call.state === 'approval-requested') noteReply(run, call, asks)
      if (decision.type === 'refuse') emit(run, refusal(call, decision.reason))
      if (decision.type !== 'execute') return
      const outcome = await execute({ ...call, answers: decision.answers }, run.signal)
      if (!run.signal.aborted) emit(run, toChunk(call, outcome))
    }),
  )
  const [waiting] = decided.flatMap(({ decision }) => {
    if (decision.type === 'wait') return [decision.on]
    return decision.type === 'ask' ? [decision.request.kind] : []
  })
  return waiting ?? null
}

type OpenCall = ValidCall & { state: CallPart['state'] }

/** The calls of the reply's last step that wait for an output of ours, in order. */
function openCalls({ recorder, agent }: RunState): OpenCall[] {
  return openParts(recorder.message.parts).flatMap((part) => {
    const tool = agent.tools.find(({ id }) => id === toolNameOf(part))
    const { toolCallId, state, input: args } = part
    return tool !== undefined && typeof args === 'object' && args !== null
      ? [{ toolCallId, state, tool, args }]
      : []
  })
}

function openParts(parts: readonly ChatPart[]): CallPart[] {
  const step = parts.slice(parts.findLastIndex(({ type }) => type === 'step-start') + 1)
  return step
    .filter(isToolPart)
    .filter(({ state, providerExecuted }) => OPEN.has(state) && providerExecuted !== true)
}

/** The asks of the run without a reply. */
export async function openAsksOf(run: RunState, store: Store): Promise<Ask[]> {
  return (await asksOfStep(run, openCalls(run), store)).filter(({ reply }) => reply === null)
}

/** What was asked about the calls of the reply's last step. */
async function asksOfStep(run: RunState, calls: readonly OpenCall[], store: Store): Promise<Ask[]> {
  if (!calls.some((call) => isAsked(run, call))) return []
  return (await store.asks.ofRun(run.runId)).filter(({ step }) => step === stepOf(run))
}

function stepOf({ recorder }: RunState): number {
  return recorder.message.parts.filter(({ type }) => type === 'step-start').length
}

/** Ends a step: calls that got no output are errors for the model. */
export function endStep(run: RunState): void {
  for (const { toolCallId } of openParts(run.recorder.message.parts))
    emit(run, { type: 'tool-output-error', toolCallId, errorText: NOT_MADE })
  emit(run, { type: 'finish-step' })
}

function decide(run: RunState, call: ValidCall, asks: readonly Ask[], headless: boolean): Decision {
  const ask = asks.find(({ toolCallId }) => toolCallId === call.toolCallId)
  if (ask === undefined) return decideNew(run, call, headless)
  switch (ask.reply?.type) {
    case 'approved':
      return { type: 'execute', answers: [] }
    case 'answered':
      return { type: 'execute', answers: ask.reply.answers }
    case 'denied':
      return { type: 'refuse', reason: ask.reply.reason ?? 'The person denied this call.' }
    case 'cancelled':
      return { type: 'refuse', reason: NOBODY }
    case undefined:
      return { type: 'wait', on: ask.request.kind }
  }
}

/** Whether a person decides on this call, or has decided. */
function isAsked(run: RunState, call: OpenCall): boolean {
  return call.state !== 'input-available' || decideNew(run, call, false).type === 'ask'
}

function decideNew({ agent }: RunState, { tool, args }: ValidCall, headless: boolean): Decision {
  const questions = tool.questions?.(args)
  const verdict = evaluate(tool.requires(args), agent.rules)
  if (verdict.action === 'deny')
    return { type: 'refuse', reason: `A rule denies this: ${describe(verdict.requirement)}.` }
  if (verdict.action === 'allow' && questions === undefined) return { type: 'execute', answers: [] }
  if (headless) return { type: 'refuse', reason: NOBODY }
  if (questions !== undefined) return { type: 'ask', request: { kind: 'answer', questions } }
  const reason = `No rule allows this: ${describe(verdict.requirement)}.`
  const patterns = verdict.requirement === null ? [] : [verdict.requirement.pattern]
  return { type: 'ask', request: { kind: 'approval', tool: tool.id, args, reason, patterns } }
}

function describe(requirement: { permission: string; pattern: string } | null): string {
  return requirement === null ? 'the call' : `${requirement.permission} ${requirement.pattern}`
}

/** Stores new asks with the chunks that show them, then publishes both. */
async function openAsks(
  run: RunState,
  decided: readonly { call: OpenCall; decision: Decision }[],
  { store, events, clock }: Ports,
): Promise<void> {
  const asks = decided.flatMap(({ call, decision }) =>
    decision.type === 'ask' ? [toAsk(run, call, decision.request, clock.now())] : [],
  )
  if (asks.length === 0) return
  const chunks = asks.flatMap(({ id, toolCallId, request }): ChatChunk[] =>
    request.kind === 'approval'
      ? [{ type: 'tool-approval-request', approvalId: id, toolCallId, reason: request.reason }]
      : [],
  )
  await run.recorder.commit(chunks, (write) => store.runs.ask(write, asks))
  for (const event of asks.flatMap(askedEvent)) events.publish(event)
}

function toAsk(run: RunState, { toolCallId }: ValidCall, request: AskRequest, createdAt: number): Ask {
  const { sessionId, runId, messageId } = run
  const id = createId(request.kind === 'approval' ? 'per' : 'qst')
  return { id, sessionId, runId, messageId, toolCallId, step: stepOf(run), request, reply: null, createdAt }
}

/** Writes the decision of a person into the reply. */
function noteReply(run: RunState, { toolCallId }: OpenCall, asks: readonly Ask[]): void {
  const ask = asks.find((asked) => asked.toolCallId === toolCallId)
  if (ask?.reply?.type !== 'approved' && ask?.reply?.type !== 'denied') return
  const { id: approvalId, reply } = ask
  const reason = reply.type === 'denied' && reply.reason !== undefined ? { reason: reply.reason } : {}
  emit(run, { type: 'tool-approval-response', approvalId, approved: reply.type === 'approved', ...reason })
}

function emit({ recorder, condensing }: RunState, chunk: ChatChunk): void {
  recorder.write(chunk)
  condensing.note(chunk)
}

function refusal({ toolCallId, state }: OpenCall, errorText: string): ChatChunk {
  return state === 'input-available'
    ? { type: 'tool-output-error', toolCallId, errorText }
    : { type: 'tool-output-denied', toolCallId }
}

function toChunk({ toolCallId }: ValidCall, outcome: CallOutcome): ChatChunk {
  if (outcome.type === 'output') return { type: 'tool-output-available', toolCallId, output: outcome.output }
  const { message, durationMs } = outcome
  return {
    type: 'tool-output-error',
    toolCallId,
    errorText: message,
    toolMetadata: { duration_ms: durationMs },
  }
}
