/** Milliseconds after which keys go to the page again, though no dialog has come. */
const HELD_MS = 5_000

/** What takes the keys: dialogs, and the bar that searches a thread. */
const DIALOG = '[role="dialog"], [role="alertdialog"], search'

let cancelCurrent: (() => void) | null = null

/**
 * Keeps the keys that are typed from now on from whatever has the focus, until a dialog takes it; that dialog then
 * receives them. Returns the end of it, which drops what was held.
 */
export function holdKeys(): () => void {
  if (document.activeElement?.closest(DIALOG)) return () => undefined
  if (cancelCurrent !== null) return cancelCurrent
  const held: KeyboardEvent[] = []
  const stop = new AbortController()
  const options = { capture: true, signal: stop.signal }
  const cancel = () => {
    clearTimeout(timer)
    stop.abort()
    if (cancelCurrent === cancel) cancelCurrent = null
  }
  const timer = setTimeout(cancel, HELD_MS)

  function onKeyDown(event: KeyboardEvent): void {
    if (event.target instanceof Element && event.target.closest(DIALOG) !== null) return
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    event.preventDefault()
    event.stopImmediatePropagation()
    held.push(event)
  }

  function onFocusIn({ target }: FocusEvent): void {
    if (!(target instanceof HTMLElement) || target.closest(DIALOG) === null) return
    cancel()
    for (const event of held) typeKey(event)
  }

  window.addEventListener('keydown', onKeyDown, options)
  document.addEventListener('focusin', onFocusIn, options)
  cancelCurrent = cancel
  return cancel
}

/** Does with a held key what the browser would do in the element that has the focus now. */
function typeKey({ key, code, shiftKey }: KeyboardEvent): void {
  const target = document.activeElement ?? document.body
  const event = new KeyboardEvent('keydown', { key, code, shiftKey, bubbles: true, cancelable: true })
  if (!target.dispatchEvent(event)) return
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
  if (!isField || (key.length > 1 && key !== 'Backspace')) return
  const end = target.selectionEnd ?? target.value.length
  const start = target.selectionStart ?? end
  if (key === 'Backspace') target.setRangeText('', start === end ? Math.max(0, start - 1) : start, end, 'end')
  else target.setRangeText(key, start, end, 'end')
  target.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
