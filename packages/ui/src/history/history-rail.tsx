import { type KeyboardEvent, type PointerEvent, useId, useMemo, useRef, useState } from 'react'
import { useMessages } from '../messages/messages-context.tsx'

/** What happened after a state: a message, an edit or another reply, a branch, a summary, or another change. */
export type RailMark = 'message' | 'edit' | 'fork' | 'summary' | 'change'

export type RailStop = { id: string; mark: RailMark; name: string }

export type HistoryRailProps = {
  /** Earlier states, the oldest first; the present follows the last of them. */
  stops: readonly RailStop[]
  /** The state that is previewed; null for the present. */
  previewed: string | null
  /** Null leaves the preview. */
  onPreview: (id: string | null) => void
  /** Enter on a previewed state: the focus goes to what restores it. Nothing is restored here. */
  onChoose: () => void
  /** Called when a pointer or the focus comes to the rail. */
  onApproach?: () => void
}

/** Steps of PageUp and PageDown. */
const PAGE = 10
/** Marks that are drawn at most: of messages, and of changes. More of them are one grey bar. */
const MESSAGE_MARKS = 32
const CHANGE_MARKS = 96

/** Every state of a chat on a vertical scale: pointer and arrow keys preview one, and Escape goes back to now. */
export function HistoryRail({ stops, previewed, onPreview, onChoose, onApproach }: HistoryRailProps) {
  const { rail } = useMessages().history
  const hint = useId()
  const track = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  const now = stops.length
  const found = previewed === null ? -1 : stops.findIndex(({ id }) => id === previewed)
  const value = found === -1 ? now : found
  const nameAt = (at: number) => stops[at]?.name ?? rail.now
  const marks = useMemo(() => drawnMarks(stops), [stops])

  const go = (at: number) => {
    const next = stops[Math.min(now, Math.max(0, at))]?.id ?? null
    if (next !== previewed) onPreview(next)
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const to = placeOfKey(event.key, value, now)
    if (to !== null) go(to)
    else if (event.key === 'Enter' && previewed !== null) onChoose()
    else if (event.key === 'Escape' && previewed !== null) onPreview(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const placeOf = (event: PointerEvent) => {
    const box = track.current?.getBoundingClientRect()
    if (box === undefined || box.height === 0) return now
    return Math.round(Math.min(1, Math.max(0, (event.clientY - box.top) / box.height)) * now)
  }
  const shown = pointed ?? (previewed === null ? null : value)

  return (
    <>
      <div
        ref={track}
        role="slider"
        tabIndex={0}
        aria-label={rail.label}
        aria-describedby={hint}
        aria-orientation="vertical"
        aria-valuemin={0}
        aria-valuemax={now}
        aria-valuenow={value}
        aria-valuetext={nameAt(value)}
        data-past={previewed === null ? undefined : ''}
        onFocus={onApproach}
        onPointerEnter={onApproach}
        onKeyDown={handleKey}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture?.(event.pointerId)
          go(placeOf(event))
        }}
        onPointerMove={(event) => {
          const place = placeOf(event)
          setPointed(place)
          if (event.buttons > 0) go(place)
        }}
        onPointerLeave={() => setPointed(null)}
        className="history-rail"
      >
        {marks.map(({ id, mark, at }) => (
          <span
            key={id}
            aria-hidden
            data-mark={mark}
            style={{ top: topOf(at, now) }}
            className="history-rail-mark"
          />
        ))}
        <span aria-hidden style={{ top: topOf(value, now) }} className="history-rail-thumb" />
        {shown !== null && (
          <span
            aria-hidden
            style={{ top: topOf(shown, now) }}
            className="history-rail-name popup px-2.5 py-1 text-xs first-letter:uppercase"
          >
            {nameAt(shown)}
          </span>
        )}
      </div>
      <span id={hint} className="sr-only">
        {rail.hint}
      </span>
    </>
  )
}

/** Where a key leads, up to earlier states and down to later ones; null for other keys. */
function placeOfKey(key: string, value: number, now: number): number | null {
  const places: Record<string, number> = {
    ArrowUp: value - 1,
    ArrowDown: value + 1,
    PageUp: value - PAGE,
    PageDown: value + PAGE,
    Home: 0,
    End: now,
  }
  return places[key] ?? null
}

function topOf(at: number, now: number): string {
  return `${now === 0 ? 100 : (at / now) * 100}%`
}

/** Some marks of messages, evenly, and of changes one in each stretch of the rail. */
function drawnMarks(stops: readonly RailStop[]): (RailStop & { at: number })[] {
  const every = Math.max(1, Math.ceil(stops.length / MESSAGE_MARKS))
  const stretch = Math.max(1, stops.length / CHANGE_MARKS)
  let last = -1
  return stops.flatMap((stop, at) => {
    if (stop.mark === 'message') return at % every === 0 ? [{ ...stop, at }] : []
    const place = Math.floor(at / stretch)
    if (place === last) return []
    last = place
    return [{ ...stop, at }]
  })
}
