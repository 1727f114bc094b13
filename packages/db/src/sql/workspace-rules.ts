import {
  type GivenRule,
  isObject,
  type JsonObject,
  parseBounded,
  readRule,
  toRuleEntry,
} from '@palimpsest/core/domain'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'

type RuleRow = { workspaceRoot: string; ruleJson: string }

/** The rules of a workspace, or of all, the oldest first. A row that was damaged since it was written is left out: it allows nothing. */
export async function projectRules(
  queries: ReadQueries,
  workspaceRoot: string | null,
): Promise<(GivenRule & { workspaceRoot: string })[]> {
  const [where, values] = workspaceRoot === null ? ['', []] : ['WHERE workspace_root = ?', [workspaceRoot]]
  const rows = await queries.$queryRawUnsafe<RuleRow[]>(
    `SELECT workspace_root AS "workspaceRoot", rule_json AS "ruleJson" FROM project_permissions ${where}
     ORDER BY created_at, id`,
    ...values,
  )
  return rows.flatMap((row) => {
    const entry = parseBounded(row.ruleJson)
    // JSON text holds nothing but JSON values.
    const rule = isObject(entry) ? readRule(entry as JsonObject, 'project') : null
    return rule === null ? [] : [{ ...rule, workspaceRoot: row.workspaceRoot }]
  })
}

export async function insertProjectRule(
  queries: RawQueries,
  workspaceRoot: string,
  rule: GivenRule,
): Promise<void> {
  await queries.$executeRawUnsafe(
    'INSERT INTO project_permissions (id, workspace_root, rule_json, created_at) VALUES (?, ?, ?, ?)',
    rule.id,
    workspaceRoot,
    JSON.stringify(toRuleEntry(rule)),
    rule.createdAt,
  )
}

/** Removes a rule. Returns whether there was one. */
export async function deleteProjectRule(
  queries: RawQueries,
  workspaceRoot: string,
  ruleId: string,
): Promise<boolean> {
  const deleted = await queries.$executeRawUnsafe(
    'DELETE FROM project_permissions WHERE id = ? AND workspace_root = ?',
    ruleId,
    workspaceRoot,
  )
  return deleted > 0
}
