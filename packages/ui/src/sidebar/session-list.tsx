import { type KeyboardEvent, useMemo } from 'react'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { type GroupKey, groupSessions, type SidebarSession } from './group-sessions.ts'
import { SessionRow, type SessionRowActions } from './session-row.tsx'
import { useKeptFocus } from './use-kept-focus.ts'

export type SessionListProps = {
  sessions: readonly SidebarSession[]
  selectedId: string | null
  /** Search results keep the order that they came in, without days. */
  flat: boolean
  now: number
  actions: SessionRowActions
}

/** Sessions by day; the arrow keys, Home and End move between them. */
export function SessionList({ sessions, selectedId, flat, now, actions }: SessionListProps) {
  const heading = useGroupHeading(now)
  const keptFocus = useKeptFocus()
  const groups = useMemo(() => (flat ? [] : groupSessions(sessions, now)), [sessions, flat, now])
  const row = (session: SidebarSession, depth: number) => (
    <SessionRow
      key={session.id}
      session={session}
      depth={depth}
      selected={session.id === selectedId}
      now={now}
      actions={actions}
    />
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: adds arrow keys to the links inside, which keep Tab and Enter
    <div {...keptFocus} onKeyDown={moveFocus}>
      {flat && <ul className="space-y-px">{sessions.map((session) => row(session, 0))}</ul>}
      {groups.map((group) => (
        <section key={typeof group.key === 'object' ? group.key.month : group.key} className="mb-4">
          <h2 className="px-2.5 pb-1 text-xs font-medium text-faint">{heading(group.key)}</h2>
          <ul className="space-y-px">{group.rows.map(({ session, depth }) => row(session, depth))}</ul>
        </section>
      ))}
    </div>
  )
}

function useGroupHeading(now: number): (key: GroupKey) => string {
  const { sidebar } = useMessages()
  const format = useFormat()
  return (key) => (typeof key === 'object' ? format.month(key.month, now) : sidebar[key])
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-session-row]')]
  const focused = document.activeElement
  const at = focused instanceof HTMLElement ? rows.indexOf(focused) : -1
  if (at < 0) return
  const target = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: rows.length - 1,
  }[event.key]
  if (target === undefined) return
  event.preventDefault()
  rows[Math.max(0, Math.min(target, rows.length - 1))]?.focus()
}
