import { AppError } from '../domain/errors.ts'
import { createId } from '../domain/ids.ts'
import { LIMITS } from '../domain/limits.ts'
import type { ChatPart } from '../domain/message/message.ts'
import type { ModelRef } from '../domain/model/model.ts'
import type { TaskRequest } from '../domain/permission/ask.ts'
import { ancestorsOf, DEFAULT_TITLE, rootOf, type SubagentFacts } from '../domain/session/session.ts'
import { firstWords } from '../domain/session/session-name.ts'
import type { Agent } from './agent.ts'
import { openChildLedger } from './run-ledger.ts'
import type { RunState, StartTurn, TurnPorts } from './run-state.ts'

/**
 * Creates the session of a subagent, and starts its run. The folder is that of the run that starts it, the model too unless its agent has one. Fails as
 * a start of a run does, and with `RATE_LIMITED` while too many subagents of the root work or wait.
 */
export async function startChild(
  run: RunState,
  task: TaskRequest,
  askId: string | null,
  ports: TurnPorts,
  start: StartTurn,
): Promise<void> {
  const { store, events, clock, budgets, subagentLimit, agentOf } = ports
  const { session: parent } = run
  using place = subagentLimit.reserve(rootOf(parent))
  if (place === null) throw new AppError('RATE_LIMITED', `${LIMITS.subagents} subagents work already.`)
  const agent = await agentOf(task.agent, parent)
  const model = await modelOf(agent, run, ports)
  const subagent: SubagentFacts = {
    ancestors: [...ancestorsOf(parent), parent.id],
    callerAgent: run.agent.id,
    askId,
    ...(askId === null && { undelivered: true }),
  }
  const parts: ChatPart[] = [{ type: 'text', text: task.prompt }]
  const session = await store.sessions.create({
    id: task.sessionId,
    title: firstWords(parts) || DEFAULT_TITLE,
    agent: task.agent,
    workspaceRoot: parent.workspaceRoot,
    model,
    parentId: parent.id,
    parentMessageId: run.messageId,
    metadata: { titledBy: 'parent', subagent },
    at: clock.now(),
  })
  events.publish({ type: 'session-created', sessionId: session.id, session })
  const runId = createId('run')
  const metadata = { schemaVersion: 1, createdAt: clock.now(), runId, model, agent: task.agent } as const
  const message = { id: createId('msg'), sessionId: session.id, role: 'user', metadata, parts } as const
  const trigger = { type: 'message', message, change: null } as const
  await openChildLedger({ session, runId, agent }, run, budgets)
  try {
    await start({ session, runId, trigger, model, agent })
  } catch (error) {
    budgets.close(session.id, runId, runId)
    throw error
  }
}

/** The agent's own model, while there is one. */
async function modelOf({ model }: Agent, run: RunState, { models }: TurnPorts): Promise<ModelRef> {
  const own = model === undefined ? null : await models.find(model)
  return own === null || model === undefined ? run.model : model
}
