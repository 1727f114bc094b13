import { delimiter, isAbsolute } from 'node:path'

/** Variables of the server that commands get too: none of them holds a secret. */
const PASSED = ['HOME', 'USER', 'LOGNAME', 'LANG', 'LC_CTYPE', 'TZ'] as const

/** Nothing in a command asks, opens an editor or pages. */
const FIXED = {
  TERM: 'dumb',
  SHELL: '/bin/bash',
  CI: '1',
  NO_COLOR: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  GIT_PAGER: 'cat',
  // Reading writes no index, and so starts no hook for it.
  GIT_OPTIONAL_LOCKS: '0',
  PAGER: 'cat',
  DEBIAN_FRONTEND: 'noninteractive',
} as const

/** The environment of a command: a short list, so that no variable of the server is in it by accident. */
export function commandEnvironment(
  variables: Readonly<Record<string, string>>,
  server: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const passed = PASSED.flatMap((name) => (server[name] === undefined ? [] : [[name, server[name]] as const]))
  const { LC_ALL: locale } = server
  const environment = {
    ...Object.fromEntries(passed),
    // It would count before what a command sets of its own.
    ...(locale !== undefined && { LANG: locale, LC_CTYPE: locale }),
    PATH: searchPath(server['PATH'] ?? ''),
    ...FIXED,
    ...variables,
  }
  // The types of Next require NODE_ENV, which a command of a person's project must not get from this server.
  return environment as unknown as NodeJS.ProcessEnv
}

/** Folders of programs: no relative one, and no packages of a project, which anybody who writes there could fill. */
function searchPath(path: string): string {
  const isTrusted = (folder: string) => isAbsolute(folder) && !folder.includes('node_modules')
  return path.split(delimiter).filter(isTrusted).join(delimiter)
}
