import type { StoredMessage } from '../domain/message/message.ts'
import type { Session } from '../domain/session/session.ts'
import { usageEvent } from '../history/apply/announce.ts'
import type { WindowPorts } from '../history/read/session-window.ts'
import type { SessionEvents } from '../ports/index.ts'
import type { Background } from '../state/background.ts'

/**
 * Notes the size of a run's system prompt and tools. What was announced before held an estimate without instructions,
 * skills and tools of servers: until the first reply is counted, the window is published again.
 */
export function noteFixedPart(
  { session, visible }: { session: Session; visible: readonly StoredMessage[] },
  tokens: number,
  usable: number | null,
  ports: WindowPorts & { events: SessionEvents; background: Background },
): void {
  const { fixedParts, background, events } = ports
  const before = fixedParts.of(session, usable)
  fixedParts.note(session.id, tokens, usable)
  if (session.contextTokens > 0 || before === tokens) return
  background.start('announce', async () => events.publish(await usageEvent(session, ports, visible)))
}
