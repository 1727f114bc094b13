import type { SessionStatus } from '@palimpsest/core/domain'
import { ChevronLeft, ChevronRight, Columns2, Network } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { IconButton } from '../popups/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../popups/menu.tsx'
import { arrowStep } from '../primitives/arrow-step.ts'
import { StatusDot } from '../shell/status-dot.tsx'

/** One continuation of a fork. */
export type Version = {
  /** The session of this version. */
  id: string
  name: string
  /** Messages after the fork, `more` when there are more than were counted; null until they are. */
  count: { messages: number; more: boolean } | null
}

export type VersionSwitchProps = {
  /** The oldest first. */
  versions: readonly Version[]
  currentId: string
  status: (sessionId: string) => SessionStatus
  onSelect: (sessionId: string) => void
  onCompare: (sessionId: string) => void
  onTree: () => void
  /** Called when the list of names opens, to load missing counts. */
  onOpen?: () => void
  /** What is where, said once after a switch. */
  note?: string | undefined
}

/** At a fork: the versions of what came after, one step away from each other. */
export function VersionSwitch(props: VersionSwitchProps) {
  const { versions, currentId, onSelect } = props
  const { versions: words } = useMessages().history
  const at = versions.findIndex(({ id }) => id === currentId)
  const go = (step: number) => {
    const version = versions[at + step]
    if (version) onSelect(version.id)
  }
  const handleKey = (event: KeyboardEvent) => {
    const step = arrowStep(event)
    if (step === null) return
    event.preventDefault()
    go(step)
  }
  return (
    <nav
      aria-label={words.label}
      data-version-switch
      onKeyDown={handleKey}
      className="-ml-icon flex flex-wrap items-center gap-x-1 pt-1 text-sm text-muted"
    >
      <IconButton small label={words.previous} disabled={at <= 0} onClick={() => go(-1)}>
        <ChevronLeft aria-hidden size={15} />
      </IconButton>
      <VersionMenu {...props} at={at} />
      <IconButton small label={words.next} disabled={at >= versions.length - 1} onClick={() => go(1)}>
        <ChevronRight aria-hidden size={15} />
      </IconButton>
      {props.note && (
        <p role="status" className="enter pl-1 text-xs text-faint">
          {props.note}
        </p>
      )}
    </nav>
  )
}

function VersionMenu(props: VersionSwitchProps & { at: number }) {
  const { versions, at, currentId } = props
  const { versions: words } = useMessages().history
  const others = versions.filter(({ id }) => id !== currentId)
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          aria-label={words.position(at + 1, versions.length)}
          onClick={props.onOpen}
          onFocus={props.onOpen}
          onPointerEnter={props.onOpen}
          className="min-h-control-small min-w-control-small rounded-md px-1.5 text-rubric tabular-nums transition hover:bg-wash data-popup-open:bg-wash"
        >
          {at + 1} / {versions.length}
        </button>
      }
    >
      {versions.map((version) => (
        <MenuItem key={version.id} onSelect={() => props.onSelect(version.id)}>
          <span className="min-w-0 grow">
            <span className="flex items-center gap-2">
              <span className={version.id === currentId ? 'font-medium text-rubric' : undefined}>
                {version.name}
              </span>
              <StatusDot status={props.status(version.id)} />
            </span>
            <span className="block text-xs text-muted">
              {[version.id === currentId ? words.current : null, countWords(version, words)]
                .filter((part) => part !== null)
                .join(' · ')}
            </span>
          </span>
        </MenuItem>
      ))}
      <MenuSeparator />
      {others.length === 1 && others[0] && (
        <CompareItem onSelect={() => props.onCompare(others[0]?.id ?? '')} label={words.compare} />
      )}
      <MenuItem icon={<Network aria-hidden size={15} />} onSelect={props.onTree}>
        {words.tree}
      </MenuItem>
    </Menu>
  )
}

function CompareItem({ label, onSelect }: { label: string; onSelect: () => void }) {
  return (
    <MenuItem icon={<Columns2 aria-hidden size={15} />} onSelect={onSelect}>
      {label}
    </MenuItem>
  )
}

function countWords(
  { count }: Version,
  words: ReturnType<typeof useMessages>['history']['versions'],
): string | null {
  return count === null ? null : words.after(count.messages, count.more)
}
