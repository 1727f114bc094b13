import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { memoryOfAll } from './memory.ts'
import { untilItListens } from './until-it-listens.ts'

/** The server as people start it, with whatever that leaves running around it. */
export type StartedCommand = AsyncDisposable & {
  url: string
  /** Bytes that all of it holds; null where the system does not tell. */
  rss(): number | null
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const COMMAND = 'exec npx pnpm@12 start'
/** Milliseconds that it may take, since it may have the pages to build. */
const PATIENCE_MS = 300_000

/** What a test run tells whatever it starts, and a person's shell does not. */
const OF_TESTS = /^(NODE_ENV|NODE_OPTIONS|TEST|DEV|PROD|MODE|SSR|BASE_URL|VITEST.*)$/

/** Runs the start command of the README (or another) and resolves once its server says where it listens. */
export async function startCommand(env: Record<string, string>, command = COMMAND): Promise<StartedCommand> {
  const inherited = Object.entries(process.env).filter(([name]) => !OF_TESTS.test(name))
  const child = spawn('sh', ['-c', command], {
    cwd: ROOT,
    // A group of its own, which is interrupted as a whole, as a terminal does it.
    detached: true,
    env: { ...Object.fromEntries(inherited), npm_config_yes: 'true', npm_config_loglevel: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // All of what it has started writes to the same output.
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
