import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What `built-server.ts` has built for the tests, else what the last build wrote. */
export const SERVER_PROGRAM =
  process.env['SERVER_PROGRAM'] ?? fileURLToPath(new URL('../../dist/main.mjs', import.meta.url))

/** The server as users run it: what is built, in a process of its own in an empty folder. */
export interface ServerProcess extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  readonly folder: string
  /** Everything that it has written to stdout and stderr so far. */
  readonly output: string
  kill(signal: NodeJS.Signals): void
  /** Its exit code, once it has exited. */
  readonly exited: Promise<number | null>
}

/**
 * Starts a server on a free port and waits for its greeting; fails with its output when it exits instead. `through` is a
 * command that starts another command, such as `unshare`.
 */
export async function startProcess(
  environment: Record<string, string> = {},
  through: readonly string[] = [],
): Promise<ServerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-process-'))
  const child = run(folder, environment, through)
  const output = gather(child)
  const exited = once(child, 'exit').then(([code]): number | null => code)
  const url = await Promise.race([output.greeting, exited.then(() => null)])
  if (url === null) {
    await rm(folder, { recursive: true })
    throw new Error(output.text())
  }
  return {
    url,
    pid: child.pid ?? 0,
    folder,
    exited,
    get output() {
      return output.text()
    },
    kill: (signal) => void child.kill(signal),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true })
    },
  }
}

function run(folder: string, environment: Record<string, string>, through: readonly string[]): ChildProcess {
  const { PATH = '' } = process.env
  const [command = process.execPath, ...args] = [...through, process.execPath, SERVER_PROGRAM]
  const quiet = { PORT: '0', PALIMPSEST_WEB: 'off', PALIMPSEST_DISCOVER: 'off' }
  return spawn(command, args, {
    cwd: folder,
    env: { PATH, NODE_ENV: 'production', ...quiet, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function gather(child: ChildProcess): { text(): string; greeting: Promise<string> } {
  const greeting = Promise.withResolvers<string>()
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (more: string) => {
      text += more
      const url = /Palimpsest is at (\S+)/.exec(text)?.[1]
      if (url !== undefined) greeting.resolve(url)
    })
  }
  return { text: () => text, greeting: greeting.promise }
}
