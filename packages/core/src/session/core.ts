import { type BlobService, createBlobKeeper } from '../blob/blob-service.ts'
import { createBudgets } from '../budget/budgets.ts'
import { AppError } from '../domain/errors.ts'
import type { Session } from '../domain/session/session.ts'
import { type ArchiveService, createArchive } from '../history/archive/archive.ts'
import { createChanges } from '../history/changes/changes.ts'
import { createCondenser } from '../history/condensing/condenser.ts'
import type { CorePorts } from '../history/core-ports.ts'
import { noteHooks } from '../history/files/note-hooks.ts'
import { createWorkspace } from '../history/files/workspace.ts'
import { createHistory } from '../history/history.ts'
import { createCompactionSettings } from '../history/plan/compaction-config.ts'
import { createFixedParts } from '../history/read/fixed-parts.ts'
import { createFailedAttempts } from '../history/summary/failed-attempts.ts'
import { createSummaryDrafts } from '../history/summary/summary-drafts.ts'
import { createHookRunner } from '../hook/hook-runner.ts'
import { reportSaves } from '../hook/report-saves.ts'
import { createLearnedWindows, withLearnedWindows } from '../model/learned-windows.ts'
import type { ChatEnd, RunPolicy } from '../run/run-state.ts'
import { createTurns } from '../run/run-turn.ts'
import { createBackground } from '../state/background.ts'
import { createCoordinator } from '../state/coordinator.ts'
import { recoverRuns, restoreWaiting } from '../state/recovery.ts'
import { createSessionScopes } from '../state/session-scopes.ts'
import { settleTasks } from '../state/settle-tasks.ts'
import { createStoreClaims } from '../state/store-claims.ts'
import { createSubagentLimit } from '../state/subagent-limit.ts'
import { withCommandPolicy } from '../tool/bash/command-watchdog.ts'
import { createShell } from '../tool/bash/shell.ts'
import { createMcpHub } from '../tool/mcp/mcp-hub.ts'
import { createBundledSkills } from '../workspace/skills.ts'
import { NO_SOURCES } from '../workspace/source-folders.ts'
import { createTrust } from '../workspace/trust.ts'
import { createAgentRegistry } from './agent-registry.ts'
import { createAgents, fixedTokensOf, reservedToolIds, toAgentView } from './agents.ts'
import { createArchiving } from './archiving.ts'
import { createAsking } from './asking.ts'
import { createBin } from './bin.ts'
import { createBudgeting } from './budgeting.ts'
import type { CoreSettings } from './core-settings.ts'
import { createFileFinder } from './find-files.ts'
import { createInspecting } from './inspecting.ts'
import { createLastingPermissions } from './lasting-permissions.ts'
import { createLifecycle } from './lifecycle.ts'
import { createMcpControl } from './mcp-control.ts'
import { createMemories } from './memories.ts'
import { createProcessControl } from './process-control.ts'
import { createQueueing } from './queue.ts'
import { createReading } from './read.ts'
import { createResumeAndAbort } from './resume-and-abort.ts'
import { createSending } from './send.ts'
import type { SessionService } from './service.ts'
import { createSettings } from './settings.ts'
import { createSources } from './sources.ts'

/** Defaults: every chunk is saved, a step is tried three times, a silent provider is given up after two minutes. */
const RUN_POLICY: RunPolicy = { savePolicy: 'chunk', maxTries: 3, stallMs: 120_000, headless: false }

export interface Core {
  readonly sessions: SessionService
  readonly blobs: BlobService
  readonly archive: ArchiveService
  /** Ends the runs that a dead host left open, and finds those that wait. Call once, before the first request. Returns their number; what fails is logged. */
  recover(): Promise<number>
  /** Continues the queues that a shutdown left, and runs that no longer have to wait. Call once, when the host serves. */
  continueQueues(): Promise<void>
  /** Purges what has been in the bin for 30 days, and files that no message has named for a day, now and every hour. Call once, when the host serves. */
  startBinSweep(): void
  /**
   * Accepts no more runs, lets running ones finish within `graceMs`, aborts the rest, and waits for all to settle.
   * A second call can only shorten the time.
   */
  shutdown(graceMs: number): Promise<void>
  /** Number of runs that are running. */
  readonly activeRuns: number
}

