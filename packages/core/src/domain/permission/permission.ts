import type { JsonObject } from '../json/json.ts'

/** What a tool needs the permission for: a kind of act, and what it acts on. */
export type Requirement = {
  permission: 'read' | 'edit' | 'network' | 'command' | 'mcp' | 'memory'
  pattern: string
  /** A command that only reads: allowed without a rule, and in plan mode. */
  readOnly?: true
  /** Why a person is asked without a rule. */
  reason?: string
  /** No lasting rule is proposed for it. */
  once?: true
  /** No sandbox holds the command. */
  unboxed?: true
  /** Of the rules that allow, no wide one counts: it is for other files than it seems. */
  exact?: true
  /** What a command begins with of which this may be any: each rule that denies or asks about one of them counts. */
  anyOf?: string
  /** A command that a line may run, which it does not show for certain: what a rule denies of it is asked about, in full access too. */
  maybe?: true
  /** A person is asked each time: no rule allows it, and no mode but full access. */
  always?: true
}

export type PermissionAction = 'allow' | 'deny' | 'ask'

/** Where a rule comes from: the agent's manifest, all sessions of a workspace, or one session. */
export type RuleSource = 'manifest' | 'project' | 'session'

/**
 * What is allowed, denied or asked about. `permission` and `pattern` match as they are, `*` in them matches any text. A
 * pinned rule that denies is never loosened.
 */
export type PermissionRule = {
  permission: string
  pattern: string
  action: PermissionAction
  source: RuleSource
  pinned?: true
  /** A person gave it for a command in a sandbox: it allows none that runs without one. */
  boxed?: true
}

/** A rule that a person gave, which can be revoked. */
export type GivenRule = PermissionRule & { id: string; createdAt: number }

/** A rule as clients see it. `id` is null for a rule of the manifest or the configuration, which nobody can revoke. */
export type ListedRule = PermissionRule & {
  id: string | null
  createdAt: number | null
  /** The folder whose sessions a project's rule is for; null for those of all folders, and for every other rule. */
  workspaceRoot: string | null
}

/** The action for a call, and the rule that decided; null for the default. */
export type Verdict = {
  action: PermissionAction
  rule: PermissionRule | null
  requirement: Requirement | null
}

/**
 * How a session treats what no rule decides: `ask` asks a person, `accept-edits` allows changes of files, `full-access` allows
 * everything. `plan` denies everything but reading, whatever the rules allow.
 */
export const PERMISSION_MODES = ['ask', 'accept-edits', 'plan', 'full-access'] as const

export type PermissionMode = (typeof PERMISSION_MODES)[number]

const ACTIONS: readonly unknown[] = ['allow', 'deny', 'ask'] satisfies PermissionAction[]

/** The rules among the entries of a session's permissions; entries that are none are left out. */
export function sessionRules(permissions: readonly JsonObject[]): GivenRule[] {
  return permissions.flatMap((entry) => readRule(entry, 'session') ?? [])
}

/** A stored rule, or null for JSON that is none. */
export function readRule(entry: JsonObject, source: 'project' | 'session'): GivenRule | null {
  const { id, permission, pattern, action, unboxed, createdAt } = entry
  if (typeof id !== 'string' || typeof permission !== 'string' || typeof pattern !== 'string') return null
  if (!isAction(action)) return null
  return {
    id,
    permission,
    pattern,
    action,
    source,
    // Earlier versions did not store it.
    ...(permission === 'command' && unboxed !== true && { boxed: true as const }),
    createdAt: typeof createdAt === 'number' ? createdAt : 0,
  }
}

/** The mode among the entries of a session's permissions; `ask` where there is none. */
export function sessionMode(permissions: readonly JsonObject[]): PermissionMode {
  const set = permissions.find(({ mode }) => mode !== undefined)?.['mode']
  return PERMISSION_MODES.find((mode) => mode === set) ?? 'ask'
}

/** A rule as it is stored. */
export function toRuleEntry({ id, permission, pattern, action, boxed, createdAt }: GivenRule): JsonObject {
  const isUnboxed = permission === 'command' && boxed !== true
  return { id, permission, pattern, action, ...(isUnboxed && { unboxed: true }), createdAt }
}

/** The entries with another rule, without the rule of an id, or with another mode. */
export function withRule(permissions: readonly JsonObject[], rule: GivenRule): JsonObject[] {
  return [...permissions, toRuleEntry(rule)]
}

export function withoutRule(permissions: readonly JsonObject[], ruleId: string): JsonObject[] {
  return permissions.filter(({ id }) => id !== ruleId)
}

export function withMode(permissions: readonly JsonObject[], mode: PermissionMode): JsonObject[] {
  const rules = permissions.filter((entry) => entry['mode'] === undefined)
  return mode === 'ask' ? rules : [{ mode }, ...rules]
}

/** A rule in a line, as it is recorded with a call: `session: edit src/*`. */
export function describeRule({
  source,
  permission,
  pattern,
}: Pick<PermissionRule, 'source' | 'permission' | 'pattern'>): string {
  return `${source}: ${permission} ${pattern}`
}

function isAction(value: unknown): value is PermissionAction {
  return ACTIONS.includes(value)
}
