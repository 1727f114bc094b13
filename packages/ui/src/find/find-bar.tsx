import { LIMITS, type MessageLayer } from '@palimpsest/core/domain'
import { ChevronDown, ChevronUp, List, Search, X } from 'lucide-react'
import type { KeyboardEvent, ReactNode, Ref } from 'react'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { IconButton } from '../popups/icon-button.tsx'
import { Kbd } from '../primitives/kbd.tsx'
import { FindLayer } from './find-layer.tsx'

/** What a search in a thread has found. */
export type FindState =
  | { type: 'empty' }
  | { type: 'searching' }
  | { type: 'failed' }
  | {
      type: 'found'
      /** Messages that match. */
      total: number
      /** True when there are more than were counted. */
      more: boolean
      /** The message that is pointed at, from 1, with its layer; null before the first step. */
      at: { position: number; layer: MessageLayer } | null
      /** The match inside that message, from 1; null where it has at most one. */
      within: { position: number; total: number } | null
    }

export type FindBarProps = {
  query: string
  onQueryChange: (query: string) => void
  state: FindState
  /** Goes to the next match, or with -1 to the one before. */
  onStep: (by: 1 | -1) => void
  onClose: () => void
  /** Whether the list of matches is open. */
  listed: boolean
  onListedChange: (listed: boolean) => void
  field: Ref<HTMLInputElement>
  /** The list of matches. */
  children: ReactNode
}

/** Searches a thread: a field, the number of messages that match, and the steps between them. */
export function FindBar(props: FindBarProps) {
  const { find } = useMessages()
  const { state, onStep, listed } = props
  const nothing = state.type !== 'found' || state.total === 0

  function handleKey(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') props.onClose()
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement)
      onStep(event.shiftKey ? -1 : 1)
    else return
    event.preventDefault()
  }

  return (
    <search
      aria-label={find.label}
      data-keeps-focus
      onKeyDown={handleKey}
      className="thread-gutter relative z-20 block shrink-0 border-line border-y bg-paper"
    >
      <div className="mx-auto flex max-w-column flex-wrap items-center gap-x-1 px-2 py-1.5 md:px-0">
        <Field query={props.query} onQueryChange={props.onQueryChange} field={props.field} />
        <p
          role="status"
          className="flex min-h-7 min-w-0 items-center gap-2 px-2 text-muted text-sm tabular-nums max-md:order-last max-md:basis-full"
        >
          <Outcome state={state} />
        </p>
        <div className="flex">
          <IconButton
            label={find.previous}
            hint={<Kbd keys="shift+enter" />}
            tooltipSide="bottom"
            disabled={nothing}
            onClick={() => onStep(-1)}
          >
            <ChevronUp aria-hidden size={17} />
          </IconButton>
          <IconButton
            label={find.next}
            hint={<Kbd keys="enter" />}
            tooltipSide="bottom"
            disabled={nothing}
            onClick={() => onStep(1)}
          >
            <ChevronDown aria-hidden size={17} />
          </IconButton>
          <IconButton
            label={find.list}
            tooltipSide="bottom"
            aria-expanded={listed}
            disabled={nothing}
            onClick={() => props.onListedChange(!listed)}
          >
            <List aria-hidden size={17} />
          </IconButton>
          <IconButton
            label={find.close}
            hint={<Kbd keys="esc" />}
            tooltipSide="bottom"
            onClick={props.onClose}
          >
            <X aria-hidden size={17} />
          </IconButton>
        </div>
      </div>
      {listed && !nothing && props.children}
    </search>
  )
}

function Field({ query, onQueryChange, field }: Pick<FindBarProps, 'query' | 'onQueryChange' | 'field'>) {
  const { find } = useMessages()
  return (
    <div className="relative flex min-w-0 grow basis-40 items-center">
      <Search aria-hidden size={15} className="pointer-events-none absolute left-2.5 text-faint" />
      <input
        ref={field}
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={LIMITS.searchCharacters}
        aria-label={find.field}
        placeholder={find.placeholder}
        value={query}
        onChange={(event) => onQueryChange(event.target.value)}
        className="h-control w-full rounded-md border border-transparent bg-wash pr-2 pl-8 transition focus:border-faint focus:bg-raised focus:outline-none [&::-webkit-search-cancel-button]:hidden"
      />
    </div>
  )
}

function Outcome({ state }: { state: FindState }) {
  const { find } = useMessages()
  const format = useFormat()
  if (state.type === 'empty') return null
  if (state.type === 'searching') return find.searching
  if (state.type === 'failed') return find.failed
  const { total, more, at, within } = state
  if (total === 0) return find.none
  if (at === null) return find.found(total, format.count(total), more)
  return (
    <>
      <span className="min-w-0">
        {find.position(format.count(at.position), total, format.count(total), more)}
        {within && <span className="text-faint"> · {find.within(within.position, within.total)}</span>}
      </span>
      <FindLayer layer={at.layer} />
    </>
  )
}
