import { type RefObject, useEffect, useRef } from 'react'

/** Where keys belong to what is open over the page. */
const OVER = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

/**
 * Calls `onDigit` for a digit that is pressed anywhere on the page and is no text: outside of fields, in the message field while it
 * is empty, and with Ctrl and Shift in any field. A digit that was handled in the card already is left alone. Null listens to
 * nothing.
 */
export function useAskKeys(
  card: RefObject<HTMLElement | null>,
  onDigit: ((digit: number) => void) | null,
): void {
  const current = useRef(onDigit)
  useEffect(() => {
    current.current = onDigit
  }, [onDigit])
  const on = onDigit !== null
  useEffect(() => {
    if (!on) return
    function handleKey(event: KeyboardEvent): void {
      const digit = digitOf(event)
      if (digit === null || event.defaultPrevented || event.isComposing || event.repeat) return
      const target = event.target instanceof HTMLElement ? event.target : document.body
      const over = target.closest(OVER)
      if (over !== null && !over.contains(card.current)) return
      event.preventDefault()
      current.current?.(digit)
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [on, card])
}

/** The digit of a key that decides; null where it is text or another shortcut. */
function digitOf({ key, code, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): number | null {
  if (metaKey || altKey) return null
  // With Shift the key is another sign, so its place on the keyboard counts.
  const placed = /^(?:Digit|Numpad)([0-9])$/.exec(code)?.[1]
  if (ctrlKey) return shiftKey && placed !== undefined ? Number(placed) : null
  return /^[0-9]$/.test(key) && !isText(target) ? Number(key) : null
}

/** Whether a sign that is pressed there becomes text; an empty message field has none yet. */
function isText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLTextAreaElement && target.matches('.composer-field')) return target.value !== ''
  return (
    target.isContentEditable || target.matches('input:not([type=radio], [type=checkbox]), textarea, select')
  )
}
