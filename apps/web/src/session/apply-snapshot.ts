import { isRunning, type SessionStatus } from '@palimpsest/core/domain'
import { applyEvent, dropSeen } from './apply-event.ts'
import { endLiveRun, liveMessage, messageCharacters, resumeLiveRun, startLiveRun } from './live-run.ts'
import { joinNewestPage, placeMessage } from './messages.ts'
import type { SessionState, Snapshot } from './session-state.ts'

/**
 * The state after a fetch. A snapshot may be older than the events that came while it was on its way: those are
 * applied once more on top of it, and the run's state is theirs.
 */
export function applySnapshot(state: SessionState, snapshot: Snapshot): SessionState {
  const { status, usage, contextWindow, activeRun, keepsFiles, canUnrewind: _, ...session } = snapshot.view
  const sinceFetch = state.sinceFetch ?? []
  const known = sinceFetch.some(({ type }) => type === 'status')
  // What was done to the history while nobody listened may have changed what is loaded further up.
  const timeline = latestTimeline(state, snapshot)
  const sameHistory = state.timeline[0]?.id === timeline[0]?.id
  const loaded = sameHistory ? state.messages : []
  const { messages, joined } = joinNewestPage(loaded, snapshot.page.items)
  const written = messages.find(({ id }) => id === activeRun?.messageId)
  const fresh: SessionState = {
    ...state,
    phase: 'ready',
    session,
    keepsFiles,
    usage,
    contextWindow,
    countedCharacters: written === undefined ? 0 : messageCharacters(written),
    ...(known ? {} : runOf(state, status, snapshot)),
    messages,
    timeline,
    older: joined ? state.older : { cursor: snapshot.page.nextCursor, state: 'idle' },
    queue: snapshot.queue,
    asks: snapshot.asks,
    outgoing: state.outgoing.filter((entry) => entry.state.type !== 'sent'),
    sinceFetch: null,
  }
  const caughtUp = sinceFetch.filter(({ type }) => type !== 'status').reduce(applyEvent, fresh)
  return dropSeen({ ...caughtUp, messages: placeLive(caughtUp) })
}

/** A timeline that was fetched after a recent operation is kept when the snapshot does not hold that operation yet. */
function latestTimeline(
  { sinceFetch, timeline }: SessionState,
  snapshot: Snapshot,
): SessionState['timeline'] {
  const done = sinceFetch?.findLast((event) => event.type === 'history')?.operation.id
  const includesIt = (entries: SessionState['timeline']) => entries.some(({ id }) => id === done)
  return includesIt(timeline) && !includesIt(snapshot.timeline) ? timeline : snapshot.timeline
}

/** The message that streams keeps a place even in a list that was read before it began. */
function placeLive({ messages, live }: SessionState): SessionState['messages'] {
  const message = liveMessage(live)
  if (live === null || message === null || messages.some(({ id }) => id === message.id)) return messages
  return placeMessage(messages, message, live.runId)
}

function runOf(
  { live }: SessionState,
  status: SessionStatus,
  { view }: Snapshot,
): Pick<SessionState, 'status' | 'live'> {
  if (!isRunning(status)) return { status, live: endLiveRun(live) }
  if (live?.runId === status.runId) return { status, live: resumeLiveRun(live) }
  return { status, live: startLiveRun(status.runId, view.activeRun?.messageId ?? '') }
}
