import { toolNameOf } from '../context/hosted-calls.ts'
import { createId } from '../domain/ids.ts'
import { type ChatChunk, isToolPart } from '../domain/message/message.ts'
import { taskChunks } from '../domain/message/task-end.ts'
import { type Ask, type AskKind, type AskReply, type TaskEnd, waitsOn } from '../domain/permission/ask.ts'
import { describeRule } from '../domain/permission/permission.ts'
import type { Clock, SessionEvents, Store } from '../ports/index.ts'
import type { CallAsks, CallOutcome, ExecuteCall, ToolEnvelope, ValidCall } from '../tool/execute-call.ts'
import { FormNeeded, type PermissionNeeded } from '../tool/tool.ts'
import { type Decision, type DecisionPorts, decideAgain, decideCalls } from './decide-calls.ts'
import { type Decided, type OpenCall, openAsks, stepOf } from './open-asks.ts'
import { openParts } from './open-parts.ts'
import type { RunState } from './run-state.ts'
import type { Subagents } from './subagent-control.ts'
import { reportCall } from './tool-hooks.ts'
import { saveCalls, withinBudget } from './within-budget.ts'

const NOT_MADE = 'The answer was cut off after this call, which was not made.'

type Ports = DecisionPorts & {
  events: SessionEvents
  clock: Clock
  subagents: Subagents
}

/**
 * Makes the calls of the reply's last step: asks about those that a person decides on, and executes the others at once. Each
 * output is written into the reply as it comes. Over as soon as the run is aborted: what its tools return later is
 * dropped. Returns what the run has to wait for, or null once every call has its output.
 */
export async function makeCalls(run: RunState, execute: ExecuteCall, ports: Ports): Promise<AskKind | null> {
  await failUnavailable(run, ports.store)
  const calls = openCalls(run)
  const asks = await asksOfStep(run, calls, ports.store)
  const decisions = await decideCalls(run, calls, asks, ports)
  if (run.signal.aborted) return null
  const decided = decisions.map((one) => withinBudget(run, one))
  const opened = await openAsks(run, decided, ports)
  await saveCalls(run, ports)
  if (run.signal.aborted) return null
  const [needed] = await Promise.all([
    Promise.all(decided.map((one) => carryOut(run, one, asks, execute, ports))),
    ...opened.map((ask) => ports.subagents.start(run, ask)),
  ])
  const waiting = waitsOn([
    ...opened,
    ...needed.flat(),
    ...asks.filter(
      ({ toolCallId, reply }) =>
        reply === null &&
        decided.some(({ call, decision }) => decision.type === 'wait' && call.toolCallId === toolCallId),
    ),
  ])
  if (waiting !== null) return waiting
  const isDeferred = decided.some(({ decision }) => decision.type === 'defer')
  return isDeferred && !run.signal.aborted ? await makeCalls(run, execute, ports) : null
}

/** Records the decision with the call and, where it is allowed, executes it. Returns the ask that its execution has needed. */
async function carryOut(
  run: RunState,
  { call, decision }: Decided,
  asks: readonly Ask[],
  execute: ExecuteCall,
  ports: Ports,
): Promise<Ask[]> {
  const { clock, subagents } = ports
  const { toolCallId } = call
  if (call.state === 'approval-requested') noteReply(run, call, asks)
  switch (decision.type) {
    case 'refuse':
      for (const chunk of refusal(call, decision)) emit(run, chunk)
      break
    case 'fail':
      emit(run, { type: 'tool-output-error', toolCallId, errorText: decision.message })
      break
    case 'ended':
      for (const chunk of taskChunks(decision.ask, clock.now())) emit(run, chunk)
      break
    case 'start':
      if (decision.background) emit(run, await subagents.startInBackground(run, toolCallId, decision.task))
      break
    case 'execute':
      return await executeCall(run, call, decision, execute, ports)
  }
  return []
}

type Execution = Extract<Decision, { type: 'execute' }>

async function executeCall(
  run: RunState,
  call: OpenCall,
  execution: Execution,
  execute: ExecuteCall,
  ports: Ports,
): Promise<Ask[]> {
  if (execution.by !== null) for (const chunk of verdict(call, true, execution.by)) emit(run, chunk)
  const outcome = await executeWhole(run, call, execution, execute, ports.headless)
  if (outcome.type === 'asks') {
    if (run.signal.aborted) return []
    const { needed } = outcome
    if (needed instanceof FormNeeded) return await openForm(run, call, needed, ports)
    return await carryOn(run, call, needed, execute, ports)
  }
  reportCall(run, call, outcome, ports.hookRunner)
  if (!run.signal.aborted) emit(run, toChunk(call, outcome))
  return []
}

