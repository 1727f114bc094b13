import type { ThreadPlace } from '@palimpsest/ui'
import { type KeyValueStorage, readStored, writeStored } from '../state/browser-storage.ts'

/** Where each session was last read in this tab; nothing is kept of one that was read to its end. */
export type Places = {
  of(sessionId: string): ThreadPlace | null
  keep(sessionId: string, place: ThreadPlace | null): void
}

const keyOf = (sessionId: string) => `palimpsest.place.${sessionId}`

export function createPlaces(storage: KeyValueStorage): Places {
  return {
    of(sessionId) {
      const stored = readStored(storage, keyOf(sessionId))
      return isPlace(stored) ? stored : null
    },
    keep: (sessionId, place) => void writeStored(storage, keyOf(sessionId), place),
  }
}

function isPlace(value: unknown): value is ThreadPlace {
  return (
    typeof value === 'object' &&
    value !== null &&
    'messageId' in value &&
    typeof value.messageId === 'string' &&
    'offset' in value &&
    typeof value.offset === 'number'
  )
}
