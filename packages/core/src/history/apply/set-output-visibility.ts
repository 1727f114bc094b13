import type { HistoryDetail, HistoryOperation } from '../../domain/history/history-operation.ts'
import type { Outline } from '../../domain/history/outline.ts'
import type { StoredMessage } from '../../domain/message/message.ts'
import type { Session } from '../../domain/session/session.ts'
import type { HistoryChange, RunEpoch } from '../../ports/index.ts'
import { visibleNow } from '../plan/view.ts'
import { measureWindow } from '../read/measure-window.ts'
import { announceUsage } from './announce.ts'
import type { HistoryPorts } from './perform.ts'
import { publishChanged } from './publish-changed.ts'

export type OutputVisibilityChange = {
  operation: Pick<HistoryOperation, 'id' | 'kind' | 'createdAt'> & {
    detail: Pick<HistoryDetail, 'partIds' | 'targetMessageId' | 'toolCallId' | 'leftOut' | 'broughtBack'>
  }
  marks: Pick<HistoryChange, 'prune' | 'unprune' | 'forms'>
  /** Each message as it will be. */
  changing: (message: StoredMessage) => StoredMessage
  messageIds: readonly string[]
  /** The run that does it, if one does. */
  run?: RunEpoch | undefined
}

/** Changes what the model sees of outputs or messages and publishes it; hides no message. Returns the window's change in tokens. */
export async function setOutputVisibility(
  session: Session,
  outline: Outline,
  { operation: { detail: what, ...named }, marks, changing, messageIds, run }: OutputVisibilityChange,
  ports: HistoryPorts,
): Promise<number> {
  const { store, events } = ports
  const { id: sessionId } = session
  const view = visibleNow(outline)
  const [before, after] = await Promise.all([
    measureWindow(session, outline, view, ports),
    measureWindow(session, outline, view, ports, changing),
  ])
  const detail = {
    lastSeq: outline.entries.at(-1)?.seq ?? 0,
    hidden: [],
    shown: [],
    ...what,
    beforeTokens: before.contextTokens,
    afterTokens: after.contextTokens,
  }
  const operation = { ...named, sessionId, detail }
  const changed = await store.history.apply({ operation, insert: null, ...marks, ...after }, run)
  events.publish({ type: 'history', sessionId, operation })
  await publishChanged(sessionId, messageIds, ports)
  await announceUsage(changed, ports)
  return Math.abs(after.contextTokens - before.contextTokens)
}
