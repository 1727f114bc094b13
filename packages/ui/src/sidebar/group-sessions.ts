import type { Session, SessionStatus } from '@palimpsest/core/domain'

/** Which list the sidebar shows. */
export type SidebarList = 'chats' | 'archive' | 'bin'

/** What a row of the sidebar needs of a session. `found` is the message that a search has found in it, with its text and the words in it. */
export type SidebarSession = Pick<
  Session,
  'id' | 'title' | 'parentId' | 'updatedAt' | 'archivedAt' | 'deletedAt'
> & {
  status: SessionStatus
  found?: { messageId: string; text: string; hit: string }
}

/** A row and how deep it is nested under the session that it branched from. */
export type SidebarRow = { session: SidebarSession; depth: number }

export type GroupKey = 'today' | 'yesterday' | 'previousWeek' | 'previousMonth' | { month: number }

export type SidebarGroup = { key: GroupKey; rows: SidebarRow[] }

/**
 * Puts sessions in groups by day, newest first, each branch under its parent.
 * A family is placed by its newest member; a branch whose parent is not in the list is at the top level.
 */
export function groupSessions(sessions: readonly SidebarSession[], now: number): SidebarGroup[] {
  const families = toFamilies(sessions)
  const groups: SidebarGroup[] = []
  for (const family of families) {
    const key = groupKey(family.newest, now)
    const last = groups.at(-1)
    if (last && sameKey(last.key, key)) last.rows.push(...family.rows)
    else groups.push({ key, rows: family.rows })
  }
  return groups
}

function toFamilies(sessions: readonly SidebarSession[]): { newest: number; rows: SidebarRow[] }[] {
  const known = new Set(sessions.map((session) => session.id))
  const children = Map.groupBy(sessions, ({ parentId }) =>
    parentId && known.has(parentId) ? parentId : null,
  )
  const rowsUnder = (parentId: string | null, depth: number): SidebarRow[] =>
    (children.get(parentId) ?? [])
      .toSorted((a, b) => b.updatedAt - a.updatedAt)
      .flatMap((session) => [{ session, depth }, ...rowsUnder(session.id, depth + 1)])

  return (children.get(null) ?? [])
    .map((root) => {
      const rows = [{ session: root, depth: 0 }, ...rowsUnder(root.id, 1)]
      return {
        newest: Math.max(...rows.map((row) => row.session.updatedAt)),
        rows,
      }
    })
    .toSorted((a, b) => b.newest - a.newest)
}

function groupKey(at: number, now: number): GroupKey {
  if (at >= dayStart(now, 0)) return 'today'
  if (at >= dayStart(now, 1)) return 'yesterday'
  if (at >= dayStart(now, 7)) return 'previousWeek'
  if (at >= dayStart(now, 30)) return 'previousMonth'
  const date = new Date(at)
  return { month: new Date(date.getFullYear(), date.getMonth()).getTime() }
}

/** The midnight that began the day so many days ago; a day may have 23 or 25 hours. */
export function dayStart(now: number, daysAgo: number): number {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysAgo).getTime()
}

function sameKey(a: GroupKey, b: GroupKey): boolean {
  return typeof a === 'object' && typeof b === 'object' ? a.month === b.month : a === b
}