/** Executes a call until it ends or needs a person. Where nobody can be asked, what it asks is declined. */
async function executeWhole(
  run: RunState,
  call: OpenCall,
  { answers, shown, resumed, permitted }: Execution,
  execute: ExecuteCall,
  headless: boolean,
): Promise<CallOutcome | CallAsks> {
  const { toolCallId } = call
  const onProgress = (output: ToolEnvelope) =>
    emit(run, { type: 'tool-output-available', toolCallId, output, preliminary: true })
  let outcome = await execute({ ...call, answers, shown, resumed, permitted }, run.signal, onProgress)
  while (headless && outcome.type === 'asks' && outcome.needed instanceof FormNeeded) {
    const { form } = outcome.needed
    const declined = { form, reply: { answers: [], refused: 'decline' as const } }
    outcome = await execute({ ...call, answers, shown, resumed: declined, permitted }, run.signal, onProgress)
  }
  return outcome
}

/** Asks a person what a call needs in the middle of its execution. */
async function openForm(
  run: RunState,
  call: OpenCall,
  { form, questions }: FormNeeded,
  ports: Ports,
): Promise<Ask[]> {
  const request = { kind: 'answer', questions, form } as const
  return await openAsks(run, [{ call, decision: { type: 'ask', request } }], ports)
}

/** Asks about a call that needs more than what it was allowed for, or carries out what is decided without a person. */
async function carryOn(
  run: RunState,
  call: OpenCall,
  needed: PermissionNeeded,
  execute: ExecuteCall,
  ports: Ports,
): Promise<Ask[]> {
  const { toolCallId, tool, args } = call
  const decision = await decideAgain(run, call, needed, ports)
  if (run.signal.aborted) return []
  const shown = run.recorder.message.parts.findLast(
    (part) => isToolPart(part) && part.toolCallId === toolCallId,
  )
  // What it has shown while it ran is no output.
  if (shown !== undefined && isToolPart(shown) && shown.state === 'output-available')
    emit(run, { type: 'tool-input-available', toolCallId, toolName: tool.id, input: args })
  if (decision.type === 'ask') return await openAsks(run, [{ call, decision }], ports)
  return await carryOut(run, { call, decision }, [], execute, ports)
}

/** The calls of the reply's last step that wait for an output of ours, in order. */
function openCalls({ recorder, catalogue }: RunState): OpenCall[] {
  return openParts(recorder.message.parts).flatMap((part) => {
    const tool = catalogue.all.find(({ id }) => id === toolNameOf(part))
    const { toolCallId, state, input: args } = part
    return tool !== undefined && typeof args === 'object' && args !== null
      ? [{ toolCallId, state, tool, args }]
      : []
  })
}

/** Ends the calls whose tool is gone, as that of a server that was lost while a person decided. */
async function failUnavailable(run: RunState, store: Store): Promise<void> {
  const gone = openParts(run.recorder.message.parts).filter(
    (part) => !run.catalogue.all.some(({ id }) => id === toolNameOf(part)),
  )
  if (gone.length === 0) return
  const asks = await store.asks.ofRun(run.runId)
  const begun = new Set(asks.filter(isForm).map((ask) => ask.toolCallId))
  for (const part of gone) {
    const { toolCallId } = part
    const why = begun.has(toolCallId) ? BEGUN : 'so the call was not made.'
    emit(run, {
      type: 'tool-output-error',
      toolCallId,
      errorText: `${toolNameOf(part)} is not available any more, ${why}`,
    })
  }
}

const BEGUN = 'and the call, which had begun, could not go on. It may have had effects.'

const isForm = ({ request }: Ask) => request.kind === 'answer' && request.form !== undefined

/** The asks of the run without a reply. */
export async function openAsksOf(run: RunState, store: Store): Promise<Ask[]> {
  return (await asksOfStep(run, openCalls(run), store)).filter(({ reply }) => reply === null)
}

/** What was asked about the calls of the reply's last step. */
async function asksOfStep(run: RunState, calls: readonly OpenCall[], store: Store): Promise<Ask[]> {
  if (!calls.some(isAsked)) return []
  return (await store.asks.ofRun(run.runId)).filter(({ step }) => step === stepOf(run))
}

/** Ends a step: calls that got no output are errors for the model. */
export function endStep(run: RunState): void {
  for (const { toolCallId } of openParts(run.recorder.message.parts))
    emit(run, { type: 'tool-output-error', toolCallId, errorText: NOT_MADE })
  emit(run, { type: 'finish-step' })
}

/** Whether there may be an ask about this call. */
function isAsked({ state, tool }: OpenCall): boolean {
  if (state !== 'input-available' || tool.asks === true) return true
  return tool.questions !== undefined || tool.subagent !== undefined
}

/** What an aborted or failed run waits for from subagents, and what it has got from them. */
export async function tasksOf(run: RunState, store: Store): Promise<Ask[]> {
  const calls = openCalls(run).filter(({ tool }) => tool.subagent !== undefined)
  return (await asksOfStep(run, calls, store)).filter(({ request }) => request.kind === 'task')
}

/** Writes the end of a subagent into the call that has started it. */
export function noteTaskEnd(run: RunState, ask: Ask, end: TaskEnd, at: number): void {
  for (const chunk of taskChunks({ ...ask, reply: { type: 'ended', ...end } }, at)) emit(run, chunk)
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
