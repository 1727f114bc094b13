import type { SessionEvent, SessionStatus } from '@palimpsest/core/domain'
import { isRunning } from '@palimpsest/core/domain'
import { nextAsks } from './asks.ts'
import { nextCompaction, whenIdle } from './compaction.ts'
import { endLiveRun, liveCharacters, liveMessage, resumeLiveRun, startLiveRun } from './live-run.ts'
import { placeMessage, replaceMessage, withoutMessages } from './messages.ts'
import { withoutSeen } from './outgoing.ts'
import type { SessionState } from './session-state.ts'
import { hideMessages, showMessages } from './visibility.ts'

/** What an event says becomes so. Applying it again changes nothing, which is what lets a fetch be caught up with. */
export function applyEvent(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'status':
      return withStatus(state, event.status)
    case 'message-added':
      return dropSeen({ ...state, messages: placeMessage(state.messages, event.message) })
    case 'message-settled':
      return {
        ...state,
        messages: placeMessage(state.messages, event.message),
        live:
          state.live?.reduction.message.id === event.message.id
            ? { ...state.live, phase: 'settled' }
            : state.live,
      }
    case 'message-changed':
      return { ...state, messages: replaceMessage(state.messages, event.message) }
    case 'message-hidden':
      return { ...state, messages: hideMessages(state.messages, event) }
    case 'message-shown':
      return { ...state, messages: showMessages(state.messages, event.messageIds) }
    case 'history':
      return { ...state, historyMark: event.operation.id }
    case 'branch':
      return { ...state, historyMark: event.branch.id }
    case 'compaction-started':
    case 'compaction-completed':
    case 'compaction-failed':
      return { ...state, compaction: nextCompaction(event) }
    case 'usage':
      return {
        ...state,
        usage: event.usage,
        contextWindow: event.contextWindow,
        countedCharacters: liveCharacters(state.live),
      }
    case 'queue':
      return dropSeen({ ...state, queue: event.queue })
    case 'title':
      return state.session === null ? state : { ...state, session: { ...state.session, title: event.title } }
    case 'session-created':
    case 'session-changed': {
      const late = state.session !== null && state.session.revision > event.session.revision
      return late ? state : { ...state, session: event.session }
    }
    case 'permission-asked':
    case 'permission-resolved':
    case 'question-asked':
    case 'question-resolved':
      return { ...state, asks: nextAsks(state.asks, event) }
    case 'budget-near':
      return { ...state, budgetNear: event.use }
    case 'session-restored':
    case 'budget-changed':
      return state
    case 'session-deleted':
    case 'session-purged':
      return { ...state, phase: 'missing' }
  }
}

/** A run that ends leaves its message where it streamed, until the settled one takes its place. */
function withStatus(state: SessionState, status: SessionStatus): SessionState {
  if (isRunning(status) && state.live?.runId === status.runId) {
    return { ...state, status, live: resumeLiveRun(state.live) }
  }
  const message = liveMessage(state.live)
  const messages = message === null ? state.messages : placeMessage(state.messages, message)
  const live = isRunning(status) ? startLiveRun(status.runId) : endLiveRun(state.live)
  const compaction = isRunning(status) ? state.compaction : whenIdle(state.compaction)
  return { ...state, status, messages, live, compaction, countedCharacters: 0 }
}

/** Takes what the server has shown out of the queue and off the way. */
export function dropSeen(state: SessionState): SessionState {
  const stored = new Set(state.messages.map(({ id }) => id))
  const queue = withoutMessages(state.queue, stored)
  const seen = new Set([...stored, ...queue.map(({ id }) => id)])
  return { ...state, queue, outgoing: withoutSeen(state.outgoing, seen) }
}
