import type { ReactNode } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { cx } from '../primitives/cx.ts'
import type { ListNavigation } from '../primitives/use-list-navigation.ts'
import type { SlashCommand } from './slash-command.ts'

export type SlashMenuProps = {
  commands: readonly SlashCommand[]
  list: ListNavigation
  onChoose: (index: number) => void
}

/** Pixels that the list is high at most, and that it is high at least. */
const MOST_HIGH = 288
const LEAST_HIGH = 96
/** Pixels between the list and the composer, and above the list. */
const GAP = 8

/** Commands over the composer while one is typed. */
export function SlashMenu({ commands, list, onChoose }: SlashMenuProps) {
  const { composer } = useMessages()
  return (
    <OverComposer label={composer.commands} list={list}>
      {commands.length === 0 && <p className="px-2.5 py-1.5 text-muted">{composer.noCommand}</p>}
      {commands.map((command, at) => (
        <MenuRow key={command.name} list={list} at={at} onChoose={onChoose}>
          <span className="font-code text-sm">/{command.name}</span>
          {command.takes && <span className="font-code text-sm text-faint">{command.takes}</span>}
          <span className="min-w-0 truncate text-sm text-muted">{command.description}</span>
        </MenuRow>
      ))}
    </OverComposer>
  )
}

type OverComposerProps = { label: string; list: ListNavigation; children: ReactNode }

/** A list over the composer; the text field keeps the focus. */
export function OverComposer({ label, list, children }: OverComposerProps) {
  return (
    <div
      ref={fitAbove}
      id={list.listId}
      role="listbox"
      aria-label={label}
      className="enter popup absolute inset-x-0 bottom-full z-20 mb-2 overflow-y-auto p-1"
    >
      {children}
    </div>
  )
}

type MenuRowProps = {
  list: ListNavigation
  at: number
  onChoose: (index: number) => void
  children: ReactNode
}

export function MenuRow({ list, at, onChoose, children }: MenuRowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the text field holds the focus and its keys
    <div
      id={list.optionId(at)}
      role="option"
      aria-selected={at === list.active}
      tabIndex={-1}
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={() => at !== list.active && list.setActive(at)}
      onClick={() => onChoose(at)}
      className={cx(
        'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 coarse:min-h-11',
        at === list.active && 'bg-wash-strong',
      )}
    >
      {children}
    </div>
  )
}

/** Limits the list to the space above the composer: the element that scrolls around it would cut the rest off. */
function fitAbove(menu: HTMLElement | null): void {
  const composer = menu?.parentElement
  if (!menu || !composer) return
  let scroller = composer.parentElement
  while (scroller !== null && getComputedStyle(scroller).overflowY === 'visible') {
    scroller = scroller.parentElement
  }
  const top = scroller?.getBoundingClientRect().top ?? 0
  const space = composer.getBoundingClientRect().top - Math.max(0, top) - 2 * GAP
  menu.style.maxHeight = `${Math.min(MOST_HIGH, Math.max(LEAST_HIGH, space))}px`
}
