/** What a tool needs the permission for: a kind of act, and what it acts on. */
export type Requirement = { permission: 'read' | 'edit' | 'network' | 'command'; pattern: string }

export type PermissionAction = 'allow' | 'deny' | 'ask'

/**
 * What is allowed, denied or asked about. `permission` and `pattern` match as they are, `*` in them matches any text. A
 * pinned rule of a manifest that denies is never loosened.
 */
export type PermissionRule = {
  permission: string
  pattern: string
  action: PermissionAction
  source: 'manifest' | 'project' | 'session'
  pinned?: true
}

/** The action for a call, and the rule that decided; null for the default. */
export type Verdict = {
  action: PermissionAction
  rule: PermissionRule | null
  requirement: Requirement | null
}
