import {
  AppError,
  type GivenRule,
  LIMITS,
  sessionRules,
  withMode,
  withoutRule,
  withRule,
} from '@palimpsest/core/domain'
import type { Grant, PermissionStore } from '@palimpsest/core/ports'
import type { Database } from '../connect/database.ts'
import type { RawQueries } from '../connect/statements.ts'
import { toSession } from '../rows/session-row.ts'
import { readAsk, replyToAsk } from '../sql/ask-rows.ts'
import { deleteProjectRule, insertProjectRule, projectRules } from '../sql/workspace-rules.ts'
import { existingSession, touchSession } from './session-changes.ts'

export function createPermissionStore(database: Database): PermissionStore {
  return {
    ofWorkspace: async (root) => {
      const rules = await database.read((queries) => projectRules(queries, root))
      return rules.map(({ workspaceRoot: _root, ...rule }) => rule)
    },
    ofWorkspaces: () => database.read((queries) => projectRules(queries, null)),

    grant: (grant) =>
      database.write(async (queries) => {
        const { askId, reply, alsoAllowed, at } = grant
        const asks = [await replyToAsk(queries, askId, reply, at)]
        for (const id of alsoAllowed) {
          const other = await readAsk(queries, id)
          if (other?.reply === null) asks.push(await replyToAsk(queries, id, reply, at))
        }
        await addRule(queries, grant)
        return asks
      }),

    revoke: (ruleId, scope, at) =>
      database.write(async (queries) => {
        if ('workspaceRoot' in scope) return await deleteProjectRule(queries, scope.workspaceRoot, ruleId)
        const before = await permissionsOf(queries, scope.sessionId)
        const permissions = withoutRule(before, ruleId)
        if (permissions.length === before.length) return false
        await touchSession(queries, scope.sessionId, at, { permissions })
        return true
      }),

    setMode: (sessionId, mode, at) =>
      database.write(async (queries) => {
        const permissions = withMode(await permissionsOf(queries, sessionId), mode)
        return toSession(await touchSession(queries, sessionId, at, { permissions }), queries.note)
      }),
  }
}

async function addRule(queries: RawQueries, { scope, rule, at }: Grant): Promise<void> {
  if ('workspaceRoot' in scope) {
    assertRuleCapacity(await projectRules(queries, scope.workspaceRoot))
    await insertProjectRule(queries, scope.workspaceRoot, rule)
    return
  }
  const permissions = await permissionsOf(queries, scope.sessionId)
  assertRuleCapacity(sessionRules(permissions))
  await touchSession(queries, scope.sessionId, at, { permissions: withRule(permissions, rule) })
}

async function permissionsOf(queries: RawQueries, sessionId: string) {
  return toSession(await existingSession(queries, sessionId), queries.note).permissions
}

function assertRuleCapacity(rules: readonly GivenRule[]): void {
  if (rules.length < LIMITS.rules) return
  throw new AppError('RATE_LIMITED', `There are ${LIMITS.rules} rules already; revoke some of them first.`)
}
