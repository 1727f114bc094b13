import type { Outline } from '../../domain/history/outline.ts'
import { LIMITS } from '../../domain/limits.ts'
import { type StoredMessage, toChatMessage } from '../../domain/message/message.ts'
import type { Session } from '../../domain/session/session.ts'
import { decodeNumberCursor } from '../../domain/values/page-cursor.ts'
import { toRanges } from '../../domain/values/seq-ranges.ts'
import { type ContextWindow, contextWindow } from '../../domain/window/context-window.ts'
import type { Clock } from '../../ports/index.ts'
import { checkLimit } from '../check-input.ts'
import type { HistoryService } from '../history-service.ts'
import { leftOutSince } from '../plan/left-out-at.ts'
import { withLeftOut } from '../plan/marks.ts'
import { momentOf } from '../plan/moment.ts'
import { outputsThen, withOutputs } from '../plan/outputs-then.ts'
import { type View, viewAtMoment } from '../plan/view.ts'
import { measureWindow } from './measure-window.ts'
import { pointLabel } from './point-label.ts'
import { type OutlinePoint, restorePointsOf } from './restore-points.ts'
import type { WindowPorts } from './session-window.ts'

/** Points of a list whose window is measured because no count of it is stored; those before them are shown without. */
const MEASURED = 50

/** Reads the restore points of a session and the messages of each; changes nothing. */
export function createPoints(
  ports: WindowPorts & { clock: Pick<Clock, 'now'> },
  requireSession: (id: string) => Promise<Session>,
): Pick<HistoryService, 'restorePoints' | 'preview'> {
  const { store, models, clock } = ports

  /** The session at a point: what was visible, each message as the model saw it, and the window. */
  function stateAt(session: Session, outline: Outline, pointId: string) {
    const moment = momentOf(outline, pointId)
    const view = viewAtMoment(outline, moment)
    const outputs = outputsThen(outline, moment)
    const { leftOut = [], broughtBack = [] } = leftOutSince(outline, moment.operations)
    const changes = [outputs.prune, outputs.unprune, outputs.forms, leftOut, broughtBack]
    const [seen, left, back] = [
      withOutputs(outputs, clock.now()),
      withLeftOut(leftOut, true),
      withLeftOut(broughtBack, false),
    ]
    const asThen = changes.some(({ length }) => length > 0)
      ? (message: StoredMessage) => left(back(seen(message)))
      : undefined
    return { view, asThen, measure: () => measureWindow(session, outline, view, ports, asThen) }
  }

  async function windowAt(session: Session, { measure }: ReturnType<typeof stateAt>): Promise<ContextWindow> {
    const { contextTokens, contextEstimated } = await measure()
    const limits = (await models.find(session.model)) ?? { contextLimit: null, maxOutput: null }
    const reserve = ports.compactionOf(session).reserve_tokens
    return contextWindow(contextTokens, contextEstimated, limits, reserve)
  }

  async function tokensOf(session: Session, outline: Outline, { pointId }: OutlinePoint): Promise<number> {
    return (await stateAt(session, outline, pointId).measure()).contextTokens
  }

  return {
    async restorePoints({ sessionId, limit = LIMITS.restorePoints, before }) {
      const session = await requireSession(sessionId)
      const outline = await store.history.outline(sessionId)
      const points = restorePointsOf(outline)
      if (before !== undefined) momentOf(outline, before)
      const start = before === undefined ? 0 : points.findIndex(({ pointId }) => pointId === before) + 1
      const now = clock.now()
      let measured = 0
      return await Promise.all(
        points.slice(start, start + limit).map(async (point) => {
          const { pointId, reason, at } = point
          const known = point.tokens !== null || measured++ >= MEASURED
          const tokens = known ? point.tokens : await tokensOf(session, outline, point)
          return { ...point, pointId, label: pointLabel(reason, at, now), tokens }
        }),
      )
    },

    async preview({ sessionId, pointId, limit, cursor }) {
      const session = await requireSession(sessionId)
      const size = checkLimit(limit)
      const before = cursor === undefined ? Number.POSITIVE_INFINITY : decodeNumberCursor(cursor)
      const outline = await store.history.outline(sessionId)
      const state = stateAt(session, outline, pointId)
      const { said, summaries } = divided(outline, state.view)
      const places = toRanges(said.filter((seq) => seq < before).slice(-size))
      const { items } = await store.messages.page({ sessionId, limit: size, hidden: true, places })
      const first = items[0]?.seq ?? null
      const isLast = first === null || first === said[0]
      // A summary comes before what the model sees of the rest, wherever its own place is.
      const head = isLast ? await store.history.messagesAt(sessionId, toRanges(summaries)) : []
      return {
        items: [...head, ...items].map(({ hiddenAt: _at, hiddenBy: _by, ...message }) => {
          const visible = { ...message, hiddenAt: null, hiddenBy: null }
          return toChatMessage(state.asThen?.(visible) ?? visible)
        }),
        nextCursor: isLast ? null : String(first),
        messages: said.length,
        contextWindow: cursor === undefined ? await windowAt(session, state) : null,
      }
    },
  }
}

/** The places of a view, ascending: of what was said, and of summaries. */
function divided({ entries }: Outline, view: View): { said: number[]; summaries: number[] } {
  const [said, summaries]: [number[], number[]] = [[], []]
  for (const { seq, compactionId } of entries)
    if (view.has(seq)) (compactionId === null ? said : summaries).push(seq)
  return { said, summaries }
}
