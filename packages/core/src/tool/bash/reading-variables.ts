import { readPlainLine } from '../../permission/bash/plain-line.ts'

/** Settings that override those of each repository. */
const SETTINGS = Object.entries({
  'core.attributesFile': '/dev/null',
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.pager': 'cat',
  'core.untrackedCache': 'false',
  'credential.helper': '',
  // Otherwise `git diff` writes the index, which runs a hook.
  'diff.autoRefreshIndex': 'false',
  'diff.submodule': 'short',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'protocol.allow': 'never',
  'safe.bareRepository': 'explicit',
  'status.submoduleSummary': 'false',
  'submodule.recurse': 'false',
})

/**
 * No hook, monitor, pager, helper or connection, and no index that is written. The settings of the person and the machine are left
 * out, as their drivers of filters and differences have names that a repository may use.
 */
const GIT_VARIABLES: Readonly<Record<string, string>> = {
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_PAGER: 'cat',
  GIT_CONFIG_COUNT: String(SETTINGS.length),
  ...Object.fromEntries(
    SETTINGS.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ),
}

/**
 * The variables with which a line that was judged to read runs: git starts nothing with them. A line whose calls of git read its
 * settings gets none, as it would print others, and git starts nothing to print them.
 */
export function readingVariables(line: string): Readonly<Record<string, string>> {
  const calls = (readPlainLine(line) ?? []).map(({ words }) => words.map(({ text }) => text))
  const verbs = calls.filter(([name]) => name === 'git').map(([, ...words]) => words.find(isNoFlag))
  return verbs.every((verb) => verb === 'config') ? {} : GIT_VARIABLES
}

function isNoFlag(word: string): boolean {
  return !word.startsWith('-')
}
