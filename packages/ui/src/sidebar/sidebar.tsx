import {
  Archive,
  ArrowLeft,
  CircleQuestionMark,
  Command,
  Ellipsis,
  Search,
  SquarePen,
  Trash2,
  X,
} from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { IconButton } from '../popups/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../popups/menu.tsx'
import { Button } from '../primitives/button.tsx'
import { isPlainClick } from '../primitives/is-plain-click.ts'
import { Kbd } from '../primitives/kbd.tsx'
import { SidebarToggle } from '../shell/sidebar-toggle.tsx'
import { Wordmark } from '../shell/wordmark.tsx'
import type { SidebarList, SidebarSession } from './group-sessions.ts'
import { SessionList } from './session-list.tsx'
import type { SessionRowActions } from './session-row.tsx'
import { SidebarEmpty } from './sidebar-empty.tsx'
import { SidebarSkeleton } from './sidebar-skeleton.tsx'
import { useToday } from './use-today.ts'

export type SidebarProps = {
  sessions: readonly SidebarSession[]
  selectedId: string | null
  /** True until the first page of sessions is here. */
  loading?: boolean
  query: string
  onQueryChange: (query: string) => void
  shown: SidebarList
  onShownChange: (shown: SidebarList) => void
  newChatHref: string
  onNewChat: () => void
  hasMore?: boolean
  onLoadMore?: () => void
  /** Opens the command palette and the list of shortcuts. */
  onCommands?: () => void
  onHelp?: () => void
  /** Below the search. */
  head?: ReactNode
  /** At the bottom: the settings. */
  footer?: ReactNode
  /** Keep its identity, so that rows draw again only when they change. */
  actions: SessionRowActions
}

/** Every session: search, days, branches under their parents, archive, bin. */
export function Sidebar(props: SidebarProps) {
  const { sidebar } = useMessages()
  const now = useToday()
  const searching = props.query.trim() !== ''
  const nav = useFocusOnSwitch(props.shown)
  return (
    <nav ref={nav} aria-label={sidebar.label} className="flex h-full flex-col text-base">
      <div className="flex h-header shrink-0 items-center justify-between pr-2 pl-4">
        <Wordmark />
        <SidebarToggle />
      </div>
      <div className="space-y-1 px-2 pb-3">
        <NewChatLink href={props.newChatHref} onNewChat={props.onNewChat} />
        <SearchField query={props.query} onQueryChange={props.onQueryChange} />
        {props.head}
      </div>
      {props.shown !== 'chats' && <ListBar shown={props.shown} onBack={() => props.onShownChange('chats')} />}
      <div className="min-h-0 grow overflow-y-auto px-2 pb-3" aria-busy={props.loading ?? false}>
        {props.loading ? (
          <SidebarSkeleton />
        ) : props.sessions.length === 0 ? (
          <SidebarEmpty query={props.query.trim()} shown={props.shown} />
        ) : (
          <SessionList
            sessions={props.sessions}
            selectedId={props.selectedId}
            flat={searching}
            now={now}
            actions={props.actions}
          />
        )}
        {props.hasMore && props.onLoadMore && (
          <Button small variant="quiet" className="w-full" onClick={props.onLoadMore}>
            {sidebar.loadMore}
          </Button>
        )}
      </div>
      <p role="status" className="sr-only">
        {searching && !props.loading && sidebar.results(props.sessions.length)}
      </p>
      <div className="flex shrink-0 items-center gap-1 border-line border-t p-2">
        <div className="flex min-w-0 grow items-center gap-1">{props.footer}</div>
        {props.shown === 'chats' && <MoreMenu {...props} />}
      </div>
    </nav>
  )
}

/** Another list takes the focus, at the button that leads back from it: what led there is gone. */
function useFocusOnSwitch(shown: SidebarList) {
  const nav = useRef<HTMLElement>(null)
  const last = useRef(shown)
  useEffect(() => {
    if (last.current === shown) return
    nav.current?.querySelector<HTMLElement>(`[data-leads-to~=${last.current}]`)?.focus()
    last.current = shown
  }, [shown])
  return nav
}

