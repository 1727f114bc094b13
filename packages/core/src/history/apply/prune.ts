import type { HistoryKind } from '../../domain/history/history-operation.ts'
import { createId } from '../../domain/ids.ts'
import type { Session } from '../../domain/session/session.ts'
import { toRanges } from '../../domain/values/seq-ranges.ts'
import type { RunEpoch } from '../../ports/index.ts'
import type { HistoryService } from '../history-service.ts'
import { withMarks } from '../plan/marks.ts'
import { estimatorIn } from '../plan/measured.ts'
import { type PrunableOutput, planPruning } from '../plan/plan-pruning.ts'
import { prunableOutputs } from '../plan/prunable-outputs.ts'
import { sessionWindow } from '../read/session-window.ts'
import { type HistoryPorts, withExclusiveClaim } from './perform.ts'
import { setOutputVisibility } from './set-output-visibility.ts'

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
      return await withExclusiveClaim(ports, sessionId, async () => {
        const { usable } = await sessionWindow(session, ports)
        return await prune(session, usable, ports)
      })
    },

    async unprune(sessionId) {
      const session = await requireSession(sessionId)
      return await withExclusiveClaim(ports, sessionId, async () => {
        const outputs = await outputsOf(session, ports)
        const pruned = outputs.filter((output) => output.pruned)
        return await markOutputs(session, 'unprune', pruned, ports)
      })
    },
  }
}

/** Prunes what there is to prune in a window of `usable` tokens; inside a run with its claim. */
export async function prune(
  session: Session,
  usable: number | null,
  ports: HistoryPorts,
  run?: RunEpoch,
): Promise<Pruned> {
  const outputs = planPruning(await outputsOf(session, ports), usable)
  return await markOutputs(session, 'prune', outputs, ports, run)
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
  run?: RunEpoch,
): Promise<Pruned> {
  if (outputs.length === 0) return { operationId: null, parts: 0, tokens: 0 }
  const outline = await ports.store.history.outline(session.id)
  const id = createId('op')
  const createdAt = ports.clock.now()
  const partIds = outputs.map(({ partId }) => partId)
  const change = {
    operation: { id, kind, createdAt, detail: { partIds } },
    marks: kind === 'prune' ? { prune: partIds, unprune: [] } : { prune: [], unprune: partIds },
    changing: withMarks(partIds, kind === 'prune' ? createdAt : null),
    messageIds: outputs.map(({ messageId }) => messageId),
    run,
  }
  const tokens = await setOutputVisibility(session, outline, change, ports)
  return { operationId: id, parts: partIds.length, tokens }
}
