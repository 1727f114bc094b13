import type { Budgets } from '../../budget/budgets.ts'
import type { Session } from '../../domain/session/session.ts'
import type { ContextWindow } from '../../domain/window/context-window.ts'
import type { CorePorts } from '../core-ports.ts'
import { chooseSummarised, type SummaryDraft } from '../read/choose-summarised.ts'
import type { WindowPorts } from '../read/session-window.ts'
import { writeSummary } from './write-summary.ts'

/** Share of the usable window from which a summary is written beforehand. */
const DRAFT_AT = 0.8
/** Tokens of a usable window below which none is: a turn fills it, and the request would be for nothing. */
const LEAST_USABLE = 4_000
/** Drafts that are kept; the oldest goes first. */
const MOST_DRAFTS = 200

/** Summaries that are written in the background, before a compaction needs them. */
export type SummaryDrafts = {
  /** Writes one when the session's window is nearly full and there is none yet. */
  prepare(session: Session, window: ContextWindow, signal: AbortSignal): Promise<void>
  /** The session's draft, which is gone from then on; one that is being written is waited for. */
  take(sessionId: string): Promise<SummaryDraft | null>
}

export function createSummaryDrafts(ports: CorePorts & WindowPorts & { budgets: Budgets }): SummaryDrafts {
  const drafts = new Map<string, SummaryDraft>()
  const writing = new Map<string, Promise<void>>()
  const { store, logger } = ports

  async function write(session: Session, usable: number, signal: AbortSignal): Promise<void> {
    const config = ports.compactionOf(session)
    const draft = drafts.get(session.id) ?? null
    const chosen = await chooseSummarised({ session, usable, config, draft, besideDraft: 1 }, store)
    if (chosen.type === 'refused' || chosen.written !== null) return
    const result = await writeSummary(
      { session, ...chosen, usable, config, signal, requests: { left: 1 } },
      ports,
    )
    if (result.type !== 'summary') return
    keep(session.id, { ids: chosen.summarised.map(({ id }) => id), summary: result.summary })
    logger.info({ sessionId: session.id, tokens: result.summary.tokens }, 'Wrote a summary beforehand')
  }

  function keep(sessionId: string, draft: SummaryDraft) {
    drafts.set(sessionId, draft)
    const [oldest] = drafts.keys()
    if (drafts.size > MOST_DRAFTS && oldest !== undefined) drafts.delete(oldest)
  }

  return {
    async prepare(session, { used, usable }, signal) {
      if (usable === null || usable < LEAST_USABLE || used < DRAFT_AT * usable) return
      if (!ports.compactionOf(session).precompute || writing.has(session.id)) return
      if ((await ports.budgets.reached(session)) !== null || writing.has(session.id)) return
      const work = write(session, usable, signal).finally(() => writing.delete(session.id))
      writing.set(session.id, work)
      await work
    },

    async take(sessionId) {
      // A draft that fails is only one that is not there.
      await writing.get(sessionId)?.catch(() => undefined)
      const draft = drafts.get(sessionId) ?? null
      drafts.delete(sessionId)
      return draft
    },
  }
}
