import { type CallPart, toolNameOf } from '../context/hosted-calls.ts'
import type { Ask, AskKind, AskReply, AskRequest } from '../domain/ask.ts'
import { describeReached } from '../domain/budget.ts'
import { createId } from '../domain/ids.ts'
import { type ChatChunk, type ChatPart, isToolPart } from '../domain/message.ts'
import { describeRule } from '../domain/permission.ts'
import { askedEvent } from '../history/operation/announce.ts'
import type { Clock, SessionEvents, Store } from '../ports/index.ts'
import type { CallOutcome, ExecuteCall, ValidCall } from '../tool/execute-call.ts'
import { type Decision, type DecisionPorts, decideCalls } from './decide-calls.ts'
import type { RunState } from './run-state.ts'

const NOT_MADE = 'The answer was cut off after this call, which was not made.'
const OPEN: ReadonlySet<string> = new Set<CallPart['state']>([
  'input-available',
  'approval-requested',
  'approval-responded',
])

type Ports = DecisionPorts & { events: SessionEvents; clock: Clock }

/**
 * Makes the calls of the reply's last step: asks about those that a person decides on, and executes the others at once. Each
 * output is written into the reply as it comes. Over as soon as the run is aborted: what its tools return later is
 * dropped. Returns what the run has to wait for, or null once every call has its output.
 */
export async function makeCalls(run: RunState, execute: ExecuteCall, ports: Ports): Promise<AskKind | null> {
  failUnavailable(run)
  const calls = openCalls(run)
  const asks = await asksOfStep(run, calls, ports.store)
  const decisions = await decideCalls(run, calls, asks, ports)
  if (run.signal.aborted) return null
  const decided = decisions.map((one) => withinBudget(run, one))
  await openAsks(run, decided, ports)
  await saveCalls(run, ports)
  await Promise.all(decided.map((one) => carryOut(run, one, asks, execute)))
  const [waiting] = decided.flatMap(({ decision }) => {
    if (decision.type === 'wait') return [decision.on]
    return decision.type === 'ask' ? [decision.request.kind] : []
  })
  if (waiting !== undefined) return waiting
  const isDeferred = decided.some(({ decision }) => decision.type === 'defer')
  return isDeferred && !run.signal.aborted ? await makeCalls(run, execute, ports) : null
}

type Decided = { call: OpenCall; decision: Decision }

/** Counts a call that is about to be made; once the budget is spent none is made, and nobody is asked about one. */
function withinBudget({ ledger }: RunState, { call, decision }: Decided): Decided {
  const { type } = decision
  if (type !== 'execute' && type !== 'ask') return { call, decision }
  const spent = type === 'execute' ? ledger.takeCall() : ledger.reached()
  if (spent === null) return { call, decision }
  const message = `${describeReached(spent)} This call was not made.`
  return { call, decision: { type: 'fail', message } }
}

/** Stores how many calls are made before they are, where their number is limited: a host that dies does not give them back. */
async function saveCalls({ ledger }: RunState, { store }: Ports): Promise<void> {
  if (ledger.accounts.every(({ budget }) => (budget.max_tool_calls ?? null) === null)) return
  await store.budgets.add(ledger.unsaved())
}

/** Records the decision with the call and, where it is allowed, executes it. */
async function carryOut(
  run: RunState,
  { call, decision }: Decided,
  asks: readonly Ask[],
  execute: ExecuteCall,
): Promise<void> {
  const { toolCallId } = call
  if (call.state === 'approval-requested') noteReply(run, call, asks)
  switch (decision.type) {
    case 'refuse':
      for (const chunk of refusal(call, decision)) emit(run, chunk)
      break
    case 'fail':
      emit(run, { type: 'tool-output-error', toolCallId, errorText: decision.message })
      break
    case 'execute': {
      if (decision.by !== null) for (const chunk of verdict(call, true, decision.by)) emit(run, chunk)
      const { answers, shown } = decision
      const outcome = await execute({ ...call, answers, shown }, run.signal, (output) =>
        emit(run, { type: 'tool-output-available', toolCallId, output, preliminary: true }),
      )
      if (!run.signal.aborted) emit(run, toChunk(call, outcome))
    }
  }
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

/** Ends the calls whose tool is gone, as that of a server that was lost while a person decided. */
function failUnavailable(run: RunState): void {
  for (const part of openParts(run.recorder.message.parts)) {
    const name = toolNameOf(part)
    if (run.agent.tools.some(({ id }) => id === name)) continue
    const errorText = `${name} is not available any more, so the call was not made.`
    emit(run, { type: 'tool-output-error', toolCallId: part.toolCallId, errorText })
  }
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
  if (!calls.some(isAsked)) return []
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

/** Whether there may be an ask about this call. */
function isAsked({ state, tool }: OpenCall): boolean {
  return state !== 'input-available' || tool.questions !== undefined
}

/** Stores new asks with the chunks that show them, then publishes both. */
async function openAsks(
  run: RunState,
  decided: readonly Decided[],
  { store, events, clock }: Ports,
): Promise<void> {
  const asks = decided.flatMap(({ call, decision }) =>
    decision.type === 'ask' ? [toAsk(run, call, decision.request, clock.now())] : [],
  )
  if (asks.length === 0) return
  const chunks = asks.flatMap(({ id, toolCallId, request }): ChatChunk[] =>
    request.kind === 'approval'
      ? [
          {
            type: 'tool-approval-request',
            approvalId: id,
            toolCallId,
            reason: request.reason,
            approvalDescriptor: { patterns: request.patterns },
          },
        ]
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
  const reason = reasonOf(reply)
  emit(run, {
    type: 'tool-approval-response',
    approvalId,
    approved: reply.type === 'approved',
    ...(reason !== undefined && { reason }),
  })
}

/** Why a person denied the call, or the rule that they gave. */
function reasonOf(reply: Extract<AskReply, { type: 'approved' | 'denied' }>): string | undefined {
  if (reply.type === 'denied') return reply.reason
  const { scope, rule } = reply
  return scope === 'once' || rule === undefined ? undefined : describeRule({ source: scope, ...rule })
}

function emit({ recorder, condensing }: RunState, chunk: ChatChunk): void {
  recorder.write(chunk)
  condensing.note(chunk)
}

/** A decision that no person made, with the rule or mode that made it. */
function verdict({ toolCallId, state }: OpenCall, approved: boolean, reason: string): ChatChunk[] {
  if (state !== 'input-available') return []
  const approvalId = createId('per')
  return [
    { type: 'tool-approval-request', approvalId, toolCallId, isAutomatic: true },
    { type: 'tool-approval-response', approvalId, approved, reason },
  ]
}

function refusal(call: OpenCall, { reason, automatic }: Extract<Decision, { type: 'refuse' }>): ChatChunk[] {
  const { toolCallId, state } = call
  if (automatic) return [...verdict(call, false, reason), { type: 'tool-output-denied', toolCallId }]
  return state === 'input-available'
    ? [{ type: 'tool-output-error', toolCallId, errorText: reason }]
    : [{ type: 'tool-output-denied', toolCallId }]
}

function toChunk({ toolCallId, tool }: ValidCall, outcome: CallOutcome): ChatChunk {
  if (outcome.type === 'output') return { type: 'tool-output-available', toolCallId, output: outcome.output }
  const { message, durationMs } = outcome
  return {
    type: 'tool-output-error',
    toolCallId,
    errorText: message,
    toolMetadata: { ...tool.metadata, duration_ms: durationMs },
  }
}
