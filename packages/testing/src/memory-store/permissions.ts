import {
  AppError,
  type Ask,
  type GivenRule,
  LIMITS,
  sessionRules,
  withMode,
  withoutRule,
  withRule,
} from '@palimpsest/core/domain'
import type { Grant, PermissionStore } from '@palimpsest/core/ports'
import { replyToAsk } from './asks.ts'
import { atomically, existingSession, type MemoryTables, touch } from './tables.ts'

export function createMemoryPermissions(tables: MemoryTables): PermissionStore {
  return {
    ofWorkspace: (root) => atomically(() => ofWorkspace(tables, root).map(withoutRoot)),
    ofWorkspaces: () => atomically(() => tables.projectRules),
    grant: (grant) =>
      atomically(() => {
        assertRuleCapacity(tables, grant.scope)
        const asks = replyToAll(tables, grant)
        addRule(tables, grant)
        return asks
      }),
    revoke: (ruleId, scope, at) =>
      atomically(() =>
        'workspaceRoot' in scope
          ? revokeOfProject(tables, ruleId, scope.workspaceRoot)
          : revokeOfSession(tables, ruleId, scope.sessionId, at),
      ),
    setMode: (sessionId, mode, at) =>
      atomically(() => {
        const session = existingSession(tables, sessionId)
        session.permissions = withMode(session.permissions, mode)
        return touch(tables, session, at)
      }),
  }
}

type Scope = Grant['scope']

function ofWorkspace(tables: MemoryTables, root: string) {
  return tables.projectRules.filter(({ workspaceRoot }) => workspaceRoot === root)
}

function assertRuleCapacity(tables: MemoryTables, scope: Scope): void {
  const rules =
    'workspaceRoot' in scope
      ? ofWorkspace(tables, scope.workspaceRoot)
      : sessionRules(existingSession(tables, scope.sessionId).permissions)
  if (rules.length < LIMITS.rules) return
  throw new AppError('RATE_LIMITED', `There are ${LIMITS.rules} rules already; revoke some of them first.`)
}

function replyToAll(tables: MemoryTables, { askId, reply, alsoAllowed }: Grant): Ask[] {
  const asks = [replyToAsk(tables, askId, reply)]
  for (const id of alsoAllowed)
    if (tables.asks.get(id)?.reply === null) asks.push(replyToAsk(tables, id, reply))
  return asks
}

function addRule(tables: MemoryTables, { rule, scope, at }: Grant): void {
  if ('workspaceRoot' in scope) {
    tables.projectRules.push({ ...rule, source: 'project', workspaceRoot: scope.workspaceRoot })
    return
  }
  const session = existingSession(tables, scope.sessionId)
  session.permissions = withRule(session.permissions, rule)
  touch(tables, session, at)
}

function revokeOfProject(tables: MemoryTables, ruleId: string, root: string): boolean {
  const place = tables.projectRules.findIndex(
    ({ id, workspaceRoot }) => id === ruleId && workspaceRoot === root,
  )
  if (place !== -1) tables.projectRules.splice(place, 1)
  return place !== -1
}

function revokeOfSession(tables: MemoryTables, ruleId: string, sessionId: string, at: number): boolean {
  const session = existingSession(tables, sessionId)
  const left = withoutRule(session.permissions, ruleId)
  if (left.length === session.permissions.length) return false
  session.permissions = left
  touch(tables, session, at)
  return true
}

function withoutRoot({ workspaceRoot: _root, ...rule }: GivenRule & { workspaceRoot: string }): GivenRule {
  return rule
}
