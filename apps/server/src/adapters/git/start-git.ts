import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { devNull } from 'node:os'
import { delimiter, isAbsolute } from 'node:path'

/** Settings that override those of any file. They are not quoted for a shell, so none may need quoting. */
const SETTINGS = Object.entries({
  'core.attributesFile': devNull,
  'core.fsmonitor': 'false',
  'core.hooksPath': devNull,
  'core.pager': 'cat',
  'core.sshCommand': 'false',
  'core.untrackedCache': 'false',
  'credential.helper': '',
  'diff.external': '',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'protocol.allow': 'never',
  'safe.bareRepository': 'explicit',
  'status.submoduleSummary': 'false',
  'submodule.recurse': 'false',
}).flatMap(([key, value]) => ['-c', `${key}=${value}`])

/** Variables beside those that every call of git has. */
export type GitVariables = Record<string, string | undefined>

/**
 * Starts git; the only place that does. It has a fixed environment, reads no settings of the machine or the user, never
 * prompts, starts no hook, pager, monitor or helper, and opens no connection. Callers never point it at the configuration of
 * a workspace's repository: filters and other programs that it names could not all be disabled here.
 */
export function startGit(
  args: readonly string[],
  { variables, ...options }: Omit<SpawnOptions, 'env'> & { variables?: GitVariables | undefined },
): ChildProcess {
  return spawn('git', [...SETTINGS, ...args], { ...options, env: { ...environment(), ...variables } })
}

/** Starts a shell that calls git as `startGit` does; `script` makes each call with the function `safe_git`, which replaces its shell. */
export function startGitShell(script: string, options: SpawnOptions): ChildProcess {
  const settings = SETTINGS.map((word) => `'${word}'`).join(' ')
  const safe = `safe_git() { exec git ${settings} "$@"; }\n${script}`
  return spawn('/bin/sh', ['-c', safe], { ...options, cwd: '/', env: environment() })
}

function environment(): NodeJS.ProcessEnv {
  return {
    PATH: searchPath(process.env['PATH'] ?? ''),
    NODE_ENV: 'production',
    // Windows needs it to start any program.
    SystemRoot: process.env['SystemRoot'],
    HOME: devNull,
    LC_ALL: 'C',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_ASKPASS: 'false',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_EDITOR: 'false',
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_PAGER: 'cat',
    GIT_SSH_COMMAND: 'false',
    GIT_TERMINAL_PROMPT: '0',
    SSH_ASKPASS: 'false',
  }
}

/** Folders of programs that no workspace can write: no relative path, and no packages of a project. */
function searchPath(path: string): string {
  const isTrusted = (folder: string) => isAbsolute(folder) && !folder.includes('node_modules')
  return path.split(delimiter).filter(isTrusted).join(delimiter)
}
