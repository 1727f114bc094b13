import type { ChatChunk } from '@palimpsest/core/domain'
import type { SessionApi } from '../session/session-api.ts'
import { type SessionWorld, userMessage } from './session-world.ts'

type Sent = { id: string; model: unknown; steer: boolean }

function missing(): Error {
  return Object.assign(new Error('No such session.'), { data: { appCode: 'SESSION_NOT_FOUND' } })
}

/** A `SessionApi` over a world in memory; while `reachable` is false every call fails as without a connection. */
export function createWorldApi(world: SessionWorld, options: { exists: boolean }) {
  const watchers = new Set<() => void>()
  const sent: Sent[] = []
  let reachable = true
  let fetched = 0
  let exists = options.exists

  const call = async <T>(answer: () => T): Promise<T> => {
    await Promise.resolve()
    if (!reachable) throw new Error('WebSocket closed')
    return answer()
  }
  const unused = () => call(() => undefined)

  const api: SessionApi = {
    fetch: () =>
      call(() => {
        fetched += 1
        if (!exists) throw missing()
        return world.snapshot(50)
      }),
    timeline: () => call(() => world.timeline()),
    older: () => call(() => ({ items: [userMessage('early')], nextCursor: null })),
    create: () =>
      call(() => {
        exists = true
        return world.snapshot(1).view
      }),
    send: ({ message, model, steer }) =>
      call(() => {
        const { loaded, queue } = world.truth
        const known = [...sent, ...loaded, ...queue].some(({ id }) => id === message.id)
        sent.push({ id: message.id, model, steer })
        if (!known) world.send(userMessage(message.id))
      }),
    resend: unused,
    continue: unused,
    abort: unused,
    replyToPermission: unused,
    setMode: unused,
    answer: unused,
    refuse: unused,
    queue: {
      edit: () => call(() => userMessage('edited')),
      cancel: unused,
      cancelled: () => call(() => ({ items: [], nextCursor: null })),
      restore: unused,
      reorder: unused,
      promote: unused,
    },
    watch(_sessionId, watcher) {
      if (!exists) {
        watcher.onError(missing())
        return () => undefined
      }
      watcher.onStarted()
      watchers.add(watcher.onStarted)
      const line = world.listen({ event: watcher.onEvent, chunks: () => undefined })
      return () => {
        watchers.delete(watcher.onStarted)
        line()
      }
    },
    follow({ runId }, { onChunks }) {
      const past: ChatChunk[] = world.log(runId)
      if (past.length > 0) onChunks(past)
      return world.listen({
        event: () => undefined,
        chunks: (from, chunks) => {
          if (from === runId) onChunks(chunks)
        },
      })
    },
  }

  return {
    api,
    sent,
    get fetched() {
      return fetched
    },
    unplug() {
      reachable = false
    },
    /** The connection is back: every subscription begins again. */
    replug() {
      reachable = true
      for (const started of [...watchers]) started()
    },
  }
}
