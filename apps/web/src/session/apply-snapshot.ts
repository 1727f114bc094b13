import { isRunning, type SessionStatus } from '@palimpsest/core/domain'
import { applyEvent, dropSeen } from './apply-event.ts'
import { startLiveRun } from './live-run.ts'
import { joinNewestPage } from './messages.ts'
import type { SessionState, Snapshot } from './session-state.ts'

/**
 * The state after a fetch. A snapshot may be older than the events that came while it was on its way: those are
 * applied once more on top of it, and what they said of the run stands.
 */
export function applySnapshot(state: SessionState, snapshot: Snapshot): SessionState {
  const { status, usage, contextWindow, activeRun: _, canUnrewind: __, ...session } = snapshot.view
  const sinceFetch = state.sinceFetch ?? []
  const known = sinceFetch.some(({ type }) => type === 'status')
  const { messages, joined } = joinNewestPage(state.messages, snapshot.page.items)
  const fresh: SessionState = {
    ...state,
    phase: 'ready',
    session,
    usage,
    contextWindow,
    ...(known ? {} : runOf(state, status, snapshot)),
    messages,
    older: joined ? state.older : { cursor: snapshot.page.nextCursor, state: 'idle' },
    queue: snapshot.queue,
    outgoing: state.outgoing.filter((entry) => entry.state.type !== 'sent'),
    sinceFetch: null,
  }
  return dropSeen(sinceFetch.filter(({ type }) => type !== 'status').reduce(applyEvent, fresh))
}

function runOf(
  { live }: SessionState,
  status: SessionStatus,
  { view }: Snapshot,
): Pick<SessionState, 'status' | 'live'> {
  if (!isRunning(status)) return { status, live: null }
  const same = live?.runId === status.runId
  return { status, live: same ? live : startLiveRun(status.runId, view.activeRun?.messageId ?? '') }
}
