import { spawn } from 'node:child_process'
import { devNull } from 'node:os'

/** Milliseconds that one call of git may take. */
const GIT_TIMEOUT_MS = 10_000

export type GitCall = {
  cwd: string
  env?: Record<string, string>
  /** What git reads. */
  input?: string
  /** Lets git see the person's own settings, to be asked for one. */
  personal?: true
}

/** Git is not there, or there is no such folder to run it in. */
export class GitMissingError extends Error {
  constructor() {
    super('Git could not be started')
    this.name = 'GitMissingError'
  }
}

/** Git said no, with its exit code, or was stopped, with null. What it wrote names files and goes nowhere. */
export class GitError extends Error {
  readonly code: number | null

  constructor(command: string, code: number | null) {
    super(code === null ? `git ${command} took too long` : `git ${command} ended with ${code}`)
    this.name = 'GitError'
    this.code = code
  }
}

/** What git answers, untouched by settings of the machine, or of the person unless asked. Fails with the errors above. */
export function runGit(args: readonly string[], { cwd, env, input, personal }: GitCall): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const child = spawn('git', [...SETTINGS, ...args], {
    cwd,
    env: { ...ownEnvironment(), ...(personal && personalSettings()), ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: GIT_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  const output: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  child.on('error', () => reject(new GitMissingError()))
  child.on('close', (code) => {
    if (code === 0) resolve(Buffer.concat(output).toString('utf8'))
    else reject(new GitError(args[0] ?? '', code))
  })
  // Git that ends early has said why by its exit code.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input ?? '')
  return promise
}

const SETTINGS = Object.entries({
  'core.autocrlf': 'false',
  'core.fsmonitor': 'false',
  'core.hooksPath': devNull,
  'gc.auto': '0',
}).flatMap(([key, value]) => ['-c', `${key}=${value}`])

/** The process's environment without what would lead git elsewhere. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const foreign = Object.keys(process.env).filter((name) => name.startsWith('GIT_'))
  return {
    ...process.env,
    ...Object.fromEntries(foreign.map((name) => [name, undefined])),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  }
}

/** Where the person's settings are: where git would look, if nothing else is said. */
function personalSettings(): Record<string, string | undefined> {
  return { GIT_CONFIG_GLOBAL: process.env['GIT_CONFIG_GLOBAL'] }
}
