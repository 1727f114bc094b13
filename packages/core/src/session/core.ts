import { AppError } from '../domain/errors.ts'
import type { Session } from '../domain/session.ts'
import type { Agent } from '../run/agent.ts'
import type { RunPolicy } from '../run/execute-run.ts'
import { createAgents } from './agents.ts'
import { createAnswering } from './answering.ts'
import { createBackground } from './background.ts'
import { createCompactionSettings } from './compaction-settings.ts'
import { createCoordinator } from './coordinator.ts'
import type { CorePorts, CoreSettings } from './core-ports.ts'
import { createCondenser } from './history/condenser.ts'
import { createHistory } from './history/history.ts'
import { createSummaryDrafts } from './history/summary-drafts.ts'
import { createWorkspace } from './history/workspace.ts'
import { createKeeping } from './keeping.ts'
import { createQueueing } from './queueing.ts'
import { createReading } from './reading.ts'
import { recoverRuns } from './recovery.ts'
import { createSending } from './sending.ts'
import type { SessionService } from './service.ts'
import { createTurns } from './turns.ts'

/** Saves with every chunk, tries a step three times, gives a provider up after two minutes of silence. */
const RUN_POLICY: RunPolicy = { savePolicy: 'chunk', maxTries: 3, stallMs: 120_000 }

export interface Core {
  readonly sessions: SessionService
  /** Finishes what a dead host left open. Call once, before the first request. Answers how many runs that were. */
  recover(): Promise<number>
  /**
   * Takes no more runs, lets those that are on finish within `graceMs`, stops the rest, and waits for all to settle.
   * Called again it can only shorten the time that they have.
   */
  shutdown(graceMs: number): Promise<void>
  /** Runs that are on. */
  readonly activeRuns: number
}

export function createCore(ports: CorePorts, settings: CoreSettings): Core {
  const { store, clock } = ports
  const agents = createAgents(settings.agent)
  const coordinator = createCoordinator(ports)
  const background = createBackground(ports)

  function agentOf(id: string | undefined): Agent {
    const agent = id === undefined ? undefined : agents.get(id)
    if (agent === undefined)
      throw new AppError('INVALID_INPUT', `There is no agent "${id}".`, { field: 'agent' })
    return agent
  }

  async function requireSession(sessionId: string): Promise<Session> {
    const session = await store.sessions.get(sessionId)
    if (session === null)
      throw new AppError('SESSION_NOT_FOUND', 'There is no such session.', { field: 'sessionId' })
    return session
  }

  const compactionOf = createCompactionSettings(settings.compaction, agents)
  const drafts = createSummaryDrafts({ ...ports, compactionOf })
  const workspace = createWorkspace(ports)
  const condenser = createCondenser({ ...ports, coordinator, background, compactionOf })
  const inner = {
    ...ports,
    coordinator,
    background,
    agents,
    agentOf,
    compactionOf,
    drafts,
    workspace,
    condenser,
  }
  const turns = createTurns(inner, settings, { ...RUN_POLICY, ...settings.runs })

  /** What was sent during a compaction goes on after it. */
  function drain(sessionId: string): void {
    background.start('drain', async () => void (await turns.drain(sessionId)))
  }

  return {
    sessions: {
      ...createKeeping(inner, requireSession),
      ...createReading(inner, requireSession),
      ...createSending(inner, turns, requireSession),
      ...createAnswering(inner, turns, requireSession),
      queue: createQueueing(inner, turns, requireSession),
      history: createHistory(inner, requireSession, drain),
    },

    recover: () => recoverRuns(ports),

    async shutdown(graceMs) {
      coordinator.close()
      using _timer = clock.after(graceMs, () => {
        for (const run of coordinator.activeRuns) run.abort()
      })
      await Promise.all(coordinator.activeRuns.map(({ released }) => released))
      await background[Symbol.asyncDispose]()
    },

    get activeRuns() {
      return coordinator.activeRuns.length
    },
  }
}
