import { useEffect, useState } from 'react'
import { useMediaQuery } from './use-media-query.ts'

/** Whether the page is dark, by `data-theme` or by the system. */
export function useIsDark(): boolean {
  const system = useMediaQuery('(prefers-color-scheme: dark)')
  const [theme, setTheme] = useState<string | undefined>(undefined)
  useEffect(() => {
    const root = document.documentElement
    const read = () => setTheme(root.dataset['theme'])
    read()
    const observer = new MutationObserver(read)
    observer.observe(root, { attributeFilter: ['data-theme'] })
    return () => observer.disconnect()
  }, [])
  return theme === 'dark' || (theme !== 'light' && system)
}
