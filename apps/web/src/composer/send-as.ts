import type { SendMode } from '@palimpsest/ui'
import type { SendInput, SessionStore } from '../session/session-store.ts'
import type { SessionCommands } from './use-session-commands.ts'

/** Sends a message the way it was asked for: behind a reply that is written, into it, or in its place. */
export function sendAs(
  { store, commands }: { store: SessionStore; commands: SessionCommands },
  message: Omit<SendInput, 'steer'>,
  mode: SendMode,
): void {
  const { messageId, delivered } = store.send({ ...message, steer: mode === 'steer' })
  if (mode === 'interrupt') void delivered.then((taken) => taken && commands.promote(messageId))
}
