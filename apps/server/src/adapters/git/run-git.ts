import { fitsLine, type GitShell } from './git-shell.ts'
import { type GitVariables, startGit } from './start-git.ts'

/** Milliseconds that one call of git may take. */
const GIT_TIMEOUT_MS = 10_000

export type GitCall = {
  cwd: string
  env?: GitVariables
  /** Bytes for git's standard input. */
  input?: string
  /** Milliseconds that it may take; ten seconds without it. */
  timeoutMs?: number
}

/** Git is not installed, or the folder to run it in does not exist. */
export class GitMissingError extends Error {
  constructor() {
    super('Git could not be started')
    this.name = 'GitMissingError'
  }
}

/** Git failed with its exit code, or was killed, with null. Its output names files and is dropped. */
export class GitError extends Error {
  readonly code: number | null

  constructor(command: string, code: number | null) {
    super(code === null ? `git ${command} took too long` : `git ${command} ended with ${code}`)
    this.name = 'GitError'
    this.code = code
  }
}

/** Runs git and returns its output. Fails with the errors above. */
export async function runGit(args: readonly string[], call: GitCall): Promise<string> {
  return (await runGitBytes(args, call)).toString('utf8')
}

/** The same for output that is no text. */
export function runGitBytes(
  args: readonly string[],
  { cwd, env, input, timeoutMs = GIT_TIMEOUT_MS }: GitCall,
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const child = startGit(args, {
    cwd,
    variables: env,
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  const output: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk))
  child.on('error', () => reject(new GitMissingError()))
  child.on('close', (code) => {
    if (code === 0) resolve(Buffer.concat(output))
    else reject(new GitError(args[0] ?? '', code))
  })
  // A git that exits early gives the reason by its exit code.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input ?? '')
  return promise
}

export type RunGit = typeof runGit

/** The exit code of a shell that does not find a program. */
export const NO_PROGRAM = 127

/** Runs git through a shell while that is idle and the call has no input, and in a process of its own otherwise. */
export function runGitIn(shell: GitShell): RunGit {
  return async (args, call) => {
    const { cwd, env = {}, input, timeoutMs = GIT_TIMEOUT_MS } = call
    const words = ['-C', cwd, ...args]
    const variables = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const fits = [...words, ...variables.flat()].every(fitsLine)
    if (input !== undefined || shell.busy || !fits) return await runGit(args, call)
    const answer = await shell.run(words, timeoutMs, Object.fromEntries(variables))
    if (answer === null) throw new GitError(args[0] ?? '', null)
    if (answer.code === NO_PROGRAM) throw new GitMissingError()
    if (answer.code !== 0) throw new GitError(args[0] ?? '', answer.code)
    return answer.text
  }
}
