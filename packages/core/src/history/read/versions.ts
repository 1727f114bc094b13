import { AppError } from '../../domain/errors.ts'
import type { Session } from '../../domain/session/session.ts'
import { firstWords } from '../../domain/session/session-name.ts'
import type { Store } from '../../ports/index.ts'
import type { HistoryService } from '../history-service.ts'
import { versionsOf } from '../plan/versions-of.ts'

/** Reads the versions of messages. */
export function createVersioning(
  { store }: { store: Store },
  requireSession: (id: string) => Promise<Session>,
): Pick<HistoryService, 'versions' | 'threadVersions'> {
  async function outlineOf(sessionId: string) {
    await requireSession(sessionId)
    return await store.history.outline(sessionId)
  }

  return {
    async versions({ sessionId, messageId }) {
      const outline = await outlineOf(sessionId)
      if (outline.entries.every(({ id }) => id !== messageId))
        throw new AppError('MESSAGE_NOT_FOUND', 'There is no such message in this session.', {
          field: 'messageId',
        })
      const alone = { versions: [{ messageId, operationId: null }], current: 0 }
      const { versions, current } =
        versionsOf(outline).find((found) => found.versions.some((one) => one.messageId === messageId)) ??
        alone
      const described = versions.map(async (version) => {
        const message = await store.messages.get(sessionId, version.messageId)
        const label = firstWords(message?.parts.map(({ data }) => data) ?? [])
        return { ...version, label, at: message?.createdAt ?? 0 }
      })
      return { versions: await Promise.all(described), current }
    },
    threadVersions: async (sessionId) => versionsOf(await outlineOf(sessionId)),
  }
}
