import type { ListedRule } from '@palimpsest/core/domain'
import { agentWords } from '../words/en-agent.ts'

/** A rule that a person gave. */
export type GivenRule = ListedRule & { id: string }

const { acts } = agentWords.permissions

/** What a rule is about, as words; a permission that has none is shown as it is stored. */
export function actOf({ permission }: Pick<ListedRule, 'permission'>): string {
  const words: Readonly<Record<string, string>> = acts
  return Object.hasOwn(words, permission) ? (words[permission] ?? permission) : permission
}

export function isGiven(rule: ListedRule): rule is GivenRule {
  return rule.id !== null
}

/** Rules as the settings show them. */
export type RuleGroups = {
  /** Those that persons gave, by the folder whose chats they are for. */
  projects: readonly { workspaceRoot: string; rules: readonly GivenRule[] }[]
  configured: readonly ListedRule[]
  builtIn: readonly ListedRule[]
}

/** Rules by where they come from; folders in alphabetical order, the rules of each in theirs. */
export function groupRules(rules: readonly ListedRule[]): RuleGroups {
  const given = rules.filter(isGiven)
  const byFolder = Map.groupBy(given, ({ workspaceRoot }) => workspaceRoot)
  const projects = [...byFolder].flatMap(([workspaceRoot, ofFolder]) =>
    workspaceRoot === null ? [] : [{ workspaceRoot, rules: ofFolder }],
  )
  const fixed = rules.filter((rule) => !isGiven(rule))
  return {
    projects: projects.toSorted((a, b) => (a.workspaceRoot < b.workspaceRoot ? -1 : 1)),
    configured: fixed.filter(({ source }) => source === 'project'),
    builtIn: fixed.filter(({ source }) => source !== 'project'),
  }
}
