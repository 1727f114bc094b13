import type { SearchTerms } from '@palimpsest/core/domain'
import { type RefObject, useEffect, useState } from 'react'
import { findRanges, markRanges, removeMarks } from './find-marks.ts'

/** Milliseconds between two searches of a page that changes. */
const INTERVAL_MS = 150
/** Frames in a row without movement after which a row that was scrolled to has arrived, and frames until then at most. */
const STEADY_FRAMES = 6
const FRAMES = 60

/**
 * Marks the matches in the rows that are rendered, and scrolls to one of a row, from 0, or negative from its last.
 * Returns which one of how many it is there. `field` is inside of the bar above the thread.
 */
export function useFindMarks(
  field: RefObject<HTMLElement | null>,
  terms: SearchTerms | null,
  rowId: string | null,
  match: number,
): { position: number; total: number } | null {
  const [within, setWithin] = useState<{ position: number; total: number } | null>(null)

  useEffect(() => {
    const root = field.current?.closest('search')?.parentElement
    if (!root || terms === null) return
    const mark = () => {
      const rows = [...root.querySelectorAll('[role=log] [data-index]')]
      const ranges = rows.map((row) => ({ id: row.id, ranges: findRanges(row, terms) }))
      const own = ranges.find(({ id }) => id === rowId)?.ranges ?? []
      const at = indexOf(match, own.length)
      markRanges(
        ranges.flatMap((row) => row.ranges),
        own[at],
      )
      setWithin((last) => {
        if (own.length === 0) return null
        return last?.position === at && last.total === own.length ? last : { position: at, total: own.length }
      })
    }
    let timer: ReturnType<typeof setTimeout> | null = null
    const observer = new MutationObserver(() => {
      timer ??= setTimeout(() => {
        timer = null
        mark()
      }, INTERVAL_MS)
    })
    observer.observe(root, { childList: true, subtree: true, characterData: true })
    mark()
    return () => {
      observer.disconnect()
      if (timer !== null) clearTimeout(timer)
    }
  }, [field, terms, rowId, match])

  useEffect(() => removeMarks, [])

  useEffect(() => {
    if (rowId === null || terms === null) return
    return whenSteady(rowId, (row) => {
      const ranges = findRanges(row, terms)
      const range = ranges[indexOf(match, ranges.length)]
      if (range !== undefined) showRange(range, row)
    })
  }, [terms, rowId, match])

  return within
}

function indexOf(match: number, total: number): number {
  return match < 0 ? Math.max(0, total + match) : Math.min(match, total - 1)
}

/** Calls `act` once a row is rendered and has stopped moving. Returns how to cancel it. */
function whenSteady(rowId: string, act: (row: Element) => void): () => void {
  let [top, steady, frames] = [Number.NaN, 0, 0]
  const look = () => {
    const row = document.getElementById(rowId)
    const next = row?.getBoundingClientRect().top ?? Number.NaN
    steady = next === top ? steady + 1 : 0
    top = next
    frames += 1
    if (row !== null && steady >= STEADY_FRAMES) act(row)
    else if (frames < FRAMES) frame = requestAnimationFrame(look)
  }
  let frame = requestAnimationFrame(look)
  return () => cancelAnimationFrame(frame)
}

/** Scrolls a thread so that a match is in its upper third, unless it is in view. */
function showRange(range: Range, row: Element): void {
  const scroller = row.closest('[role=log]')
  if (scroller === null) return
  const [match, view] = [range.getBoundingClientRect(), scroller.getBoundingClientRect()]
  if (match.top >= view.top && match.bottom <= view.bottom) return
  scroller.scrollTop += match.top - view.top - view.height / 3
}
