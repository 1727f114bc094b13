import { type PermissionRule, sessionMode, sessionRules } from '../domain/permission/permission.ts'
import type { Session } from '../domain/session/session.ts'
import type { Policy, PolicyLevel } from '../permission/policy.ts'
import type { Store } from '../ports/index.ts'
import type { Agent } from './agent.ts'

export type PolicyPorts = {
  store: Store
  agentOf(id: string | undefined, session: Pick<Session, 'workspaceRoot'>): Promise<Agent>
  /** Rules of the configuration. */
  projectRules: readonly PermissionRule[]
}

/** Where a session above is gone, or its agent, nothing is known of what it may do. */
const NOTHING: PolicyLevel = {
  rules: [{ permission: '*', pattern: '*', action: 'deny', source: 'manifest', pinned: true }],
  readOnly: true,
}

/**
 * What a run of the agent may do in the session as it is now: a person may change it at any time. A subagent may do what the
 * agents above it may do too; the mode and the rules that a person gave are those of its root.
 */
export async function readPolicy(
  session: Session,
  agent: Agent,
  workspaceRoot: string | null,
  { store, agentOf, projectRules }: PolicyPorts,
): Promise<Policy> {
  const [given, { root, agents, isWhole }] = await Promise.all([
    workspaceRoot === null ? [] : store.permissions.ofWorkspace(workspaceRoot),
    readAbove(session, store),
  ])
  const shared = [...projectRules, ...given, ...sessionRules(root.permissions)]
  const above = await Promise.all(agents.map((id) => agentOf(id, session).catch(() => null)))
  const levels = [agent, ...above].map((one) =>
    one === null ? NOTHING : { rules: [...one.rules, ...shared], readOnly: one.readOnly === true },
  )
  return { levels: isWhole ? levels : [...levels, NOTHING], mode: sessionMode(root.permissions) }
}

/** The root of a session, and the agents of the runs that led from there to it. */
async function readAbove(
  session: Session,
  store: Store,
): Promise<{ root: Session; agents: string[]; isWhole: boolean }> {
  const agents: string[] = []
  let root = session
  for (let { subagent } = root.metadata; subagent !== undefined; { subagent } = root.metadata) {
    agents.push(subagent.callerAgent)
    const parent = root.parentId === null ? null : await store.sessions.get(root.parentId)
    if (parent === null) return { root, agents, isWhole: false }
    root = parent
  }
  return { root, agents, isWhole: true }
}
