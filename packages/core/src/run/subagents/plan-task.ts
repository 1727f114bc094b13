import type { TaskRequest } from '../../domain/ask.ts'
import { createId } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { SubagentCall } from '../../tool/tool.ts'
import type { Agent } from '../agent.ts'
import type { RunState } from '../run-state.ts'

/** The subagent that a call of a run starts, or why there can be none: a text for the model. */
export type PlanTask = (run: Pick<RunState, 'session'>, wanted: SubagentCall) => TaskRequest | string

export function createPlanTask(agents: ReadonlyMap<string, Agent>): PlanTask {
  return ({ session }, { agent: id, prompt }) => {
    const depth = session.metadata.subagent?.ancestors.length ?? 0
    if (depth >= LIMITS.subagentDepth)
      return `Subagents may be nested at most ${LIMITS.subagentDepth} deep. Do this yourself.`
    const agent = agents.get(id)
    if (agent === undefined || agent.mode === 'primary') {
      const known = [...agents.values()].filter(({ mode }) => mode !== 'primary').map((one) => one.id)
      return `There is no subagent "${id}". There are: ${known.join(', ')}.`
    }
    return { sessionId: createId('ses'), agent: id, prompt }
  }
}
