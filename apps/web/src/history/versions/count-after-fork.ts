import type { ChatMessage, Session } from '@palimpsest/core/domain'
import { isCopied } from '../../session/forks.ts'
import { isSummary } from '../../session/summary.ts'

/**
 * How many messages a version has after the fork, from its newest page: a branch, those that were said since it was
 * made; the one that was branched from, those after the message at which its branches begin.
 */
export function countAfterFork(
  session: Session,
  versions: readonly Session[],
  page: { items: readonly ChatMessage[]; nextCursor: string | null },
): { messages: number; more: boolean } {
  const items = page.items.filter((message) => !isSummary(message))
  const branch = versions.find(({ parentId }) => parentId === session.id)
  const fork = items.findIndex(({ id }) => id === branch?.parentMessageId)
  if (branch !== undefined && fork !== -1) return { messages: items.length - 1 - fork, more: false }
  const said = branch === undefined ? items.filter((message) => !isCopied(message, session)) : items
  return { messages: said.length, more: said.length === items.length && page.nextCursor !== null }
}
