import { createId } from '../../domain/ids.ts'
import type { StoredMessage } from '../../domain/message/message.ts'
import type { ModelRef } from '../../domain/model/model.ts'
import type { Session } from '../../domain/session/session.ts'
import type { RunEpoch } from '../../ports/index.ts'
import type { HistoryPorts } from './perform.ts'

type Switch = {
  session: Session
  run: RunEpoch
  from: ModelRef
  to: ModelRef
  visible: readonly StoredMessage[]
}

/** Adds a `switch` operation to the timeline when a conversation continues with another model. */
export async function noteSwitch(
  { session, run, from, to, visible }: Switch,
  { store, events, clock }: HistoryPorts,
): Promise<void> {
  const under = visible.some(({ role }) => role === 'assistant')
  if (!under || isSameModel(from, to)) return
  const { entries } = await store.history.outline(session.id)
  const lastSeq = entries.at(-1)?.seq ?? 0
  const operation = {
    id: createId('op'),
    sessionId: session.id,
    kind: 'switch' as const,
    detail: { lastSeq, hidden: [], shown: [], fromModel: from, toModel: to },
    createdAt: clock.now(),
  }
  const contextEstimated = session.metadata.contextEstimated === true
  const { contextTokens } = session
  const change = { operation, insert: null, prune: [], unprune: [], contextTokens, contextEstimated }
  await store.history.apply(change, run)
  events.publish({ type: 'history', sessionId: session.id, operation })
}

/** Variants are no other model. */
export function isSameModel(a: ModelRef, b: ModelRef): boolean {
  return a.providerId === b.providerId && a.modelId === b.modelId
}
