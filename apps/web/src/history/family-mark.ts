import type { Session } from '@palimpsest/core/domain'

type Listed = Pick<Session, 'id' | 'title' | 'parentId'>

/**
 * Changes with what the list of chats tells of a session's family: whatever makes, names or deletes a branch anywhere
 * shows in the list, and so does a new title of the session itself or of one that it came from.
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
