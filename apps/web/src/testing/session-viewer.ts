import {
  type ChatChunk,
  createOverlapFilter,
  isRunning,
  type OverlapFilter,
  type SessionEvent,
} from '@palimpsest/core/domain'
import { reduceSession } from '../session/reduce-session.ts'
import {
  initialSessionState,
  type Page,
  type SessionAction,
  type Snapshot,
} from '../session/session-state.ts'
import type { SessionWorld } from './session-world.ts'

/** A page that looks at a `SessionWorld` over a line that delivers late, in any order between channels, and drops. */
export function createSessionViewer(world: SessionWorld, pageSize = 50) {
  let state = initialSessionState(world.sessionId, 'loading')
  let line: (() => void) | null = null
  let events: SessionEvent[] = []
  let stream: { runId: string; chunks: ChatChunk[] }[] = []
  let fetching: 'asked' | Snapshot | null = null
  let older: { cursor: string; page: Page | null } | null = null
  let following: { runId: string; filter: OverlapFilter } | null = null

  function dispatch(action: SessionAction): void {
    state = reduceSession(state, action)
    follow()
  }

  /** As the page does: whenever a run is on that it does not read yet, it reads it from its start. */
  function follow(): void {
    const runId = isRunning(state.status) ? state.status.runId : null
    if (line === null || runId === null || following?.runId === runId) return
    following = { runId, filter: createOverlapFilter() }
    stream = [{ runId, chunks: world.log(runId) }]
  }

  function connect(): void {
    if (line !== null) return
    line = world.listen({
      event: (event) => void events.push(event),
      chunks: (runId, chunks) => {
        if (following?.runId === runId) stream.push({ runId, chunks })
      },
    })
    fetching = 'asked'
    if (following !== null) {
      following.filter.restart()
      stream = [{ runId: following.runId, chunks: world.log(following.runId) }]
    }
    dispatch({ type: 'fetch-started' })
  }

  function deliverEvent(): boolean {
    const event = events.shift()
    if (event !== undefined) dispatch({ type: 'event', event })
    return event !== undefined
  }

  function deliverChunks(): boolean {
    const next = stream.shift()
    if (next === undefined || following?.runId !== next.runId) return next !== undefined
    const chunks = following.filter.pass(next.chunks)
    dispatch({ type: 'chunks', runId: next.runId, chunks })
    return true
  }

  /** The server reads at one moment; the answer arrives at another. */
  function advanceFetch(): boolean {
    if (fetching === null) return false
    if (fetching === 'asked') fetching = world.snapshot(pageSize)
    else {
      const snapshot = fetching
      fetching = null
      dispatch({ type: 'fetched', snapshot })
    }
    return true
  }

  /** Asks for the page above, or takes the answer that is on its way; neither cares for the line. */
  function advanceOlder(): boolean {
    const { cursor, state: asked } = state.older
    if (older === null) {
      if (cursor === null || asked === 'loading') return false
      older = { cursor, page: null }
      dispatch({ type: 'older-started' })
    } else if (older.page === null) {
      older = { ...older, page: world.older(older.cursor, pageSize) }
    } else {
      const { cursor: from, page } = older
      older = null
      dispatch({ type: 'older-fetched', cursor: from, page })
    }
    return true
  }

  return {
    connect,
    advanceOlder,
    drop(): void {
      line?.()
      line = null
      events = []
      stream = []
      fetching = null
    },
    deliverEvent,
    deliverChunks,
    advanceFetch,
    drain(): void {
      while (deliverEvent() || deliverChunks() || advanceFetch());
    },
    get state() {
      return state
    },
  }
}
