import { toChatMessage } from '../domain/message/message.ts'
import { sameModel } from '../domain/model/model.ts'
import type { Session } from '../domain/session/session.ts'
import { announceQueue, announceUsage } from '../history/apply/announce.ts'
import { noteSwitch } from '../history/apply/note-switch.ts'
import { announceChange } from '../history/apply/perform.ts'
import type { PlannedRewind } from '../history/apply/rewind.ts'
import type { BegunTurn, RunState, TurnPorts } from './run-state.ts'

/** Publishes what the start of a turn has stored: its rewind, its title, its message and the queue without that message. */
export function announceBegin(
  { start: { trigger, session: asked }, begun: { session, message } }: BegunTurn,
  planned: PlannedRewind | null,
  ports: TurnPorts,
): void {
  const { events, background } = ports
  const sessionId = session.id
  if (planned !== null) {
    const { change, outline } = planned
    background.start('announce', () => announceChange(change, outline, session, ports))
  }
  const renamed = session.title !== asked.title
  if (renamed) events.publish({ type: 'title', sessionId, title: session.title })
  // Before the message, which takes its model out of the sender's choice.
  if (renamed || !sameModel(session.model, asked.model))
    events.publish({ type: 'session-changed', sessionId, session })
  if (message !== null) events.publish({ type: 'message-added', sessionId, message: toChatMessage(message) })
  if (trigger.type === 'queued') background.start('announce', () => announceQueue(sessionId, ports))
}

/** Adds a switch of models to the timeline, and publishes the start of the run. */
export async function announceRun(
  { session, runId, epoch, model, visible }: RunState,
  asked: Session,
  ports: TurnPorts,
): Promise<void> {
  await noteSwitch({ session, run: { runId, epoch }, from: asked.model, to: model, visible }, ports)
  ports.background.start('announce', () => announceUsage(session, ports, visible))
}
