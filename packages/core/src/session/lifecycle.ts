import { AppError } from '../domain/errors.ts'
import { createId } from '../domain/ids.ts'
import type { ModelRef } from '../domain/model/model.ts'
import { PERMISSION_MODES, withMode } from '../domain/permission/permission.ts'
import { DEFAULT_AGENT_ID, DEFAULT_TITLE, type Session } from '../domain/session/session.ts'
import { checkId, checkMetadata, checkModel, checkTitle } from '../history/check-input.ts'
import type { CorePorts } from '../history/core-ports.ts'
import type { HookRunner } from '../hook/hook-runner.ts'
import type { Agent } from '../run/agent.ts'
import type { ReadGitStatus } from '../run/read-ahead.ts'
import type { TurnPorts } from '../run/run-state.ts'
import { allowedFolder } from './places.ts'
import type { CreateSession, SessionService } from './service.ts'

type Lifecycle = Pick<SessionService, 'create' | 'rename' | 'chooseFolder'>

/** Creates and renames sessions, and chooses their folders. */
export function createLifecycle(
  ports: CorePorts & { hookRunner: HookRunner; agentOf: TurnPorts['agentOf'] },
  gitStatus: ReadGitStatus,
): Lifecycle {
  const { store, models, events, clock, workspaces } = ports

  function changed(session: Session): Session {
    events.publish({ type: 'session-changed', sessionId: session.id, session })
    return session
  }

  function created(session: Session): Session {
    // A message mostly follows at once, and its turn shares the result.
    if (session.workspaceRoot !== null) void gitStatus(session.workspaceRoot)
    events.publish({ type: 'session-created', sessionId: session.id, session })
    ports.hookRunner.report('session.create', factsOf(session))
    return session
  }

  /** Chats are opened with agents that are not for subagents alone. */
  function assertForChats({ id, mode }: Agent): void {
    if (mode === 'subagent')
      throw new AppError('INVALID_INPUT', `The agent "${id}" only works as a subagent.`, { field: 'agent' })
  }

  /** The agent's own model, unless it is no longer there. */
  async function modelOf({ model }: Agent): Promise<ModelRef> {
    const own = model === undefined ? null : await models.find(model)
    return own === null || model === undefined ? await models.defaultModel() : model
  }

  /** The folder of a new session that names none: the demo model shows its tools in one of its own. */
  async function defaultFolder(model: ModelRef): Promise<string | null> {
    const { defaultFolder: folder, demo } = workspaces
    if (folder !== null || demo === null || (await models.find(model))?.demo !== true) return folder
    await demo.make()
    return demo.root
  }

  /** A repeated creation that names no folder means the one that the session has. */
  async function folderOf(named: string | null | undefined, model: ModelRef, existing: Session | null) {
    if (named !== undefined) return named
    return existing === null ? await defaultFolder(model) : existing.workspaceRoot
  }

  return {
    async create(input) {
      await checkCreate(input, ports)
      const existing = input.id === undefined ? null : await store.sessions.get(input.id)
      const { title, metadata, mode = 'ask' } = input
      const { workspaceRoot } = input
      // Its real path, so that each folder has one spelling.
      const named =
        typeof workspaceRoot === 'string' ? await allowedFolder(workspaceRoot, workspaces) : workspaceRoot
      const place = named === undefined ? workspaces.defaultFolder : named
      const agent = await ports.agentOf(input.agent ?? DEFAULT_AGENT_ID, { workspaceRoot: place })
      assertForChats(agent)
      const model = input.model ?? existing?.model ?? (await modelOf(agent))
      const session = await store.sessions.create({
        id: input.id ?? createId('ses'),
        title: title === undefined ? DEFAULT_TITLE : checkTitle(title),
        agent: agent.id,
        workspaceRoot: await folderOf(named, model, existing),
        model,
        parentId: null,
        parentMessageId: null,
        permissions: withMode([], mode),
        metadata: { ...metadata, ...(title !== undefined && { titledBy: 'user' as const }) },
        at: clock.now(),
      })
      if (existing !== null) return session
      return created(session)
    },

    async rename(sessionId, title) {
      const session = await store.sessions.rename(sessionId, checkTitle(title), clock.now())
      events.publish({ type: 'title', sessionId, title: session.title })
      return changed(session)
    },

    async chooseFolder(sessionId, folder) {
      if ((await store.sessions.get(sessionId)) === null)
        throw new AppError('SESSION_NOT_FOUND', 'There is no such session.', { field: 'sessionId' })
      const root = await allowedFolder(folder, workspaces)
      const session = await store.sessions.setFolder(sessionId, root, clock.now())
      if (session === null) throw new AppError('CONFLICT', 'This chat works in another folder already.')
      return changed(session)
    },
  }
}

/** What hooks receive of a session. */
export function factsOf({ id: sessionId, title, agent, workspaceRoot }: Session) {
  return { sessionId, title, agent, workspaceRoot }
}

async function checkCreate(
  { id, metadata, mode, model }: CreateSession,
  { models }: CorePorts,
): Promise<void> {
  if (id !== undefined) checkId(id, 'id')
  if (metadata !== undefined) checkMetadata(metadata)
  if (mode !== undefined && !PERMISSION_MODES.includes(mode))
    throw new AppError('INVALID_INPUT', `It takes one of: ${PERMISSION_MODES.join(', ')}.`, { field: 'mode' })
  if (model !== undefined) await checkModel(model, models)
}
