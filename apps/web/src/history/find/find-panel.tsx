import { FindBar, FindList, type FindState } from '@palimpsest/ui'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useApp } from '../../stores/app-context.tsx'
import type { History } from '../use-history.tsx'
import { useFindMarks } from './use-find-marks.ts'
import { type Found, nearestMatch, useFound } from './use-found.ts'

export type FindPanelProps = { history: History }

/** A message that is pointed at, and its match, from 0; negative from the last. */
type Pointed = { messageId: string; match: number }

/** Find in the thread of a session: the bar above it, and the marks in it. */
export function FindPanel({ history }: FindPanelProps) {
  const { state, thread, find } = history
  const { sessionId } = state
  const { router, history: memory } = useApp()
  const [query, setQuery] = useState('')
  const [listed, setListed] = useState(false)
  const [pointed, setPointed] = useState<Pointed | null>(null)
  const { found, failed } = useFound(state, query)
  const field = useRef<HTMLInputElement>(null)
  const returnFocus = useFocus(field, find.request)

  const spot = pointed && thread.spotOf(pointed.messageId)
  const rowId = spot?.type === 'shown' ? spot.messageId : null
  const within = useFindMarks(field, found?.terms ?? null, rowId, pointed?.match ?? 0)

  const pointAt = useCallback(
    (next: Pointed) => {
      setPointed(next)
      router.replace({ sessionId, anchor: next.messageId })
    },
    [router, sessionId],
  )

  // What is typed leads to the nearest visible match; hidden text is opened by a step only.
  const answered = useRef('')
  const stepped = useRef(false)
  useEffect(() => {
    if (found === null || found.text === answered.current) return
    answered.current = found.text
    const reached = stepped.current ? found.matches : found.matches.filter(({ layer }) => layer === 'visible')
    stepped.current = false
    const nearest = nearestMatch(reached, state.messages, memory.places.of(sessionId))
    if (nearest === null) setPointed(null)
    else pointAt({ messageId: nearest.messageId, match: 0 })
  }, [found, state.messages, memory, sessionId, pointAt])

  function step(by: 1 | -1): void {
    // A step before the answer is made when it comes.
    stepped.current = found?.text !== query.trim()
    if (found === null || found.matches.length === 0 || stepped.current) return
    const { matches } = found
    const at = matches.findIndex(({ messageId }) => messageId === pointed?.messageId)
    const inside = within === null ? -1 : within.position + by
    if (pointed !== null && at !== -1 && within !== null && inside >= 0 && inside < within.total) {
      setPointed({ ...pointed, match: inside })
      return
    }
    const next =
      at === -1
        ? nearestMatch(matches, state.messages, memory.places.of(sessionId))
        : matches.at((at + by) % matches.length)
    if (next) pointAt({ messageId: next.messageId, match: by === 1 ? 0 : -1 })
  }

  function close(): void {
    find.close()
    if (pointed !== null && router.get().anchor === pointed.messageId)
      router.replace({ sessionId, anchor: null })
    returnFocus()
  }

  return (
    <FindBar
      query={query}
      onQueryChange={setQuery}
      state={stateOf({ query, found, failed, pointed, within })}
      onStep={step}
      onClose={close}
      listed={listed}
      onListedChange={setListed}
      field={field}
    >
      <FindList
        matches={found?.matches ?? []}
        currentId={pointed?.messageId ?? null}
        onSelect={(messageId) => pointAt({ messageId, match: 0 })}
      />
    </FindBar>
  )
}

type Shown = {
  query: string
  found: Found | null
  failed: boolean
  pointed: Pointed | null
  within: { position: number; total: number } | null
}

function stateOf({ query, found, failed, pointed, within }: Shown): FindState {
  if (query.trim() === '') return { type: 'empty' }
  if (failed) return { type: 'failed' }
  if (found?.text !== query.trim()) return { type: 'searching' }
  const { matches, more } = found
  const at = matches.findIndex(({ messageId }) => messageId === pointed?.messageId)
  const match = matches[at]
  return {
    type: 'found',
    total: matches.length,
    more,
    at: match === undefined ? null : { position: at + 1, layer: match.layer },
    within: within !== null && within.total > 1 ? { ...within, position: within.position + 1 } : null,
  }
}

/** Focuses the field at each request. Returns how to give the focus back to what had it before. */
function useFocus(field: RefObject<HTMLInputElement | null>, request: number): () => void {
  const before = useRef<Element | null>(null)
  useEffect(() => {
    if (request === 0) return
    const { activeElement } = document
    if (!activeElement?.closest('search')) before.current = activeElement
    // Held keys are typed once the field has the focus; React keeps what is typed only outside of its own work.
    queueMicrotask(() => {
      field.current?.focus()
      if (request > 1) field.current?.select()
    })
  }, [field, request])
  return () => {
    const { current } = before
    const isThere = current instanceof HTMLElement && current.isConnected && current !== document.body
    const target = isThere ? current : document.querySelector<HTMLElement>('[role=log]')
    target?.focus({ preventScroll: true })
  }
}
