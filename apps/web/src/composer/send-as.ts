import type { ModelRef } from '@palimpsest/core/domain'
import type { SendMode } from '@palimpsest/ui'
import type { InputPart } from '../session/input-part.ts'
import type { SessionStore } from '../session/session-store.ts'
import type { SessionCommands } from './use-session-commands.ts'

/** Sends a message the way it was asked for: behind a reply that is written, into it, or in its place. */
export function sendAs(
  { store, commands }: { store: SessionStore; commands: SessionCommands },
  {
    parts,
    model,
    workspaceRoot,
    agent,
  }: { parts: InputPart[]; model: ModelRef | null; workspaceRoot?: string; agent?: string | null },
  mode: SendMode,
): void {
  const { messageId, delivered } = store.send({
    parts,
    model,
    steer: mode === 'steer',
    ...(workspaceRoot !== undefined && { workspaceRoot }),
    ...(agent != null && { agent }),
  })
  if (mode === 'interrupt') void delivered.then((taken) => taken && commands.promote(messageId))
}
