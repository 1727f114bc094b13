import type { Session } from '@palimpsest/core/domain'

type Listed = Pick<Session, 'id' | 'title' | 'parentId'>

/**
 * A value that changes when the family of a session changes in the list of chats: a branch is made, named or deleted
 * anywhere, or the session or one of its ancestors gets a new title.
 */
export function familyMark(sessions: readonly Listed[], sessionId: string): string {
  const line = new Set<string>()
  for (let id: string | null = sessionId; id !== null && !line.has(id); id = parentOf(sessions, id))
    line.add(id)
  return sessions
    .flatMap(({ id, parentId, title }) => (parentId === null && !line.has(id) ? [] : [`${id} ${title}`]))
    .join()
}

function parentOf(sessions: readonly Listed[], sessionId: string): string | null {
  return sessions.find(({ id }) => id === sessionId)?.parentId ?? null
}
