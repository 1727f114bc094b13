import type { SessionEvents } from '../ports/index.ts'
import type { HookRunner } from './hook-runner.ts'

/** Reports each reply that is stored whole and each change of a session's row to the hooks of `session.save`, if there are any. */
export function reportSaves(hooks: HookRunner, events: SessionEvents): void {
  if (!hooks.has('session.save')) return
  events.subscribe(null, (event) => {
    const { sessionId } = event
    if (event.type === 'session-changed') hooks.report('session.save', { sessionId, saved: 'session' })
    if (event.type === 'message-settled')
      hooks.report('session.save', { sessionId, saved: 'reply', messageId: event.message.id })
  })
}