/** The other lists, the commands and the keys. */
function MoreMenu({
  onShownChange,
  onCommands,
  onHelp,
}: Pick<SidebarProps, 'onShownChange' | 'onCommands' | 'onHelp'>) {
  const { sidebar, bin } = useMessages()
  return (
    <Menu
      side="top"
      align="end"
      trigger={
        <IconButton label={sidebar.more} data-leads-to="archive bin">
          <Ellipsis aria-hidden size={16} />
        </IconButton>
      }
    >
      <MenuItem icon={<Archive aria-hidden size={15} />} onSelect={() => onShownChange('archive')}>
        {sidebar.showArchived}
      </MenuItem>
      <MenuItem icon={<Trash2 aria-hidden size={15} />} onSelect={() => onShownChange('bin')}>
        {bin.show}
      </MenuItem>
      {(onCommands || onHelp) && <MenuSeparator />}
      {onCommands && (
        <MenuItem icon={<Command aria-hidden size={15} />} onSelect={onCommands}>
          <span className="grow">{sidebar.commands}</span>
          <Kbd keys="mod+k" />
        </MenuItem>
      )}
      {onHelp && (
        <MenuItem icon={<CircleQuestionMark aria-hidden size={15} />} onSelect={onHelp}>
          <span className="grow">{sidebar.help}</span>
          <Kbd keys="?" />
        </MenuItem>
      )}
    </Menu>
  )
}

function NewChatLink({ href, onNewChat }: { href: string; onNewChat: () => void }) {
  const { sidebar } = useMessages()
  return (
    <a
      href={href}
      aria-keyshortcuts="Control+Shift+O Meta+Shift+O"
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        onNewChat()
      }}
      className="group flex h-control items-center gap-2.5 rounded-md px-2.5 font-medium transition hover:bg-wash"
    >
      <SquarePen aria-hidden size={16} className="text-muted" />
      <span className="grow">{sidebar.newChat}</span>
      <span
        aria-hidden
        className="opacity-0 transition group-hover:opacity-100 group-focus-visible:opacity-100 coarse:hidden"
      >
        <Kbd keys="mod+shift+o" />
      </span>
    </a>
  )
}

function SearchField({ query, onQueryChange }: Pick<SidebarProps, 'query' | 'onQueryChange'>) {
  const { sidebar } = useMessages()
  return (
    <div className="relative flex items-center">
      <Search aria-hidden size={15} className="pointer-events-none absolute left-2.5 text-faint" />
      <input
        type="search"
        aria-label={sidebar.search}
        placeholder={sidebar.search}
        value={query}
        onChange={(event) => onQueryChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' && focusFirstRow(event.currentTarget)) event.preventDefault()
          if (event.key !== 'Escape' || query === '') return
          event.stopPropagation()
          onQueryChange('')
        }}
        className="h-control w-full rounded-md border border-transparent bg-wash pr-8 pl-8 transition focus:border-faint focus:bg-raised focus:outline-none [&::-webkit-search-cancel-button]:hidden"
      />
      {query !== '' && (
        <span className="absolute right-0.5">
          <IconButton small label={sidebar.clearSearch} onClick={() => onQueryChange('')}>
            <X aria-hidden size={14} />
          </IconButton>
        </span>
      )}
    </div>
  )
}

/** Moves the focus from the search to its results. */
function focusFirstRow(field: HTMLElement): boolean {
  const row = field.closest('nav')?.querySelector<HTMLElement>('[data-session-row]')
  row?.focus()
  return row != null
}

function ListBar({ shown, onBack }: { shown: 'archive' | 'bin'; onBack: () => void }) {
  const { sidebar, bin } = useMessages()
  return (
    <div className="mx-2 mb-2">
      <div className="flex items-center gap-1">
        <IconButton small label={sidebar.showActive} data-leads-to="chats" onClick={onBack}>
          <ArrowLeft aria-hidden size={15} />
        </IconButton>
        <h2 className="font-medium">{shown === 'bin' ? bin.heading : sidebar.archivedHeading}</h2>
      </div>
      {shown === 'bin' && <p className="px-2.5 pt-1 pb-1 text-sm text-faint">{bin.note}</p>}
    </div>
  )
}
