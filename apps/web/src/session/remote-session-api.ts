import { type Client, followRun } from '@palimpsest/client'
import { LIMITS } from '@palimpsest/core/domain'

import type { SessionApi } from './session-api.ts'

const PAGE_SIZE = 50

/** The `SessionApi` of a real server. */
export function remoteSessionApi(client: () => Client): SessionApi {
  return {
    async fetch(sessionId) {
      const { session, queue, permission, question } = client()
      const [view, page, queued, timeline, permissions, questions] = await Promise.all([
        session.get.query({ sessionId }),
        session.messages.query({ sessionId, limit: PAGE_SIZE, hidden: true }),
        queue.list.query({ sessionId }),
        session.timeline.query({ sessionId }),
        permission.pending.query({ sessionId }),
        question.pending.query({ sessionId }),
      ])
      const asks = { permissions: permissions.items, questions: questions.items }
      return { view, page, queue: queued, timeline, asks }
    },
    timeline: (sessionId) => client().session.timeline.query({ sessionId }),
    older: (sessionId, cursor, far) =>
      client().session.messages.query({
        sessionId,
        cursor,
        limit: far ? LIMITS.pageSize : PAGE_SIZE,
        hidden: true,
      }),
    create: ({ model, ...rest }) => client().session.create.mutate({ ...rest, ...(model && { model }) }),
    send: ({ model, steer, replaces, files, ...rest }) =>
      client().session.send.mutate({
        ...rest,
        ...(model && { model }),
        ...(steer && { steer }),
        ...(replaces !== null && { replaceMessageId: replaces }),
        ...(files && { files: [...files] }),
      }),
    resend: (sessionId, messageId, model) =>
      client().session.resend.mutate({ sessionId, messageId, ...(model && { model }) }),
    continue: (sessionId) => client().session.continue.mutate({ sessionId }),
    abort: (sessionId, runId, options) =>
      client().session.abort.mutate({ sessionId, ...(runId !== null && { runId }), ...options }),
    queue: {
      edit: (sessionId, messageId, patch) => client().queue.edit.mutate({ sessionId, messageId, ...patch }),
      cancel: (sessionId, messageId) => client().queue.cancel.mutate({ sessionId, messageId }),
      cancelled: (sessionId, cursor) =>
        client().queue.cancelled.query({ sessionId, limit: PAGE_SIZE, ...(cursor !== null && { cursor }) }),
      restore: (sessionId, messageId) => client().queue.restore.mutate({ sessionId, messageId }),
      reorder: (sessionId, messageIds) => client().queue.reorder.mutate({ sessionId, messageIds }),
      promote: (sessionId, messageId) => client().queue.promote.mutate({ sessionId, messageId }),
    },
    replyToPermission: (reply) => client().permission.reply.mutate(reply),
    setMode: (sessionId, mode) => client().permission.setMode.mutate({ sessionId, mode }),
    answer: (questionId, answers) => client().question.answer.mutate({ questionId, answers }),
    refuse: (questionId, refused) => client().question.answer.mutate({ questionId, answers: [], refused }),
    watch(sessionId, { onStarted, onEvent, onError }) {
      const subscription = client().session.events.subscribe(
        { sessionId },
        {
          onStarted,
          // Events were dropped: what is shown is fetched again, as after a reconnect.
          onData: (event) => (event.type === 'reset' ? onStarted() : onEvent(event)),
          onError,
        },
      )
      return () => subscription.unsubscribe()
    },
    follow(run, { onChunks, onLost }) {
      const ending = new AbortController()
      const onEnd = ({ complete }: { complete: boolean }) => complete || onLost()
      followRun(client(), { ...run, onChunks, onEnd, onError: onLost, signal: ending.signal })
      return () => ending.abort()
    },
  }
}
