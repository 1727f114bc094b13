import { type SearchTerms, searchHits } from '@palimpsest/core/domain'

/** Names of the highlights in the style sheet. */
const ALL = 'find'
const CURRENT = 'find-current'

/** Text of controls, and text for screen readers alone. */
const NOT_SAID = 'button, summary, textarea, [aria-hidden=true], .sr-only'

/** Where the terms occur in the rendered text of an element, in order. */
export function findRanges(root: Element, terms: SearchTerms): Range[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const ranges: Range[] = []
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const hits = searchHits(node.textContent ?? '', terms)
    if (hits.length === 0 || node.parentElement?.closest(NOT_SAID)) continue
    for (const { start, end } of hits) {
      const range = document.createRange()
      range.setStart(node, start)
      range.setEnd(node, end)
      ranges.push(range)
    }
  }
  return ranges
}

/** Marks ranges, where the browser has highlights. */
export function markRanges(ranges: readonly Range[], current: Range | undefined): void {
  if (!hasHighlights()) return
  CSS.highlights.set(ALL, new Highlight(...ranges))
  CSS.highlights.set(CURRENT, new Highlight(...(current === undefined ? [] : [current])))
}

export function removeMarks(): void {
  if (!hasHighlights()) return
  CSS.highlights.delete(ALL)
  CSS.highlights.delete(CURRENT)
}

function hasHighlights(): boolean {
  return typeof CSS !== 'undefined' && 'highlights' in CSS && typeof Highlight !== 'undefined'
}
