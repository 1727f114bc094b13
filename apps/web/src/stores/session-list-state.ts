import type { Session, SessionEvent, SessionStatus } from '@palimpsest/core/domain'

/** Which sessions a list has: what is neither archived nor deleted, what is archived, or what is deleted. */
export type ListKind = 'chats' | 'archive' | 'bin'

/** The chats of the sidebar: pages from the server kept current by events. */
export type SessionListState = {
  readonly kind: ListKind
  readonly phase: 'loading' | 'ready' | { readonly failed: string }
  /** Newest first by `(updatedAt, id)`. */
  readonly sessions: readonly Session[]
  readonly nextCursor: string | null
  readonly loadingMore: boolean
  readonly statuses: Readonly<Record<string, SessionStatus>>
  /** The last revisions of sessions that were deleted while this list was kept: no answer that is late brings them back. */
  readonly gone: Readonly<Record<string, number>>
  /** Events that arrived since the fetch under way began; null while none is. */
  readonly sinceFetch: readonly SessionEvent[] | null
}

type ListPage = { items: Session[]; nextCursor: string | null }

export type SessionListAction =
  | { type: 'subscribed' }
  | { type: 'fetch-started' }
  | { type: 'fetched'; page: ListPage }
  | { type: 'fetch-failed'; message: string }
  | { type: 'more-started' }
  | { type: 'more-fetched'; cursor: string; page: ListPage }
  | { type: 'more-failed' }
  | { type: 'event'; event: SessionEvent }

export function initialSessionListState(kind: ListKind): SessionListState {
  return {
    kind,
    phase: 'loading',
    sessions: [],
    nextCursor: null,
    loadingMore: false,
    statuses: {},
    gone: {},
    sinceFetch: null,
  }
}

/** The next state of the list. Of two states of a session the newer revision wins, in whatever order they arrive. */
export function reduceSessionList(state: SessionListState, action: SessionListAction): SessionListState {
  switch (action.type) {
    case 'subscribed':
      // A new subscription sends every status that is not idle; what it does not send is idle.
      return { ...state, statuses: {} }
    case 'fetch-started':
      // A page of sessions has no statuses, so those that events brought stay.
      return { ...state, sinceFetch: [] }
    case 'fetched': {
      const { items, nextCursor } = action.page
      const fresh = {
        ...state,
        phase: 'ready',
        sessions: merge({ ...state, sessions: [] }, items),
        nextCursor,
        sinceFetch: null,
      } as const
      return (state.sinceFetch ?? []).reduce(applyListEvent, fresh)
    }
    case 'fetch-failed': {
      const phase = state.phase === 'ready' ? state.phase : { failed: action.message }
      return { ...state, phase, sinceFetch: null }
    }
    case 'more-started':
      return { ...state, loadingMore: true }
    case 'more-fetched': {
      // A fetch since then may have ended further up: between its end and this page something would be left out.
      if (action.cursor !== state.nextCursor) return { ...state, loadingMore: false }
      const { items, nextCursor } = action.page
      return { ...state, loadingMore: false, sessions: merge(state, items), nextCursor }
    }
    case 'more-failed':
      return { ...state, loadingMore: false }
    case 'event': {
      const sinceFetch = state.sinceFetch === null ? null : [...state.sinceFetch, action.event]
      return applyListEvent({ ...state, sinceFetch }, action.event)
    }
  }
}

function applyListEvent(state: SessionListState, event: SessionEvent): SessionListState {
  switch (event.type) {
    case 'status':
      return { ...state, statuses: { ...state.statuses, [event.sessionId]: event.status } }
    case 'title': {
      const retitle = (session: Session) =>
        session.id === event.sessionId ? { ...session, title: event.title } : session
      return { ...state, sessions: state.sessions.map(retitle) }
    }
    case 'session-created':
    case 'session-changed':
      return { ...state, sessions: merge(state, [event.session]) }
    case 'session-restored': {
      const { [event.sessionId]: _, ...gone } = state.gone
      return { ...state, gone, sessions: merge({ ...state, gone }, [event.session]) }
    }
    case 'session-deleted': {
      const gone = { ...state.gone, [event.sessionId]: event.session.revision - 1 }
      const statuses = withoutStatus(state.statuses, event.sessionId)
      return { ...state, statuses, gone, sessions: merge({ ...state, gone }, [event.session]) }
    }
    case 'session-purged': {
      const gone = { ...state.gone, [event.sessionId]: Number.POSITIVE_INFINITY }
      return { ...state, gone, sessions: state.sessions.filter(({ id }) => id !== event.sessionId) }
    }
    default:
      return state
  }
}

function withoutStatus(statuses: SessionListState['statuses'], id: string): SessionListState['statuses'] {
  const { [id]: _, ...others } = statuses
  return others
}

function merge(state: SessionListState, items: readonly Session[]): Session[] {
  const known = new Map(state.sessions.map((session) => [session.id, session]))
  for (const session of items) {
    const present = known.get(session.id)
    if (session.revision <= (state.gone[session.id] ?? -1)) continue
    if (present === undefined || present.revision <= session.revision) known.set(session.id, session)
  }
  return [...known.values()].filter((session) => belongs(session, state.kind)).sort(byNewest)
}

function belongs({ archivedAt, deletedAt, metadata }: Session, kind: ListKind): boolean {
  if (metadata.ephemeral === true || metadata.subagent !== undefined) return false
  if (deletedAt !== null) return kind === 'bin'
  return kind === (archivedAt === null ? 'chats' : 'archive')
}

function byNewest(a: Session, b: Session): number {
  return b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1)
}
