import { AppError } from '@palimpsest/core/domain'
import type { SecretRef } from '@palimpsest/core/providers'
import { destination, type Logger } from 'pino'
import { type Config, readConfigFile } from './config-file.ts'
import { openContainer } from './container.ts'
import { type Env, readEnv } from './env.ts'
import { watchLauncher } from './launcher.ts'
import { createLogger } from './observe/logger.ts'
import { openServer, type Server } from './open-server.ts'

type Environment = Record<string, string | undefined>

const STDERR = 2
/** Milliseconds that whatever is still open may keep a stopped process. */
const LINGER_MS = 1000
/** Milliseconds in which another signal is the same one, passed on by whoever started this process as well. */
const ECHO_MS = 500

/** Starts the server that an environment asks for, and ends the process when it is told to. */
export async function runServer(environment: Environment): Promise<void> {
  try {
    const env = readEnv(environment)
    const config = await readConfigFile(env.PALIMPSEST_CONFIG)
    const readSecret = (ref: SecretRef) => environment[ref.env]
    const logger = createLogger({
      level: env.LOG_LEVEL,
      secrets: secretsOf(env, config, readSecret),
      destination: destination({ fd: STDERR, sync: true }),
    })
    const { ports, coreSettings, settings } = await openContainer({ env, config, logger, readSecret })
    const server = await openServer(ports, coreSettings, settings)
    const stopper = createStopper(server, env.PALIMPSEST_GRACE_MS, logger)
    process.on('SIGTERM', stopper.signal).on('SIGINT', stopper.signal)
    watchLauncher(environment, () => {
      // In development the parent starts this process anew when files change; it passes the signal on.
      if (env.PALIMPSEST_DEV) process.kill(process.ppid, 'SIGTERM')
      else void stopper.stop('npx has ended')
    })
    process.stdout.write(greeting(server, env))
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    process.exit(1)
  }
}

function greeting(server: Server, env: Env): string {
  const login = env.PALIMPSEST_TOKEN === undefined ? '' : ' (open /login?token=<your token> once)'
  return `Palimpsest is at ${server.url}${login}\n`
}

/** The first signal lets runs finish; one that comes later does not wait. */
function createStopper(server: Server, graceMs: number, logger: Logger) {
  let stoppedAt: number | null = null

  async function stop(reason: string): Promise<void> {
    if (stoppedAt !== null) return
    stoppedAt = performance.now()
    logger.info({ reason, activeRuns: server.activeRuns }, 'Stopping')
    process.exitCode = await server.shutdown(graceMs).then(
      () => 0,
      (error: unknown) => {
        logger.error({ err: error }, 'The server could not stop in good order')
        return 1
      },
    )
    // Nothing is left to do, so that the process ends by itself. To exit while V8 still compiles in the background can
    // wait for ever, so that is kept for what does not let go of the process.
    setTimeout(() => process.exit(), LINGER_MS).unref()
  }

  return {
    stop,
    async signal(name: NodeJS.Signals): Promise<void> {
      if (stoppedAt !== null && performance.now() - stoppedAt > ECHO_MS) process.exit(1)
      await stop(name)
    },
  }
}

function secretsOf(env: Env, config: Config, readSecret: (ref: SecretRef) => string | undefined): string[] {
  const named = Object.values(config.providers).flatMap(({ apiKey, headers }) => [
    apiKey === undefined ? undefined : readSecret(apiKey),
    ...Object.values(headers ?? {}),
  ])
  const own = [
    env.PALIMPSEST_TOKEN,
    env.OPENAI_API_KEY,
    env.ANTHROPIC_API_KEY,
    env.GOOGLE_GENERATIVE_AI_API_KEY,
  ]
  return [...own, ...named].filter((secret) => secret !== undefined)
}

/** For the person at the terminal: what is wrong and what to do; for what nobody expected, all there is. */
function explain(error: unknown): string {
  if (error instanceof AppError && error.code !== 'INTERNAL') return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
