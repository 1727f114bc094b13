/** A key combination such as `mod+shift+o`; `mod` is ⌘ on a Mac and Ctrl elsewhere. */
export type Shortcut = {
  readonly keys: string
  readonly label: string
  readonly run: () => void
  /** Where it answers false, the keys are left to the browser. */
  readonly when?: () => boolean
}

type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'isComposing' | 'defaultPrevented'
>

/**
 * Whether a key press is this combination. A press that somebody has used already, or that composes text, is none. On a
 * Mac what is held with Ctrl belongs to the text: Ctrl K deletes to the end of the line.
 */
export function matchesKeys(event: KeyPress, keys: string, mac: boolean): boolean {
  if (event.defaultPrevented || event.isComposing || event.altKey) return false
  const parts = keys.split('+')
  const key = parts.at(-1) ?? ''
  const [mod, other] = mac ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey]
  if (other || mod !== parts.includes('mod')) return false
  // `?` and `/` need Shift on some keyboards and not on others.
  const shiftMatters = /^[a-z]+$/.test(key)
  if (shiftMatters && event.shiftKey !== parts.includes('shift')) return false
  return letterOf(event) === (key === 'esc' ? 'escape' : key)
}

/** What a key is called: by its place where its layout has no Latin letters. */
function letterOf({ key, code }: KeyPress): string {
  const isForeign = /^[^\p{ASCII}]$/u.test(key) && /^Key[A-Z]$/.test(code)
  return (isForeign ? code.slice('Key'.length) : key).toLowerCase()
}

/** Whether keys that are also text belong to whatever has the focus. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
  )
}
