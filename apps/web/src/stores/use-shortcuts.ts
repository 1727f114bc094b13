import { isMac } from '@palimpsest/ui'
import { useEffect, useRef } from 'react'
import { isTyping, matchesKeys, type Shortcut } from './shortcuts.ts'

/** Listens for shortcuts on the whole page. A sign such as `?` is one only while nobody types. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const current = useRef(shortcuts)
  useEffect(() => {
    current.current = shortcuts
  }, [shortcuts])

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const shortcut = current.current.find(
        ({ keys, when }) => matchesKeys(event, keys, isMac()) && when?.() !== false,
      )
      if (shortcut === undefined || (shortcut.keys.length === 1 && isTyping(event.target))) return
      event.preventDefault()
      shortcut.run()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
