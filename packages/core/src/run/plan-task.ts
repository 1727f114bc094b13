import { createId } from '../domain/ids.ts'
import { LIMITS } from '../domain/limits.ts'
import type { TaskRequest } from '../domain/permission/ask.ts'
import { ancestorsOf } from '../domain/session/session.ts'
import type { SubagentCall } from '../tool/tool.ts'
import type { RunState, TurnPorts } from './run-state.ts'

/** The subagent that a call of a run starts, or why there can be none: a text for the model. */
export type PlanTask = (run: Pick<RunState, 'session'>, wanted: SubagentCall) => Promise<TaskRequest | string>

export function createPlanTask({ subagentsIn, models }: Pick<TurnPorts, 'subagentsIn' | 'models'>): PlanTask {
  return async ({ session }, { agent: id, prompt }) => {
    if (ancestorsOf(session).length >= LIMITS.subagentDepth)
      return `Subagents may be nested at most ${LIMITS.subagentDepth} deep. Do this yourself.`
    const known = await subagentsIn(session)
    const agent = known.find((one) => one.id === id)
    if (agent === undefined) {
      const ids = known.map((one) => one.id).join(', ')
      return `There is no subagent "${id}". There are: ${ids}.`
    }
    const { model } = agent
    if (model !== undefined && (await models.find(model)) === null)
      return `The subagent "${id}" names the model ${model.providerId}/${model.modelId}, which is not available. Use another subagent, or do this yourself.`
    return { sessionId: createId('ses'), agent: id, prompt }
  }
}
