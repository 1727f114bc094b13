import { AppError } from '@palimpsest/core/domain'
import { secretsOf as providerSecrets, type SecretRef } from '@palimpsest/core/providers'
import { destination } from 'pino'
import { setSettingsAside } from './adapters/bash/writing-commands.ts'
import type { Config } from './config-file.ts'
import { openContainer } from './container.ts'
import { type Env, readEnv } from './env.ts'
import { findConfig } from './find-config.ts'
import { watchLauncher } from './launcher/launcher.ts'
import { createLogSecrets } from './observe/log-secrets.ts'
import { createLogger } from './observe/logger.ts'
import { openServer, type Server } from './open-server.ts'
import { serverFiles } from './server-files.ts'
import { createStopper } from './stopper.ts'

type Environment = Record<string, string | undefined>

const STDERR = 2
/** Bytes of log that may wait for a slow reader. */
const UNWRITTEN_BYTES = 1_000_000
/** Starts the server that an environment configures, and ends the process at a signal. */
export async function runServer(environment: Environment): Promise<void> {
  try {
    const env = readEnv(environment)
    // A command of a server that was killed may have made what is read next.
    for (const sentence of await setSettingsAside(serverFiles(env).running))
      process.stderr.write(`${sentence}\n`)
    const { config, notice } = await findConfig(env)
    const readSecret = (ref: SecretRef) => environment[ref.env]
    const secrets = createLogSecrets(secretsOf(env, config, readSecret))
    const logger = createLogger({ level: env.LOG_LEVEL, secrets, destination: openLog() })
    if (notice !== null) logger.warn(notice)
    const sources = { env, config, logger, readSecret, redactFromLogs: secrets.add }
    const { ports, coreSettings, settings } = await openContainer(sources)
    const server = await openServer(ports, coreSettings, settings)
    const stopper = createStopper(server, {
      graceMs: env.PALIMPSEST_GRACE_MS,
      logger,
      exit: (code) => process.exit(code),
    })
    process.on('SIGTERM', stopper.signal).on('SIGINT', stopper.signal)
    // The shell also sends it some time after its terminal closed; it never shortens the grace period.
    process.on('SIGHUP', stopper.stop)
    watchLauncher(environment, () => {
      // In development the parent restarts this process when files change; it forwards the signal.
      if (env.PALIMPSEST_DEV) process.kill(process.ppid, 'SIGTERM')
      else void stopper.stop('npx has ended')
    })
    process.stdout.write(`${greeting(server, env)}${notice === null ? '' : `${notice}\n`}`)
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    process.exit(1)
  }
}

/** Writes log lines. When the output cannot be written, as after its terminal closed, only the lines are lost. */
function openLog(): ReturnType<typeof destination> {
  const log = destination({ fd: STDERR, sync: true, maxLength: UNWRITTEN_BYTES })
  return log.on('error', () => undefined)
}

function greeting(server: Server, env: Env): string {
  const login = env.PALIMPSEST_TOKEN === undefined ? '' : ' (open /login?token=<your token> once)'
  return `Palimpsest is at ${server.url}${login}\n`
}

function secretsOf(env: Env, config: Config, readSecret: (ref: SecretRef) => string | undefined): string[] {
  const named = Object.values(config.providers).flatMap(({ apiKey, headers, baseURL }) =>
    providerSecrets({ apiKey: apiKey && readSecret(apiKey), headers, baseURL }),
  )
  const inAddresses = [env.OPENAI_BASE_URL, env.ANTHROPIC_BASE_URL].flatMap((baseURL) =>
    providerSecrets({ baseURL }),
  )
  const own = [
    env.PALIMPSEST_TOKEN,
    env.OPENAI_API_KEY,
    env.ANTHROPIC_API_KEY,
    env.GOOGLE_GENERATIVE_AI_API_KEY,
    env.PALIMPSEST_SECRET_KEY?.toString('base64'),
    env.PALIMPSEST_SECRET_KEY?.toString('hex'),
  ]
  return [...own, ...named, ...inAddresses].filter((secret) => secret !== undefined)
}

/** For the terminal: what is wrong and what to do; for unexpected errors, the whole stack. */
function explain(error: unknown): string {
  if (error instanceof AppError && error.code !== 'INTERNAL') return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
