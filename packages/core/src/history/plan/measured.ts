import { estimateTokens } from '../../context/estimate-tokens.ts'
import { modelViews } from '../../context/model-view.ts'
import type { OutlineEntry } from '../../domain/history/outline.ts'
import type { ChatMessage, StoredMessage } from '../../domain/message/message.ts'
import type { Session } from '../../domain/session/session.ts'
import type { Measured } from './plan-compaction.ts'
import type { Estimator } from './prunable-outputs.ts'

/** How the tokens of a session are estimated, as its last counted step has it. */
export function estimatorOf({ model }: Session, visible: readonly StoredMessage[]): Estimator {
  const counted = visible.findLast(({ metadata }) => metadata.window !== undefined)
  return { providerId: model.providerId, scale: counted?.metadata.window?.scale ?? 1 }
}

/** The same, from the outline, without the messages' bodies. */
export function estimatorIn({ model }: Session, visible: readonly OutlineEntry[]): Estimator {
  const counted = visible.findLast(({ window }) => window !== null)
  return { providerId: model.providerId, scale: counted?.window?.scale ?? 1 }
}

/** A message with the size of what the model sees of it. */
export function measured(message: StoredMessage, { providerId, scale }: Estimator): Measured {
  const { id, seq, role, metadata } = message
  const tokens = estimateTokens(modelViews([message]), providerId, scale)
  return { id, seq: seq ?? 0, role, tokens, compactionId: metadata.compactionId ?? null }
}

/** A user message that is about to be sent. */
export function measuredNext(message: ChatMessage, { providerId, scale }: Estimator): Measured {
  const tokens = estimateTokens([message], providerId, scale)
  return { id: message.id, seq: Number.POSITIVE_INFINITY, role: 'user', tokens, compactionId: null }
}
