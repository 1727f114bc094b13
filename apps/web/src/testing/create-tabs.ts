import type { KeyValueStorage } from '../state/browser-storage.ts'
import { memoryStorage } from '../state/browser-storage.ts'
import type { FileStorage } from '../state/file-storage.ts'
import { createFileStorage } from '../state/file-storage.ts'

type Listener = (key: string, text: string | null) => void

/** Tabs of one browser: each has its own view of one storage, and is called back for what the others write. */
export function createTabs() {
  const shared = memoryStorage()
  const tabs = new Set<Set<Listener>>()

  function open(): { storage: KeyValueStorage; files: FileStorage } {
    const own = new Set<Listener>()
    tabs.add(own)
    const notify = (key: string, text: string | null) => {
      for (const listeners of tabs) {
        if (listeners !== own) for (const listener of [...listeners]) listener(key, text)
      }
    }
    const storage: KeyValueStorage = {
      ...shared,
      setItem(key, text) {
        const changes = shared.getItem(key) !== text
        shared.setItem(key, text)
        if (changes) notify(key, text)
      },
      removeItem(key) {
        const changes = shared.getItem(key) !== null
        shared.removeItem(key)
        if (changes) notify(key, null)
      },
      subscribe(listener) {
        own.add(listener)
        return () => void own.delete(listener)
      },
    }
    return { storage, files: createFileStorage(storage, undefined) }
  }

  return { open, shared }
}
