import type { HistoryKind } from '../../domain/history-operation.ts'
import { createId } from '../../domain/ids.ts'
import type { Session } from '../../domain/session.ts'
import { prunableOutputs } from '../../history/pruning/outputs.ts'
import { type PrunableOutput, planPruning } from '../../history/pruning/plan-pruning.ts'
import { announceUsage } from '../announce.ts'
import type { HistoryService } from '../history-service.ts'
import { type HistoryPorts, whileHeld } from './perform.ts'

type Pruned = { operationId: string | null; parts: number; tokens: number }

/** Leaving old tool outputs out of what the model sees, by hand, and taking that back. */
export function createPruning(
  ports: HistoryPorts,
  requireSession: (id: string) => Promise<Session>,
): Pick<HistoryService, 'prune' | 'unprune'> {
  return {
    async prune(sessionId) {
      const session = await requireSession(sessionId)
      return await whileHeld(ports, sessionId, () => prune(session, ports))
    },

    async unprune(sessionId) {
      const session = await requireSession(sessionId)
      return await whileHeld(ports, sessionId, async () => {
        const outputs = await outputsOf(session, ports)
        const pruned = outputs.filter((output) => output.pruned)
        return await change(
          session,
          'unprune',
          pruned.map(({ partId }) => partId),
          tokensOf(pruned),
          ports,
        )
      })
    },
  }
}

/** Prunes what there is to prune; inside a run with its id. */
export async function prune(session: Session, ports: HistoryPorts, runId?: string): Promise<Pruned> {
  const { partIds, tokens } = planPruning(await outputsOf(session, ports))
  return await change(session, 'prune', partIds, tokens, ports, runId)
}

async function outputsOf({ id }: Session, { store }: HistoryPorts): Promise<PrunableOutput[]> {
  return prunableOutputs(await store.messages.visible(id))
}

async function change(
  session: Session,
  kind: Extract<HistoryKind, 'prune' | 'unprune'>,
  partIds: string[],
  tokens: number,
  ports: HistoryPorts,
  runId?: string,
): Promise<Pruned> {
  if (partIds.length === 0) return { operationId: null, parts: 0, tokens: 0 }
  const { store, clock, events } = ports
  const { entries } = await store.history.outline(session.id)
  const beforeTokens = session.contextTokens
  const contextTokens = Math.max(0, kind === 'prune' ? beforeTokens - tokens : beforeTokens + tokens)
  const detail = {
    lastSeq: entries.at(-1)?.seq ?? 0,
    hidden: [],
    shown: [],
    partIds,
    beforeTokens,
    afterTokens: contextTokens,
  }
  const operation = { id: createId('op'), sessionId: session.id, kind, detail, createdAt: clock.now() }
  const parts = kind === 'prune' ? { prune: partIds, unprune: [] } : { prune: [], unprune: partIds }
  const changed = await store.history.apply(
    { operation, insert: null, ...parts, contextTokens, contextEstimated: true },
    runId,
  )
  events.publish({ type: 'history', sessionId: session.id, operation })
  await announceUsage(changed, ports)
  return { operationId: operation.id, parts: partIds.length, tokens }
}

function tokensOf(outputs: readonly PrunableOutput[]): number {
  return outputs.reduce((sum, { tokens }) => sum + tokens, 0)
}
