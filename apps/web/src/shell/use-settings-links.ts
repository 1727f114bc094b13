import { isPlainClick } from '@palimpsest/ui'
import { useEffect } from 'react'
import { parseRoute, type SettingsSection } from '../stores/route.ts'

/** Follows every link to the settings without loading a page. */
export function useSettingsLinks(open: (section: SettingsSection) => void): void {
  useEffect(() => {
    function onClick(event: MouseEvent): void {
      const link = event.target instanceof Element ? event.target.closest('a[href^="/settings"]') : null
      const section = link && parseRoute(link.getAttribute('href') ?? '', '', '').settings
      if (!section || event.defaultPrevented || !isPlainClick(event)) return
      event.preventDefault()
      open(section)
    }
    document.addEventListener('click', onClick)
    return () => document.removeEventListener('click', onClick)
  }, [open])
}
