import { useMessages } from '@palimpsest/ui'
import type { SessionStore } from '../session/session-store.ts'
import { useRewindEffect } from './use-rewind-effect.ts'

/** Beside the name of the button that rewinds: what it would do. Counted once it is looked at. */
export function RewindHint({ store, messageId }: { store: SessionStore; messageId: string }) {
  const { prompts } = useMessages().history
  const effect = useRewindEffect(store, messageId)
  if (effect === null) return null
  const files = effect.files ? [prompts.restores(effect.files)] : []
  return <span className="text-muted">{[prompts.hides(effect.hides), ...files].join(' · ')}</span>
}
