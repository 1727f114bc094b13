/** A reading place: the message at the upper edge, and how many pixels of it are above that edge. */
export type ThreadPlace = { messageId: string; offset: number }

/** The place that a scrolled thread shows at its top; null while it renders nothing. */
export function placeOf(scroller: HTMLElement): ThreadPlace | null {
  const { top } = scroller.getBoundingClientRect()
  const rows = [...scroller.querySelectorAll<HTMLElement>('[data-index]')]
  const row = rows.find((element) => element.getBoundingClientRect().bottom > top)
  return row ? { messageId: row.id, offset: Math.round(top - row.getBoundingClientRect().top) } : null
}

/** The rendered row of a message. */
export function rowOf(scroller: HTMLElement, messageId: string): HTMLElement | undefined {
  return [...scroller.querySelectorAll<HTMLElement>('[data-index]')].find(({ id }) => id === messageId)
}

/** Scrolls to a place whose message is rendered; returns whether it is there now. */
export function standAt(scroller: HTMLElement, { messageId, offset }: ThreadPlace): boolean {
  const row = rowOf(scroller, messageId)
  if (!row) return false
  const missing = row.getBoundingClientRect().top - scroller.getBoundingClientRect().top + offset
  if (Math.abs(missing) > 1) scroller.scrollTop += missing
  return Math.abs(missing) <= 1
}
