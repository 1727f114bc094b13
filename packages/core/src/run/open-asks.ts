import type { CallPart } from '../context/hosted-calls.ts'
import { createId } from '../domain/ids.ts'
import type { ChatChunk } from '../domain/message/message.ts'
import type { TaskFacts } from '../domain/message/task-end.ts'
import type { Ask, AskRequest } from '../domain/permission/ask.ts'
import { rootOf } from '../domain/session/session.ts'
import { askedEvents } from '../history/apply/announce.ts'
import type { Clock, SessionEvents, Store } from '../ports/index.ts'
import type { ValidCall } from '../tool/execute-call.ts'
import type { Decision } from './decide-calls.ts'
import type { RunState } from './run-state.ts'

type Ports = { store: Store; events: SessionEvents; clock: Clock }

/** A call that waits for an output of ours. */
export type OpenCall = ValidCall & { state: CallPart['state'] }

/** A call with the decision about it. */
export type Decided = { call: OpenCall; decision: Decision }

/** The step that the run is in, from 1. */
export function stepOf({ recorder }: RunState): number {
  return recorder.message.parts.filter(({ type }) => type === 'step-start').length
}

/** Stores new asks with the chunks that show them, then publishes both. Returns them. */
export async function openAsks(
  run: RunState,
  decided: readonly Decided[],
  { store, events, clock }: Ports,
): Promise<Ask[]> {
  const asked = decided.flatMap(({ call, decision }): { call: OpenCall; ask: Ask }[] => {
    const request = requestOf(run, decision)
    return request === null ? [] : [{ call, ask: toAsk(run, call, request, clock.now()) }]
  })
  if (asked.length === 0) return []
  const asks = asked.map(({ ask }) => ask)
  const chunks = asked.flatMap(({ call, ask }) => askChunks(call, ask))
  await run.recorder.commit(chunks, (write) => store.runs.ask(write, asks))
  for (const event of asks.flatMap(askedEvents)) events.publish(event)
  return asks
}

/** What a decision makes the run wait for; null for nothing. */
function requestOf({ session, agent }: RunState, decision: Decision): AskRequest | null {
  if (decision.type === 'start' && !decision.background) return { kind: 'task', task: decision.task }
  if (decision.type !== 'ask') return null
  return {
    ...decision.request,
    ...(session.metadata.subagent !== undefined && { subagent: agent.id }),
  }
}

/** The chunks that show in the reply that a call waits. */
function askChunks({ tool, args }: OpenCall, { id, toolCallId, request }: Ask): ChatChunk[] {
  switch (request.kind) {
    case 'approval': {
      const { reason, patterns } = request
      const approvalDescriptor = { patterns }
      return [{ type: 'tool-approval-request', approvalId: id, toolCallId, reason, approvalDescriptor }]
    }
    case 'answer':
      return []
    case 'task': {
      const { sessionId, agent } = request.task
      const toolMetadata: TaskFacts = { session_id: sessionId, agent }
      return [{ type: 'tool-input-available', toolCallId, toolName: tool.id, input: args, toolMetadata }]
    }
  }
}

const ID_PREFIXES = { approval: 'per', answer: 'qst', task: 'tsk' } as const

function toAsk(run: RunState, { toolCallId }: ValidCall, request: AskRequest, createdAt: number): Ask {
  const { session, sessionId, runId, messageId } = run
  const id = createId(ID_PREFIXES[request.kind])
  const rootSessionId = rootOf(session)
  const step = stepOf(run)
  return {
    id,
    sessionId,
    rootSessionId,
    runId,
    messageId,
    toolCallId,
    step,
    request,
    reply: null,
    createdAt,
  }
}
