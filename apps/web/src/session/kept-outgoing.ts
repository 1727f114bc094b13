import type { KeyValueStorage } from '../state/browser-storage.ts'
import { readStored, writeStored } from '../state/browser-storage.ts'
import type { Outgoing } from './outgoing.ts'

const keyOf = (sessionId: string) => `palimpsest.outgoing.${sessionId}`

/** Keeps what is on its way across a reload, for a server that was out of reach. */
export function keepOutgoing(
  storage: KeyValueStorage,
  sessionId: string,
  outgoing: readonly Outgoing[],
): void {
  writeStored(storage, keyOf(sessionId), outgoing.length === 0 ? null : outgoing)
}

/** What was on its way when the page went; it goes out again, under the same ids. */
export function readOutgoing(storage: KeyValueStorage, sessionId: string): Outgoing[] {
  const stored = readStored(storage, keyOf(sessionId))
  if (!Array.isArray(stored)) return []
  return stored
    .filter(isOutgoing)
    .map((entry) => ({ ...entry, replaces: entry.replaces ?? null, state: { type: 'sending' } }))
}

/** Storage holds what this page wrote; this only keeps out what an older or foreign page left there. */
function isOutgoing(value: unknown): value is Outgoing {
  return (
    typeof value === 'object' &&
    value !== null &&
    'createsSession' in value &&
    'message' in value &&
    typeof value.message === 'object' &&
    value.message !== null &&
    'id' in value.message &&
    'parts' in value.message &&
    typeof value.message.id === 'string' &&
    Array.isArray(value.message.parts) &&
    value.message.parts.every(isPart)
  )
}

function isPart(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
