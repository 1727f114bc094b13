import type { Session } from '../domain/session/session.ts'
import type { Condenser } from '../history/condensing/condenser.ts'
import type { CorePorts } from '../history/core-ports.ts'
import type { HookRunner } from '../hook/hook-runner.ts'
import type { ChatEnd } from '../run/run-state.ts'
import type { Turns } from '../run/run-turn.ts'
import type { Background } from '../state/background.ts'
import type { Coordinator } from '../state/coordinator.ts'
import type { Scoped } from '../state/session-scopes.ts'
import type { Shell } from '../tool/shell.ts'
import { factsOf } from './lifecycle.ts'
import type { SessionService } from './service.ts'

type Ports = CorePorts & {
  coordinator: Coordinator
  condenser: Condenser
  background: Background
  chatEnds: Scoped<ChatEnd>
  shell: Shell | null
  hookRunner: HookRunner
}

/** Archives chats with all that works for them, and brings them back. */
export function createArchiving(
  ports: Ports,
  turns: Pick<Turns, 'stop' | 'deliverResults'>,
): Pick<SessionService, 'archive' | 'unarchive'> {
  const { store, clock, events, coordinator, background, chatEnds } = ports

  function changed(session: Session): Session {
    events.publish({ type: 'session-changed', sessionId: session.id, session })
    return session
  }

  async function setArchived(sessionId: string, archived: boolean): Promise<Session> {
    const now = clock.now()
    return changed(await store.sessions.setArchived(sessionId, archived ? now : null, now))
  }

  const stop = (sessionId: string) => turns.stop(sessionId, { pauseQueue: true })

  /**
   * Ends what works for an archived chat: at once, unless a turn of it works, which ends first. One that waits for a person, or
   * begins to, is stopped.
   */
  async function endWork(sessionId: string): Promise<void> {
    await coordinator.whenNotHeld(sessionId)
    const { state } = await coordinator.status(sessionId)
    const isOn = coordinator.active(sessionId) !== null || coordinator.waiting(sessionId) !== null
    if (isOn && state !== 'waiting') {
      chatEnds.of(sessionId).onRunEnd = (ended, waitsOn) => {
        if (waitsOn !== null && waitsOn !== 'task') background.start('archive', () => stop(ended))
        if (ended !== sessionId || waitsOn !== null) return
        chatEnds.of(sessionId).onRunEnd = null
        background.start('archive', () => endWork(sessionId))
      }
      return
    }
    ports.condenser.abort(sessionId)
    await stop(sessionId)
    await coordinator.whenNotHeld(sessionId)
    const family = await store.sessions.deletion(sessionId, false)
    await Promise.all(family.map((id) => ports.shell?.endSession(id)))
  }

  return {
    async archive(sessionId) {
      const session = await setArchived(sessionId, true)
      await endWork(sessionId)
      ports.hookRunner.report('session.archive', factsOf(session))
      return session
    },

    async unarchive(sessionId) {
      const session = await setArchived(sessionId, false)
      const end = chatEnds.find(sessionId)
      if (end !== undefined) end.onRunEnd = null
      background.start('deliver', () => turns.deliverResults(sessionId))
      return session
    },
  }
}
