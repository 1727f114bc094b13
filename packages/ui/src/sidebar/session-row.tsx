import { Archive, ArchiveRestore, CornerDownRight, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { memo } from 'react'
import { visibleWords } from '../exact/visible-text.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { IconButton } from '../popups/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../popups/menu.tsx'
import { cx } from '../primitives/cx.ts'
import { isPlainClick } from '../primitives/is-plain-click.ts'
import { type EditInPlace, useEditInPlace } from '../primitives/use-edit-in-place.ts'
import { RenameField } from '../shell/rename-field.tsx'
import { StatusDot } from '../shell/status-dot.tsx'
import { BinRow, type BinRowActions } from './bin-row.tsx'
import type { SidebarSession } from './group-sessions.ts'

/** What can be done with a session of the list. */
export type SessionRowActions = BinRowActions & {
  /** With a message the thread opens there. */
  hrefFor: (id: string, messageId?: string) => string
  onSelect: (id: string, messageId?: string) => void
  onRename: (id: string, title: string) => void
  onArchive: (id: string) => void
  onUnarchive: (id: string) => void
  onDelete: (id: string) => void
}

export type SessionRowProps = {
  session: SidebarSession
  /** Steps under the session that it branched from. */
  depth: number
  selected: boolean
  now: number
  actions: SessionRowActions
}

/** Steps of indentation, so that a deep tree stays inside the sidebar. */
const MAX_DEPTH = 4

export const SessionRow = memo(function SessionRow({
  session,
  depth,
  selected,
  now,
  actions,
}: SessionRowProps) {
  const { editing, begin: rename, end, opener } = useEditInPlace()
  return (
    <li
      style={{
        paddingInlineStart: `calc(${Math.min(depth, MAX_DEPTH)} * var(--space) * 3.5)`,
      }}
    >
      {session.deletedAt !== null ? (
        <BinRow
          session={{ ...session, deletedAt: session.deletedAt }}
          branch={depth > 0}
          now={now}
          actions={actions}
        />
      ) : editing ? (
        <RenameField
          title={session.title}
          onDone={(title) => {
            end()
            if (title !== null) actions.onRename(session.id, title)
          }}
        />
      ) : (
        <div
          className={cx(
            'group relative flex items-center rounded-md transition',
            selected ? 'bg-wash-strong' : 'hover:bg-wash has-data-popup-open:bg-wash',
          )}
        >
          <SessionLink
            session={session}
            branch={depth > 0}
            selected={selected}
            actions={actions}
            onRename={rename}
            opener={opener}
          />
          <SessionMenu session={session} actions={actions} onRename={rename} />
        </div>
      )}
    </li>
  )
})

type PartProps = {
  session: SidebarSession
  actions: SessionRowActions
  onRename: () => void
}

type LinkProps = PartProps & { branch: boolean; selected: boolean; opener: EditInPlace['opener'] }

function SessionLink({ session, branch, selected, actions, onRename, opener }: LinkProps) {
  const { sidebar } = useMessages()
  return (
    <a
      ref={opener}
      data-session-row
      href={actions.hrefFor(session.id, session.found?.messageId)}
      aria-current={selected ? 'page' : undefined}
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        actions.onSelect(session.id, session.found?.messageId)
      }}
      onDoubleClick={onRename}
      onKeyDown={(event) => event.key === 'F2' && onRename()}
      className="flex min-h-8 min-w-0 grow items-center gap-2 rounded-md py-1 pr-2 pl-2.5 -outline-offset-2 coarse:min-h-11"
    >
      {branch && <CornerDownRight aria-label={sidebar.branchOf} size={13} className="text-rubric" />}
      <span className="min-w-0 grow">
        <span
          dir="auto"
          className={cx('block truncate', selected ? 'text-ink' : 'text-muted group-hover:text-ink')}
        >
          {visibleWords(session.title)}
        </span>
        {session.found && <Found {...session.found} />}
      </span>
      <span className="transition group-focus-within:mr-6 group-hover:mr-6 coarse:mr-9">
        <StatusDot status={session.status} />
      </span>
    </a>
  )
}

/** The words that were found, set apart from the text around them. */
function Found({ text, hit }: { text: string; hit: string }) {
  const at = wordAt(text, hit)
  const end = at + hit.length
  return (
    <span className="block truncate text-xs text-faint">
      {text.slice(0, at)}
      <mark className="bg-transparent font-medium text-ink">{text.slice(at, end)}</mark>
      {text.slice(end)}
    </span>
  )
}

const IN_WORD = /[\p{L}\p{N}\p{M}]/u

/** Where a hit is a whole word, for it may be a piece of a word before it; its first place where it is none. */
function wordAt(text: string, hit: string): number {
  const first = text.indexOf(hit)
  let at = first
  while (at !== -1 && at < text.length) {
    if (!IN_WORD.test(text.charAt(at - 1)) && !IN_WORD.test(text.charAt(at + hit.length))) return at
    at = text.indexOf(hit, at + 1)
  }
  return first
}

function SessionMenu({ session, actions, onRename }: PartProps) {
  const { sidebar } = useMessages()
  const { id, title, archivedAt } = session
  return (
    <span className="absolute right-0.5 opacity-0 transition group-focus-within:opacity-100 group-hover:opacity-100 has-data-popup-open:opacity-100 coarse:opacity-100">
      <Menu
        trigger={
          <IconButton small label={sidebar.actionsFor(title)}>
            <Ellipsis aria-hidden size={15} />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil aria-hidden size={15} />} onSelect={onRename}>
          {sidebar.rename}
        </MenuItem>
        {archivedAt === null ? (
          <MenuItem icon={<Archive aria-hidden size={15} />} onSelect={() => actions.onArchive(id)}>
            {sidebar.archive}
          </MenuItem>
        ) : (
          <MenuItem icon={<ArchiveRestore aria-hidden size={15} />} onSelect={() => actions.onUnarchive(id)}>
            {sidebar.unarchive}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 aria-hidden size={15} />} onSelect={() => actions.onDelete(id)}>
          {sidebar.delete}
        </MenuItem>
      </Menu>
    </span>
  )
}
