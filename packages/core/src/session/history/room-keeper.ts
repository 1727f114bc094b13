import { estimateTextTokens } from '../../context/estimate-tokens.ts'
import { outputText, toModelView } from '../../context/model-view.ts'
import { contextWindow, RESERVE_TOKENS } from '../../domain/context-window.ts'
import { createId } from '../../domain/ids.ts'
import { type ChatMessage, isToolPart } from '../../domain/message.ts'
import type { ModelInfo } from '../../domain/model.ts'
import type { Session } from '../../domain/session.ts'
import type { CompactionConfig } from '../../history/compaction/compaction-config.ts'
import type { Room, RoomKeeper } from '../../run/run-types.ts'
import { sessionWindow } from '../session-window.ts'
import { compact } from './compact.ts'
import type { HistoryPorts } from './perform.ts'
import { prune } from './pruning.ts'

/** Share of the usable window from which tool outputs are pruned. */
const PRUNE_AT = 0.6

export type KeptRun = {
  session: Session
  runId: string
  messageId: string
  info: ModelInfo
  signal: AbortSignal
}

/** Keeps a run's window from overflowing: prunes and compacts between its steps. */
export function createRoomKeeper(run: KeptRun, config: CompactionConfig, ports: HistoryPorts): RoomKeeper {
  const { runId, messageId, info, signal } = run
  const { store } = ports
  /** A second compaction without a step between the two would go on for ever. */
  let compactedSinceStep = false

  async function compactTo(usable: number, used: number, session: Session): Promise<Room> {
    if (compactedSinceStep) return failedRoom('Even summarised, the conversation does not fit.')
    compactedSinceStep = true
    const request = { session, operationId: createId('op'), used, usable, auto: true, runId, config, signal }
    const outcome = await compact(request, ports)
    switch (outcome.type) {
      case 'compacted':
        return { type: 'changed', history: await historyNow() }
      case 'failed':
        return failedRoom(outcome.message)
      case 'refused':
      case 'given-up':
        return { type: 'unchanged' }
    }
  }

  async function historyNow(): Promise<ChatMessage[]> {
    const visible = await store.messages.visible(run.session.id)
    return toModelView(visible.filter(({ id }) => id !== messageId))
  }

  function usableOf(used: number): number | null {
    const reserved =
      config.reserve_tokens === RESERVE_TOKENS ? info : { ...info, maxOutput: config.reserve_tokens }
    return contextWindow(used, false, reserved).usable
  }

  return {
    async beforeStep(step, message) {
      const session = (await store.sessions.get(run.session.id)) ?? run.session
      const window = await sessionWindow(session, ports)
      const used = window.used + (step === 1 ? 0 : newOutputs(message, session.model.providerId))
      const usable = usableOf(used)
      if (usable === null) return { type: 'unchanged' }
      const pruned = step === 1 && used >= PRUNE_AT * usable ? await prune(session, ports, runId) : null
      const left = used - (pruned?.tokens ?? 0)
      if (left >= usable) return await compactTo(usable, left, session)
      return pruned === null || pruned.parts === 0
        ? { type: 'unchanged' }
        : { type: 'changed', history: await historyNow() }
    },

    async afterOverflow() {
      const session = (await store.sessions.get(run.session.id)) ?? run.session
      const { used } = await sessionWindow(session, ports)
      return await compactTo(usableOf(used) ?? used, used, session)
    },

    stepDone() {
      compactedSinceStep = false
    },
  }
}

function failedRoom(reason: string): Room {
  const message = `${reason} Start a new session, branch from an earlier message, or free space by pruning tool outputs.`
  return { type: 'failed', error: { code: 'COMPACTION_FAILED', message } }
}

/** Tokens of the outputs that the last step's calls have brought since it was counted. */
function newOutputs(message: ChatMessage, providerId: string): number {
  const start = message.parts.findLastIndex(({ type }) => type === 'step-start')
  return message.parts
    .slice(start + 1)
    .filter((part) => isToolPart(part))
    .reduce((sum, part) => sum + estimateTextTokens(outputText(part.output ?? part.errorText), providerId), 0)
}
