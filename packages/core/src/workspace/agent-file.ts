import { isObject } from '../domain/json/stored-keys.ts'
import type { ModelRef } from '../domain/model/model.ts'
import type { PermissionRule } from '../domain/permission/permission.ts'
import { claudeRules, opencodeRules, ownRules, type RuleReport } from './agent-rules.ts'
import { namesOf, textOf } from './front-matter.ts'
import type { SourceDocument } from './read-documents.ts'
import type { SourceKind } from './skills.ts'
import { toolIds } from './tool-names.ts'

/** An agent as its file describes it. */
export type AgentFile = {
  id: string
  description: string
  mode: 'primary' | 'subagent' | 'all'
  prompt: string
  /** Null for the session's. */
  model: ModelRef | null
  /** Ids of tools; null for all, without those of `without`. */
  tools: readonly string[] | null
  without: readonly string[]
  rules: readonly PermissionRule[]
  /** It changes nothing, in every mode. */
  readOnly: boolean
  /** Model calls of a run; null for the usual limit. */
  maxSteps: number | null
  source: SourceKind
  root: string
  path: string
  /** The whole file: what a person consents to. */
  content: string
}

type Format = 'own' | 'claude' | 'opencode'

const KNOWN: Record<Format, ReadonlySet<string>> = {
  own: new Set(['name', 'description', 'mode', 'model', 'tools', 'rules', 'limits']),
  claude: new Set([
    ...['name', 'description', 'tools', 'disallowedTools', 'model', 'permissionMode', 'maxTurns', 'color'],
  ]),
  opencode: new Set(['name', 'description', 'mode', 'model', 'tools', 'permission', 'steps', 'maxSteps']),
}

const MODES = ['primary', 'subagent', 'all'] as const
const MAX_DESCRIPTION = 1_024
const MAX_STEPS = 1_000

/** Reads an agent of a file, with warnings for what in it does not count; null when it cannot be one. */
export function toAgentFile(document: SourceDocument): {
  agent: AgentFile | null
  warnings: readonly string[]
} {
  const { keys, body, name, source, root, path, text } = document
  const format = formatOf(path)
  const warnings = [...document.warnings]
  for (const key of keys.keys())
    if (!KNOWN[format].has(key)) warnings.push(`The key ${key.slice(0, 100)} is not known.`)
  const description = textOf(keys, 'description')
  if (description === null || body === '') {
    warnings.push('It needs a description and a text, and is left out.')
    return { agent: null, warnings }
  }
  const tools = toolIds(format === 'opencode' && isObject(keys.get('tools')) ? null : namesOf(keys, 'tools'))
  const without = toolIds([...(namesOf(keys, 'disallowedTools') ?? []), ...toolsOff(keys.get('tools'))])
  for (const tool of [...tools.unknown, ...without.unknown]) warnings.push(`There is no tool ${tool}.`)
  const rules = rulesOf(format, keys)
  warnings.push(...rules.warnings)
  return {
    agent: {
      id: name,
      description: description.slice(0, MAX_DESCRIPTION).toWellFormed(),
      mode: modeOf(format, keys, warnings),
      prompt: body,
      model: modelOf(textOf(keys, 'model'), warnings),
      tools: tools.ids,
      without: without.ids ?? [],
      rules: rules.rules,
      readOnly: format === 'claude' && textOf(keys, 'permissionMode') === 'plan',
      maxSteps: stepsOf(keys, warnings),
      source,
      root,
      path,
      content: text,
    },
    warnings,
  }
}

function formatOf(path: string): Format {
  if (path.includes('.claude/')) return 'claude'
  return path.includes('.opencode/') ? 'opencode' : 'own'
}

function rulesOf(format: Format, keys: ReadonlyMap<string, unknown>): RuleReport {
  if (format === 'own') return ownRules(keys.get('rules'))
  if (format === 'opencode') return opencodeRules(keys.get('permission'))
  return claudeRules(textOf(keys, 'permissionMode'))
}

/** Claude's agents are all for subtasks; opencode's for both without a word. */
function modeOf(format: Format, keys: ReadonlyMap<string, unknown>, warnings: string[]): AgentFile['mode'] {
  if (format === 'claude') return 'subagent'
  const given = textOf(keys, 'mode')
  const mode = MODES.find((one) => one === given)
  if (given !== null && mode === undefined) warnings.push(`The mode ${given.slice(0, 100)} is not known.`)
  return mode ?? 'all'
}

const INHERITED: ReadonlySet<string> = new Set(['inherit'])

function modelOf(given: string | null, warnings: string[]): ModelRef | null {
  if (given === null || INHERITED.has(given)) return null
  const [, providerId, modelId] = /^([^/\s]{1,40})\/(\S{1,200})$/.exec(given) ?? []
  if (providerId !== undefined && modelId !== undefined) return { providerId, modelId }
  warnings.push(`The model ${given.slice(0, 100)} names no provider: the chat’s is used.`)
  return null
}

function stepsOf(keys: ReadonlyMap<string, unknown>, warnings: string[]): number | null {
  const limits = keys.get('limits')
  const given =
    (isObject(limits) ? limits['max_steps'] : undefined) ??
    keys.get('maxTurns') ??
    keys.get('steps') ??
    keys.get('maxSteps')
  if (given === undefined || given === null) return null
  if (typeof given === 'number' && Number.isInteger(given) && given >= 1) return Math.min(given, MAX_STEPS)
  warnings.push('The limit of steps is no number from 1 on.')
  return null
}

function toolsOff(value: unknown): string[] {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, on]) => (on === false ? [name] : []))
}
