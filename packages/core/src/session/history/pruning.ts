import type { HistoryKind } from '../../domain/history-operation.ts'
import { createId } from '../../domain/ids.ts'
import { toRanges } from '../../domain/seq-ranges.ts'
import type { Session } from '../../domain/session.ts'
import { visibleNow } from '../../history/outline.ts'
import { prunableOutputs } from '../../history/pruning/outputs.ts'
import { type PrunableOutput, planPruning } from '../../history/pruning/plan-pruning.ts'
import { announceUsage } from '../announce.ts'
import type { HistoryService } from '../history-service.ts'
import { measureWindow, withMarks } from './measure-window.ts'
import { estimatorIn } from './measured.ts'
import { type HistoryPorts, whileHeld } from './perform.ts'
import { tellChanged } from './tell-changed.ts'

/** Messages whose bodies are held at once. */
const BATCH = 100

export type Pruned = { operationId: string | null; parts: number; tokens: number }

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
        return await markOutputs(session, 'unprune', pruned, ports)
      })
    },
  }
}

/** Prunes what there is to prune; inside a run with its id. */
export async function prune(session: Session, ports: HistoryPorts, runId?: string): Promise<Pruned> {
  return await markOutputs(session, 'prune', planPruning(await outputsOf(session, ports)), ports, runId)
}

/** Every output that is visible; few bodies are held for that at once. */
async function outputsOf(session: Session, { store }: HistoryPorts): Promise<PrunableOutput[]> {
  const { entries } = await store.history.outline(session.id)
  const visible = entries.filter(({ hiddenBy }) => hiddenBy === null)
  const estimator = estimatorIn(session, visible)
  const replies = visible.filter(({ role, compactionId }) => role === 'assistant' && compactionId === null)
  const outputs: PrunableOutput[] = []
  for (let start = 0; start < replies.length; start += BATCH) {
    const some = replies.slice(start, start + BATCH).map(({ seq }) => seq)
    const later = replies.length - start - some.length
    const messages = await store.history.messagesAt(session.id, toRanges(some))
    for (const output of prunableOutputs(messages, estimator))
      outputs.push({ ...output, repliesAfter: output.repliesAfter + later })
  }
  return outputs
}

/** Leaves these outputs out of what the model sees, or takes them in again. */
export async function markOutputs(
  session: Session,
  kind: Extract<HistoryKind, 'prune' | 'unprune'>,
  outputs: readonly PrunableOutput[],
  ports: HistoryPorts,
  runId?: string,
): Promise<Pruned> {
  if (outputs.length === 0) return { operationId: null, parts: 0, tokens: 0 }
  const { store, clock, events } = ports
  const outline = await store.history.outline(session.id)
  const view = visibleNow(outline)
  const at = clock.now()
  const partIds = outputs.map(({ partId }) => partId)
  const changing = withMarks(partIds, kind === 'prune' ? at : null)
  const [before, after] = await Promise.all([
    measureWindow(session, outline, view, store),
    measureWindow(session, outline, view, store, changing),
  ])
  const detail = {
    lastSeq: outline.entries.at(-1)?.seq ?? 0,
    hidden: [],
    shown: [],
    partIds,
    beforeTokens: before.contextTokens,
    afterTokens: after.contextTokens,
  }
  const operation = { id: createId('op'), sessionId: session.id, kind, detail, createdAt: at }
  const parts = kind === 'prune' ? { prune: partIds, unprune: [] } : { prune: [], unprune: partIds }
  const change = { operation, insert: null, ...parts, ...after }
  const changed = await store.history.apply(change, runId)
  events.publish({ type: 'history', sessionId: session.id, operation })
  await tellChanged(
    session.id,
    outputs.map(({ messageId }) => messageId),
    ports,
  )
  await announceUsage(changed, ports)
  const tokens = Math.abs(before.contextTokens - after.contextTokens)
  return { operationId: operation.id, parts: partIds.length, tokens }
}
