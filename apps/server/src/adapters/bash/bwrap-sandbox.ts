import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Sandbox, SandboxInfo } from '@palimpsest/core/ports'
import { isInside } from '../workspaces.ts'
import { commandEnvironment } from './command-environment.ts'

/** Namespaces of its own, no capability, and an end with the server. */
const ISOLATION = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-net',
  '--unshare-ipc',
  '--unshare-uts',
  '--cap-drop',
  'ALL',
  '--die-with-parent',
  '--new-session',
]
/** Milliseconds of one probe. */
const PROBE_MS = 5_000

/** Folders and files of a home folder that hold keys. */
const SECRETS = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.config/gcloud',
  '.config/gh',
  '.config/glab-cli',
  '.password-store',
  '.local/share/keyrings',
  '.netrc',
  '.git-credentials',
  '.npmrc',
  '.pypirc',
  '.pgpass',
]

/** What git starts on its own, and the settings that name it: a later git outside of the sandbox would run them. */
const PROTECTED = ['.git/hooks', '.git/config']

export type SandboxPlaces = {
  home: string
  /** Folders and files of the server that no command reads. */
  hidden: readonly string[]
  /** Folders among the hidden ones that commands may read. */
  readable: readonly string[]
}

/**
 * Bubblewrap: the disk is read-only but for the workspace, `/tmp` and `/run` are empty, there is no network, and neither the
 * server's processes nor its data and keys can be read.
 */
export function createBwrapSandbox(places: SandboxPlaces): Sandbox {
  let info: SandboxInfo = { kind: 'none', reason: 'No sandbox has been looked for.' }
  let withProc = true

  function options(root: string | null): string[] {
    return [
      ...ISOLATION,
      ...['--ro-bind', '/', '/', '--dev', '/dev'],
      ...(withProc ? ['--proc', '/proc'] : []),
      ...['--tmpfs', '/tmp', '--tmpfs', '/run'],
      ...(root === null ? [] : ['--bind', root, root, ...protectedIn(root)]),
      ...hiddenFrom(places, root),
      ...places.readable.filter(existsSync).flatMap((path) => ['--ro-bind', path, path]),
    ]
  }

  async function tryRung(): Promise<string | null> {
    return await failureOf([...options(null), '--', '/bin/sh', '-c', PROBE, 'sh', String(process.pid)])
  }

  return {
    get info() {
      return info
    },
    async probe() {
      let reason: string | null = 'It works on Linux only.'
      for (const proc of process.platform === 'linux' ? [true, false] : []) {
        withProc = proc
        reason = await tryRung()
        if (reason === null) break
      }
      info = reason === null ? { kind: 'bwrap' } : { kind: 'none', reason }
      return info
    },
    wrap(argv, root) {
      return info.kind === 'none' ? argv : ['bwrap', ...options(root), '--chdir', root, '--', ...argv]
    },
  }
}

/** Fails when the server's environment can be read inside. */
const PROBE = '! cat "/proc/$1/environ" >/dev/null 2>&1'

/** Why bwrap does not work with these arguments; null when it does. */
function failureOf(args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn('bwrap', args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: commandEnvironment({}),
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, 300)
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), PROBE_MS)
    const settle = (reason: string | null) => {
      clearTimeout(timer)
      resolve(reason)
    }
    child.on('error', () => settle('bubblewrap (bwrap) is not installed.'))
    child.on('exit', (code) =>
      settle(code === 0 ? null : `bubblewrap does not work here: ${said.trim() || code}`),
    )
  })
}

function protectedIn(root: string): string[] {
  return PROTECTED.map((path) => join(root, path))
    .filter(existsSync)
    .flatMap((path) => ['--ro-bind', path, path])
}

/** Covers secrets; a folder that holds the workspace stays, as it is needed to reach it. */
function hiddenFrom({ home, hidden }: SandboxPlaces, root: string | null): string[] {
  const all = [...SECRETS.map((path) => join(home, path)), ...hidden]
  return all
    .filter((path) => existsSync(path) && (root === null || !isInside(path, root)))
    .flatMap((path) => (statSync(path).isDirectory() ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path]))
}