export function createCore(ports: CorePorts, settings: CoreSettings): Core {
  const { store, clock } = ports
  const { processes, sandbox } = ports
  const shell = processes && sandbox ? createShell({ ...ports, processes, sandbox }) : null
  const agents = createAgents(settings.agent, {
    runsCommands: shell !== null,
    readsWeb: ports.web !== undefined,
    searchesWeb: ports.webSearch !== undefined,
  })
  const mcpHub = ports.mcp ? createMcpHub({ ...ports, mcp: ports.mcp }, reservedToolIds(agents)) : null
  const coordinator = createCoordinator(ports)
  const background = createBackground(ports)
  const {
    models: known,
    instructions,
    chosenModel,
    proposesMemories,
    ...entered
  } = createSettings({
    ...ports,
    background,
  })
  const learnedWindows = createLearnedWindows()
  const models = withLearnedWindows(known, learnedWindows)
  const failedAttempts = createFailedAttempts()
  const fixedParts = createFixedParts((agentId, providerId) => fixedTokensOf(agents, agentId, providerId))

  const sources = settings.sources ?? NO_SOURCES
  const trust = createTrust(ports)
  const { agentOf, subagentsIn } = createAgentRegistry(agents, trust, { ...ports, sources })

  async function requireSession(sessionId: string): Promise<Session> {
    const session = await store.sessions.get(sessionId)
    if (session === null)
      throw new AppError('SESSION_NOT_FOUND', 'There is no such session.', { field: 'sessionId' })
    return session
  }

  const keeper = createBlobKeeper(ports)
  const compactionOf = createCompactionSettings(settings.compaction, agents)
  const workspace = createWorkspace(ports)
  const hooks = noteHooks(ports.hooks ?? [], { ...ports, coordinator, workspace })
  const hookRunner = createHookRunner(hooks, { ...ports, background })
  reportSaves(hookRunner, ports.events)
  const scopes = createSessionScopes()
  const budgets = createBudgets({ ...ports, scopes, agents, limits: settings.budget })
  const chatEnds = scopes.define<ChatEnd>({
    create: () => ({ onRunEnd: null }),
    isIdle: ({ onRunEnd }) => onRunEnd === null,
  })
  const drafts = createSummaryDrafts({ ...ports, models, compactionOf, budgets, fixedParts })
  const claims = createStoreClaims({ ...ports, coordinator, background })
  /** Set once there are runs to stop. */
  const stops = { stop: async (_sessionId: string): Promise<void> => undefined }
  const condenser = createCondenser({
    ...ports,
    stops,
    models,
    keeper,
    coordinator,
    claims,
    background,
    compactionOf,
    budgets,
    hookRunner,
    scopes,
    failedAttempts,
    fixedParts,
    learnedWindows,
  })
  const inner = {
    ...ports,
    stops,
    models,
    instructions,
    chosenModel,
    proposesMemories,
    keeper,
    coordinator,
    claims,
    background,
    agents,
    agentOf,
    subagentsIn,
    compactionOf,
    drafts,
    failedAttempts,
    fixedParts,
    learnedWindows,
    workspace,
    condenser,
    shell,
    chatEnds,
    subagentLimit: createSubagentLimit(scopes, coordinator),
    sources,
    bundledSkills: createBundledSkills(ports.files, sources.bundled),
    trust,
    mcpHub,
    budgets,
    hookRunner,
  }
  const watchdog = withCommandPolicy(settings.watchdog)
  const turns = createTurns(inner, { ...settings, watchdog }, { ...RUN_POLICY, ...settings.runs })
  stops.stop = async (sessionId) => {
    await turns.stop(sessionId, { pauseQueue: true })
  }
  const { startSweep, ...bin } = createBin({ ...inner, scopes, stop: turns.stop }, requireSession)

  const { planGrant, ...lasting } = createLastingPermissions(
    inner,
    settings.projectRules ?? [],
    requireSession,
  )
  const { questions, permissions } = createAsking(inner, turns, requireSession, planGrant)

  function resumeQueue(sessionId: string): void {
    background.start('drain', () => turns.resumeQueue(sessionId))
  }

  /** On a host that stops, marks a queue that would continue for the next host. */
  async function markQueue(sessionId: string): Promise<void> {
    await turns.drain(sessionId).catch((error: unknown) => {
      ports.logger.error({ error, sessionId }, 'The queue could not be marked for the next start')
    })
  }

  /** Does a part of the start. One that fails is logged and left out: it stops no server from starting. */
  async function attempt<T>(failure: string, act: () => Promise<T> | undefined): Promise<T | undefined> {
    try {
      return await act()
    } catch (error) {
      ports.logger.warn({ error }, failure)
      return undefined
    }
  }

  return {
    blobs: keeper,
    archive: createArchive(inner, entered.settings),

    sessions: {
      ...createLifecycle(inner, settings.gitStatus),
      ...createArchiving(inner, turns),
      ...entered,
      sources: createSources(inner, requireSession),
      memories: createMemories(ports),
      ...bin,
      hooks: { list: () => hookRunner.list() },
      inspect: createInspecting(inner, requireSession),
      questions,
      budget: createBudgeting(inner, requireSession, resumeQueue),
      permissions: { ...permissions, ...lasting },
      agents: { list: () => Promise.resolve([...agents.values()].map(toAgentView)) },
      processes: createProcessControl(inner, requireSession),
      ...createFileFinder(inner, requireSession),
      mcp: createMcpControl(mcpHub, ports.mcp),
      ...createReading(inner, requireSession),
      ...createSending(inner, turns, requireSession),
      ...createResumeAndAbort(inner, turns, requireSession),
      queue: createQueueing(inner, turns, requireSession),
      // Messages that were sent during a compaction fire after it.
      history: createHistory(inner, requireSession, resumeQueue),
      changes: createChanges(inner, requireSession),
    },

    async recover() {
      // What an earlier host left running may still write.
      const [found, setAside = []] = await Promise.all([
        attempt('No sandbox could be looked for: commands run without one', () => sandbox?.probe()),
        attempt('Commands that an earlier start left running could not be ended', () =>
          processes?.endOrphans(),
        ),
      ])
      if (setAside.length > 0)
        ports.logger.warn({ count: setAside.length }, 'What commands left was renamed to ….set-aside')
      if (found?.kind === 'none' && found.reason !== undefined)
        ports.logger.warn({ reason: found.reason }, 'Commands run without a sandbox')
      const ended = await attempt('Runs that were left open could not be found', () => recoverRuns(ports))
      await attempt('Runs that wait for subagents could not be settled', () => settleTasks(ports))
      await attempt('Runs that wait could not be restored', () => restoreWaiting(inner))
      await attempt('Changes of files that were left open could not be finished', () => workspace.recover())
      return ended ?? 0
    },

    async continueQueues() {
      // Those whose last reply came while no host was there to go on.
      for (const { lease } of await store.runs.waiting())
        background.start('drain', () => turns.resume(lease.sessionId))
      for (const sessionId of await store.queue.takeMarked()) resumeQueue(sessionId)
      background.start('deliver', () => turns.deliverResults(null))
    },

    startBinSweep: startSweep,

    async shutdown(graceMs) {
      coordinator.close()
      const sessionIds = coordinator.activeSessions
      using _timer = clock.after(graceMs, () => {
        for (const run of coordinator.activeRuns) run.abort()
      })
      while (coordinator.activeRuns.length > 0)
        await Promise.all(coordinator.activeRuns.map(({ released }) => released))
      await Promise.all([shell?.end(), mcpHub?.end()])
      await Promise.all(sessionIds.map(markQueue))
      await background[Symbol.asyncDispose]()
      await budgets.storeAll()
      claims[Symbol.dispose]()
    },

    get activeRuns() {
      return coordinator.activeRuns.length
    },
  }
}
