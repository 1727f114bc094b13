import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { memoryOfAll } from './memory.ts'
import { untilItListens } from './until-it-listens.ts'

/** The server as users start it, with all processes of the start command. */
export type StartedCommand = AsyncDisposable & {
  url: string
  /** Bytes of all its processes; null where the system does not give it. */
  rss(): number | null
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const COMMAND = 'exec npx pnpm@12 start'
/** Milliseconds that it may take, since it may build the pages. */
const PATIENCE_MS = 300_000

/** Variables of a test run that a user's shell does not have. */
const OF_TESTS = /^(NODE_ENV|NODE_OPTIONS|TEST|DEV|PROD|MODE|SSR|BASE_URL|VITEST.*)$/

/** Runs the start command of the README (or another) and resolves once its server prints its address. */
export async function startCommand(env: Record<string, string>, command = COMMAND): Promise<StartedCommand> {
  const inherited = Object.entries(process.env).filter(([name]) => !OF_TESTS.test(name))
  const given = {
    ...Object.fromEntries(inherited),
    npm_config_yes: 'true',
    npm_config_loglevel: 'error',
    ...env,
  }
  const child = spawn('sh', ['-c', command], {
    cwd: ROOT,
    // A process group of its own, which is interrupted as a whole, as a terminal does it.
    detached: true,
    // Next's types want a NODE_ENV, which a user's shell does not have.
    env: given as object as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // All its processes write to the same output.
  const ended = once(child, 'close')
  const pid = child.pid ?? Number.NaN
  await using starting = new AsyncDisposableStack()
  starting.defer(async () => {
    if (child.exitCode === null) process.kill(-pid, 'SIGINT')
    await ended
  })
  const url = await untilItListens(child, command, PATIENCE_MS)
  const started = starting.move()
  return { url, rss: () => memoryOfAll(pid), [Symbol.asyncDispose]: () => started.disposeAsync() }
}
