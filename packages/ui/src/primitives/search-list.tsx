import { Search } from 'lucide-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { cx } from './cx.ts'
import type { ListNavigation } from './use-list-navigation.ts'

export type ListSearchProps = {
  list: ListNavigation
  label: string
  placeholder: string
  /** Number of options in the list. */
  count: number
  query: string
  onQueryChange: (query: string) => void
  /** Replaces the keys of the list. */
  onKeyDown?: (event: KeyboardEvent) => void
  /** The lower field of a popover; without it the field of a dialog. */
  compact?: boolean
}

/** The search field above a list of options. It keeps the focus; its keys move through the list. */
export function ListSearch({ list, label, count, query, compact = false, ...props }: ListSearchProps) {
  return (
    <div className="relative flex shrink-0 items-center border-line border-b">
      <Search
        aria-hidden
        size={compact ? 15 : 17}
        className={cx('pointer-events-none absolute text-faint', compact ? 'left-3.5' : 'left-4')}
      />
      <input
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls={list.listId}
        aria-activedescendant={count > 0 ? list.optionId(list.active) : undefined}
        placeholder={props.placeholder}
        value={query}
        onChange={(event) => props.onQueryChange(event.target.value)}
        onKeyDown={props.onKeyDown ?? list.handleKey}
        className={cx(
          'w-full bg-transparent outline-none',
          compact ? 'h-11 rounded-t-lg pr-3 pl-10' : 'h-13 pr-4 pl-11 text-lg',
        )}
      />
    </div>
  )
}

/** Options under a heading. */
export function ListGroup({
  label,
  compact,
  children,
}: {
  label: string
  compact?: boolean
  children: ReactNode
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group inside a listbox is not a fieldset
    <div role="group" aria-label={label} className="pb-1">
      <p aria-hidden className={cx('pt-2 pb-1 text-xs font-medium text-faint', compact ? 'px-2.5' : 'px-3')}>
        {label}
      </p>
      {children}
    </div>
  )
}

export type ListOptionProps = {
  list: ListNavigation
  /** Place of the option in the whole list, from 0. */
  at: number
  /** Whether it is the chosen one; without it the active option is announced as selected. */
  selected?: boolean
  onChoose: () => void
  className: string
  children: ReactNode
}

/** One option. The pointer makes it active, as the arrow keys of the search field do. */
export function ListOption({ list, at, selected, onChoose, className, children }: ListOptionProps) {
  const active = at === list.active
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field holds the focus and its keys
    <div
      id={list.optionId(at)}
      role="option"
      aria-selected={selected ?? active}
      tabIndex={-1}
      onPointerMove={() => active || list.setActive(at)}
      onClick={onChoose}
      className={cx('cursor-pointer rounded-md', active && 'bg-wash-strong', className)}
    >
      {children}
    </div>
  )
}
