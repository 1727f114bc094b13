/** Copies text to the clipboard. Resolves to false when the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  // Browsers leave the clipboard out on pages that came over plain HTTP from another machine.
  const clipboard: Clipboard | undefined = navigator.clipboard
  if (clipboard === undefined) return copySelected(text)
  try {
    await clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

/** The fallback: copies the selection of a hidden field. */
function copySelected(text: string): boolean {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.style.cssText = 'position:fixed;top:0;opacity:0'
  // A modal dialog does not let an element outside of it take the focus.
  const place = focused?.closest('[role=dialog]') ?? document.body
  place.append(field)
  try {
    field.focus({ preventScroll: true })
    field.select()
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}
