import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { AppError, type HookAnswer, type HookPayload } from '@palimpsest/core/domain'
import type { Hook, Logger } from '@palimpsest/core/ports'
import type { HookConfig } from '../../hook-schema.ts'
import { blockedBy, parseAnswer, readAnswer } from './read-answer.ts'
import { runCommand } from './run-command.ts'

const TIMEOUT_MS = 10_000
/** A path without blanks that ends in an extension. */
const SCRIPT = /^(?!-)[\w./\\-]+\.\w{1,5}$/
/** The exit code with which a command blocks. */
const BLOCKED = 2

type Run = Hook['run']

/** The hooks of the configuration. Modules are loaded now; one that cannot be loaded fails at each call. */
export async function createHooks(
  configured: readonly HookConfig[],
  { folder, logger }: { folder: string; logger: Logger },
): Promise<Hook[]> {
  return await Promise.all(
    configured.map(async (config, index): Promise<Hook> => {
      const { event, required = false, timeout = TIMEOUT_MS, tools = null } = config
      const name = config.name ?? `${event} ${index + 1}`
      const run = await ('command' in config
        ? commandHook(config.command, folder)
        : moduleHook(config.module, folder, (error) =>
            logger.error({ error, hook: name }, 'The module of a hook cannot be loaded'),
          ))
      const kind = 'command' in config ? 'command' : 'module'
      const source = 'command' in config ? programOf(config.command) : config.module
      return { name, event, kind, source, required, timeoutMs: timeout, tools, run }
    }),
  )
}

/** The program and its script. Other arguments may be secret. */
function programOf([program, script = '']: readonly [string, ...string[]]): string {
  return SCRIPT.test(script) ? `${program} ${script}` : program
}

function commandHook(command: readonly string[], cwd: string): Run {
  return async (payload, signal) => {
    const { exitCode, stdout, stderr } = await runCommand(command, JSON.stringify(payload), { cwd, signal })
    if (exitCode === BLOCKED) return blockedBy(stderr)
    if (exitCode !== 0) throw new AppError('HOOK_DENIED', `It ended with exit code ${exitCode ?? 'none'}.`)
    return parseAnswer(stdout)
  }
}

async function moduleHook(path: string, folder: string, onFailure: (error: unknown) => void): Promise<Run> {
  try {
    const loaded: unknown = await import(pathToFileURL(resolve(folder, path)).href)
    const run = Object(loaded).default
    if (typeof run !== 'function') throw new TypeError('It exports no function as its default.')
    return async (payload, signal) => readAnswer(await callModule(run, payload, signal))
  } catch (error) {
    onFailure(error)
    return () => Promise.reject(new AppError('HOOK_DENIED', 'Its module cannot be loaded.', { cause: error }))
  }
}

type HookFunction = (
  payload: HookPayload,
  context: { signal: AbortSignal },
) => HookAnswer | Promise<HookAnswer>

// The module is the operator's: its answer is checked, whatever it is.
async function callModule(run: HookFunction, payload: HookPayload, signal: AbortSignal): Promise<unknown> {
  return await run(structuredClone(payload), { signal })
}
