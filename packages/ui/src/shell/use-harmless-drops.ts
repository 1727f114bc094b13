import { useEffect } from 'react'

/** Keeps the browser from opening a file that is dropped where nothing takes it. */
export function useHarmlessDrops(): void {
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    const keep = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    window.addEventListener('dragover', keep, { signal })
    window.addEventListener('drop', keep, { signal })
    return () => stop.abort()
  }, [])
}
