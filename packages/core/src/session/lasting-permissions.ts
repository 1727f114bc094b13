import { AppError } from '../domain/errors.ts'
import { createId } from '../domain/ids.ts'
import type { Ask } from '../domain/permission/ask.ts'
import { type ListedRule, type PermissionRule, sessionRules } from '../domain/permission/permission.ts'
import { DEFAULT_AGENT_ID, rootOf, type Session } from '../domain/session/session.ts'
import { workspaceOf } from '../history/files/workspace-of.ts'
import { decideByPolicy, withPolicyRule } from '../permission/policy.ts'
import type { Grant, RuleScope } from '../ports/index.ts'
import { readPolicy } from '../run/read-policy.ts'
import type { TurnPorts } from '../run/run-state.ts'
import type { PermissionService } from './service.ts'

/** Plans the rule that a reply for the session or the project gives, with the other asks that it allows. */
export type PlanGrant = (
  ask: Ask,
  session: Session,
  scope: 'session' | 'project',
  pattern: string | undefined,
) => Promise<Grant>

type Lasting = Pick<PermissionService, 'rules' | 'revoke' | 'setMode'> & { planGrant: PlanGrant }

/** Rules that outlast a call, and the modes of sessions. `projectRules` are those of the configuration. */
export function createLastingPermissions(
  ports: TurnPorts,
  projectRules: readonly PermissionRule[],
  requireSession: (id: string) => Promise<Session>,
): Lasting {
  const { store, events, clock, workspaces, agentOf } = ports

  /** The real path of the session's folder, whose project rules count. */
  async function projectOf(session: Session, field: string): Promise<string> {
    const root = await workspaceOf(session, workspaces)
    if (root === null)
      throw new AppError('INVALID_INPUT', 'This chat has no folder, or one that is not allowed or gone.', {
        field,
      })
    return root
  }

  async function agentRules(session: Session): Promise<readonly PermissionRule[]> {
    return (await agentOf(session.agent, session)).rules
  }

  /** Those of an agent that is gone, or not allowed, are not listed. */
  async function listedRules(session: Session): Promise<readonly PermissionRule[]> {
    try {
      return await agentRules(session)
    } catch (error) {
      if (error instanceof AppError && error.field === 'agent') return []
      throw error
    }
  }

  /** The other open asks that are allowed once the rule is there. */
  async function alsoAllowed(ask: Ask, rule: PermissionRule, scope: RuleScope): Promise<string[]> {
    const open = await store.asks.open('sessionId' in scope ? scope.sessionId : null)
    const others = open.filter(({ id }) => id !== ask.id)
    const allowed = await Promise.all(others.map((other) => isAllowed(other, rule, scope)))
    return others.flatMap(({ id }, index) => (allowed[index] === true ? [id] : []))
  }

  async function isAllowed(
    { sessionId, request }: Ask,
    rule: PermissionRule,
    scope: RuleScope,
  ): Promise<boolean> {
    // One without what was asked about is for a person alone.
    if (request.kind !== 'approval' || request.asked === undefined) return false
    const session = await store.sessions.get(sessionId)
    if (session === null) return false
    if ('workspaceRoot' in scope && (await workspaceOf(session, workspaces)) !== scope.workspaceRoot)
      return false
    const { requirements = [] } = request
    const root = await workspaceOf(session, workspaces)
    const policy = await readPolicy(session, await agentOf(session.agent, session), root, {
      store,
      agentOf,
      projectRules,
    })
    return decideByPolicy(withPolicyRule(policy, rule), requirements, null).action === 'allow'
  }

  async function scopeOf(scope: RuleScope): Promise<RuleScope> {
    if ('sessionId' in scope) return { sessionId: (await requireSession(scope.sessionId)).id }
    const root = await workspaces.resolve(scope.workspaceRoot)
    // The rules of a folder that is no longer allowed, or is gone, can still be seen and revoked.
    return { workspaceRoot: root ?? scope.workspaceRoot }
  }

  return {
    async planGrant(ask, session, scope, pattern) {
      const { request } = ask
      const asked = request.kind === 'approval' ? request.asked : undefined
      const patterns = request.kind === 'approval' ? request.patterns : []
      const chosen = pattern ?? patterns[0]
      if (asked === undefined || chosen === undefined)
        throw new AppError('INVALID_INPUT', 'This call can only be allowed once.', { field: 'reply' })
      if (!patterns.includes(chosen))
        throw new AppError('INVALID_INPUT', `It takes one of: ${patterns.join(', ')}.`, { field: 'pattern' })
      const at = clock.now()
      const allowed = { permission: asked.permission, pattern: chosen }
      const isBoxed = asked.permission === 'command' && asked.unboxed !== true
      const rule = {
        ...allowed,
        ...(isBoxed && { boxed: true as const }),
        id: createId('rul'),
        action: 'allow',
        source: scope,
        createdAt: at,
      } as const
      const of: RuleScope =
        scope === 'session'
          ? { sessionId: rootOf(session) }
          : { workspaceRoot: await projectOf(session, 'reply') }
      return {
        askId: ask.id,
        reply: { type: 'approved', scope, rule: allowed },
        rule,
        scope: of,
        alsoAllowed: await alsoAllowed(ask, rule, of),
        at,
      }
    },

    async rules(scope) {
      const configured = projectRules.map(fixed)
      if (scope === null) {
        const given = await store.permissions.ofWorkspaces()
        const assistant = await agentOf(DEFAULT_AGENT_ID, { workspaceRoot: null })
        return [...assistant.rules.map(fixed), ...configured, ...given]
      }
      if ('workspaceRoot' in scope) {
        const { workspaceRoot } = { workspaceRoot: '', ...(await scopeOf(scope)) }
        return [...configured, ...(await ofFolder(workspaceRoot))]
      }
      const session = await requireSession(scope.sessionId)
      const root = await workspaceOf(session, workspaces)
      const given = root === null ? [] : await ofFolder(root)
      const top = rootOf(session) === session.id ? session : await store.sessions.get(rootOf(session))
      const own = sessionRules(top?.permissions ?? []).map((rule) => ({ ...rule, workspaceRoot: null }))
      return [...(await listedRules(session)).map(fixed), ...configured, ...given, ...own]
    },

    async revoke(ruleId, scope) {
      const of = await scopeOf(scope)
      if (!(await store.permissions.revoke(ruleId, of, clock.now())))
        throw new AppError('INVALID_INPUT', 'There is no such rule here.', { field: 'ruleId' })
      if ('sessionId' in of) await announce(of.sessionId)
    },

    async setMode(sessionId, mode) {
      const { metadata } = await requireSession(sessionId)
      if (metadata.subagent !== undefined)
        throw new AppError('CONFLICT', 'A subagent has the mode of the chat that it belongs to.')
      const session = await store.permissions.setMode(sessionId, mode, clock.now())
      events.publish({ type: 'session-changed', sessionId, session })
      return session
    },
  }

  async function ofFolder(workspaceRoot: string): Promise<ListedRule[]> {
    return (await store.permissions.ofWorkspace(workspaceRoot)).map((rule) => ({ ...rule, workspaceRoot }))
  }

  async function announce(sessionId: string): Promise<void> {
    const session = await store.sessions.get(sessionId)
    if (session !== null) events.publish({ type: 'session-changed', sessionId, session })
  }
}

/** A rule that nobody can revoke. */
function fixed(rule: PermissionRule): ListedRule {
  return { ...rule, id: null, createdAt: null, workspaceRoot: null }
}
