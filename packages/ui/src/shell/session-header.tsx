import type { SessionStatus } from '@palimpsest/core/domain'
import { Archive, ArchiveRestore, Download, Ellipsis, Link2, Pencil, SquarePen, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { visibleWords } from '../exact/visible-text.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { IconButton } from '../popups/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../popups/menu.tsx'
import { useEditInPlace } from '../primitives/use-edit-in-place.ts'
import { RenameField } from './rename-field.tsx'
import { SidebarOpener } from './sidebar-toggle.tsx'
import { StatusDot } from './status-dot.tsx'
import { useShell } from './use-shell.tsx'

export type SessionHeaderProps = {
  /** Null while it is not known yet. */
  title: string | null
  status: SessionStatus
  archived?: boolean
  /** Path of the folder that the chat works in; left out while it is not known. */
  workspace?: string | undefined
  /** Whether a rewind restores files of that folder. */
  keepsFiles?: boolean
  /** True opens the field for the title. */
  renaming?: boolean
  onRenamingEnd?: () => void
  onRename: (title: string) => void
  /** A button where the sidebar, which has one, is a drawer. */
  onNewChat?: () => void
  onCopyLink: () => void
  onExport: () => void
  /** Left out for a session that belongs to another one. */
  onArchive?: () => void
  onUnarchive: () => void
  /** Left out for a session that goes with another one. */
  onDelete?: () => void
  /** Before the title: where it branched from. */
  lineage?: ReactNode
  /** At the right, before the menu. */
  actions?: ReactNode
  /** More items of the menu. */
  menu?: ReactNode
}

/** The bar over a thread: title (click or menu to rename), state, actions. */
export function SessionHeader(props: SessionHeaderProps) {
  const { header, sidebar } = useMessages()
  const { editing, begin, end, opener } = useEditInPlace()
  const shell = useShell()
  return (
    <header className="z-10 flex h-header shrink-0 items-center gap-1 px-3">
      <SidebarOpener />
      <div className="flex min-w-0 grow items-center gap-2 px-1">
        {props.lineage}
        {props.title === null ? (
          <span aria-hidden className="skeleton mx-1.5 h-4 w-40" />
        ) : editing || props.renaming ? (
          <RenameField
            title={props.title}
            onDone={(title) => {
              end()
              props.onRenamingEnd?.()
              if (title !== null) props.onRename(title)
            }}
          />
        ) : (
          <h1 className="min-w-0 truncate text-base font-medium">
            <button
              ref={opener}
              type="button"
              dir="auto"
              className="max-w-full truncate rounded-sm px-1.5 py-1 hover:bg-wash coarse:min-h-11 coarse:min-w-11"
              title={header.rename}
              onClick={begin}
            >
              {visibleWords(props.title)}
            </button>
          </h1>
        )}
        <StatusDot status={props.status} />
        {props.archived && (
          <span className="rounded-sm border border-line px-1.5 text-xs text-muted">{header.archived}</span>
        )}
        {props.workspace !== undefined && (
          <WorkspaceName path={props.workspace} keepsFiles={props.keepsFiles ?? false} />
        )}
      </div>
      {props.actions}
      {shell && shell.narrow !== false && props.onNewChat && (
        <IconButton
          label={sidebar.newChat}
          tooltipSide="bottom"
          className="md:hidden"
          onClick={props.onNewChat}
        >
          <SquarePen aria-hidden size={17} />
        </IconButton>
      )}
      <Menu
        trigger={
          <IconButton label={header.actions} tooltipSide="bottom">
            <Ellipsis aria-hidden size={17} />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil aria-hidden size={15} />} onSelect={begin}>
          {sidebar.rename}
        </MenuItem>
        <MenuItem icon={<Link2 aria-hidden size={15} />} onSelect={props.onCopyLink}>
          {header.copyLink}
        </MenuItem>
        <MenuItem icon={<Download aria-hidden size={15} />} onSelect={props.onExport}>
          {header.export}
        </MenuItem>
        {props.menu}
        {props.archived ? (
          <MenuItem icon={<ArchiveRestore aria-hidden size={15} />} onSelect={props.onUnarchive}>
            {sidebar.unarchive}
          </MenuItem>
        ) : (
          props.onArchive && (
            <MenuItem icon={<Archive aria-hidden size={15} />} onSelect={props.onArchive}>
              {sidebar.archive}
            </MenuItem>
          )
        )}
        {props.onDelete && (
          <>
            <MenuSeparator />
            <MenuItem danger icon={<Trash2 aria-hidden size={15} />} onSelect={props.onDelete}>
              {sidebar.delete}
            </MenuItem>
          </>
        )}
      </Menu>
    </header>
  )
}

function WorkspaceName({ path, keepsFiles }: { path: string; keepsFiles: boolean }) {
  const { header } = useMessages()
  const name = path.split(/[\\/]/).findLast((part) => part !== '') ?? path
  return (
    <span
      title={header.workspace(path, keepsFiles)}
      className="min-w-0 max-w-40 truncate text-xs text-muted max-md:hidden"
    >
      <span className="sr-only">{header.workspace(path, keepsFiles)}</span>
      <span aria-hidden>{name}</span>
    </span>
  )
}
