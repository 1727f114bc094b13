import type { ChatChunk, SessionEvent } from '@palimpsest/core/domain'
import { applyEvent } from './apply-event.ts'
import { applySnapshot } from './apply-snapshot.ts'
import { NO_COMPACTION } from './compaction.ts'
import { growLiveRun, liveMessage } from './live-run.ts'
import { placeMessage, prependPage } from './messages.ts'
import { withOutgoingState } from './outgoing.ts'
import type { SessionAction, SessionState } from './session-state.ts'

/** The next state of a session's page. Pure and total: an action that means nothing in this state changes nothing. */
export function reduceSession(state: SessionState, action: SessionAction): SessionState {
  switch (action.type) {
    case 'fetch-started':
      return { ...state, sinceFetch: [] }
    case 'fetched':
      return applySnapshot(state, action.snapshot)
    case 'fetch-failed':
      return failFetch(state, action)
    case 'event': {
      const sinceFetch = state.sinceFetch === null ? null : [...state.sinceFetch, action.event]
      const sinceOlder = changesMessages(action.event)
        ? [...state.sinceOlder, action.event]
        : state.sinceOlder
      const noted = state.older.state === 'loading' ? { sinceFetch, sinceOlder } : { sinceFetch }
      return applyEvent({ ...state, ...noted }, action.event)
    }
    case 'chunks':
      return applyChunks(state, action.runId, action.chunks)
    case 'timeline-fetched':
      return { ...state, timeline: action.timeline }
    case 'compaction-dismissed':
      return { ...state, compaction: NO_COMPACTION }
    case 'older-started':
      return { ...state, older: { ...state.older, state: 'loading' }, sinceOlder: [] }
    case 'older-fetched':
      // A fetch since then may have begun anew further down: the page no longer joins what is loaded.
      if (action.cursor !== state.older.cursor) return state
      return state.sinceOlder.reduce(applyEvent, {
        ...state,
        messages: prependPage(state.messages, action.page.items),
        older: { cursor: action.page.nextCursor, state: 'idle' },
        sinceOlder: [],
      })
    case 'older-failed':
      if (action.cursor !== state.older.cursor) return state
      return { ...state, older: { ...state.older, state: 'failed' } }
    default:
      return { ...state, outgoing: reduceOutgoing(state, action) }
  }
}

function changesMessages({ type }: SessionEvent): boolean {
  return type === 'message-hidden' || type === 'message-shown' || type === 'message-changed'
}

type OutgoingAction = Extract<SessionAction, { type: `outgoing-${string}` }>

function reduceOutgoing(state: SessionState, action: OutgoingAction): SessionState['outgoing'] {
  const { outgoing } = state
  switch (action.type) {
    case 'outgoing-added': {
      // Sent again, a message keeps its place among those that were written before and after it.
      const index = outgoing.findIndex(({ message }) => message.id === action.outgoing.message.id)
      return index === -1 ? [...outgoing, action.outgoing] : outgoing.with(index, action.outgoing)
    }
    case 'outgoing-sent':
      return withOutgoingState(outgoing, action.messageId, { type: 'sent' })
    case 'outgoing-failed':
      return withOutgoingState(outgoing, action.messageId, action.state)
    case 'outgoing-dropped':
      return outgoing.filter(({ message }) => message.id !== action.messageId)
  }
}

/** A failure while messages are shown keeps them; the connection's banner reports it. */
function failFetch(
  state: SessionState,
  { missing, message }: { missing: boolean; message: string },
): SessionState {
  if (missing) return { ...state, phase: 'missing', sinceFetch: null }
  return {
    ...state,
    phase: state.phase === 'ready' ? 'ready' : { failed: message },
    sinceFetch: null,
  }
}

/** The live message takes its place in the list with its first chunk, so that what is added later comes after it. */
function applyChunks(state: SessionState, runId: string, chunks: readonly ChatChunk[]): SessionState {
  if (state.live?.runId !== runId) return state
  const live = growLiveRun(state.live, chunks)
  if (live === state.live) return state
  const message = liveMessage(live)
  const placed = message === null || state.messages.some(({ id }) => id === message.id)
  return { ...state, live, messages: placed ? state.messages : placeMessage(state.messages, message, runId) }
}
