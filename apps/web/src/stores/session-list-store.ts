import type { Session, SessionEvent } from '@palimpsest/core/domain'
import { createStore, type WatchedStore } from '../state/create-store.ts'
import { describeFailure } from '../state/describe-failure.ts'
import {
  initialSessionListState,
  type ListKind,
  reduceSessionList,
  type SessionListAction,
  type SessionListState,
} from './session-list-state.ts'

export type ListPage = { items: Session[]; nextCursor: string | null }

export type SessionListStore = WatchedStore<SessionListState> & {
  /** A subscription to events began: its statuses replace those of the one before, and the list is fetched. */
  onSubscribed(): void
  /** Reads the list again, as far as it was read before. */
  refresh(): Promise<void>
  loadMore(): Promise<void>
  onEvent(event: SessionEvent): void
}

type ListQuery = { archived: boolean; deleted: boolean }
type FetchPage = (query: ListQuery & { limit: number; cursor?: string }) => Promise<ListPage>

const PAGE_SIZE = 50
const LARGEST_PAGE = 200
/** Milliseconds until a list that could not be read is asked for again. */
const RETRY_MS = 2_000

/** What the server is asked for a kind of list. */
export function listQuery(kind: ListKind): ListQuery {
  return { archived: kind === 'archive', deleted: kind === 'bin' }
}

export function createSessionListStore(kind: ListKind, fetchPage: FetchPage): SessionListStore {
  const store = createStore(initialSessionListState(kind))
  let fetches = 0
  const dispatch = (action: SessionListAction) => store.set(reduceSessionList(store.get(), action))

  async function refresh(): Promise<void> {
    const fetch = ++fetches
    const limit = Math.min(LARGEST_PAGE, Math.max(PAGE_SIZE, store.get().sessions.length))
    dispatch({ type: 'fetch-started' })
    try {
      const page = await fetchPage({ ...listQuery(kind), limit })
      if (fetch === fetches) dispatch({ type: 'fetched', page })
    } catch (error) {
      if (fetch !== fetches) return
      dispatch({ type: 'fetch-failed', message: describeFailure(error).message })
      setTimeout(() => fetch === fetches && refresh(), RETRY_MS)
    }
  }

  return {
    initial: store.initial,
    get: store.get,
    subscribe: store.subscribe,
    onSubscribed() {
      dispatch({ type: 'subscribed' })
      void refresh()
    },
    refresh,
    async loadMore() {
      const { nextCursor, loadingMore } = store.get()
      if (nextCursor === null || loadingMore) return
      dispatch({ type: 'more-started' })
      try {
        const page = await fetchPage({ ...listQuery(kind), limit: PAGE_SIZE, cursor: nextCursor })
        dispatch({ type: 'more-fetched', cursor: nextCursor, page })
      } catch {
        dispatch({ type: 'more-failed' })
      }
    },
    onEvent: (event) => dispatch({ type: 'event', event }),
  }
}
