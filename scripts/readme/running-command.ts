import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A command as typed into a shell, with every process that it started. */
export interface RunningCommand extends AsyncDisposable {
  /** Resolves with the first match in its output; rejects with all output when it ends without one. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** Resolves with all output once it has ended. Rejects when it failed. */
  readonly finished: Promise<string>
  /** Interrupts the whole process group, as Ctrl-C does. Resolves once all of it has ended. */
  interrupt(): Promise<void>
}

/** Variables by which a test run would affect the processes that it starts. */
const ours =
  /^(NODE_ENV|NODE_OPTIONS|TEST|DEV|PROD|MODE|SSR|BASE_URL|VITEST.*|PORT|HOST|DATABASE_URL|LOG_LEVEL)$/
const settings = /^(PALIMPSEST_|OPENAI_|ANTHROPIC_|GOOGLE_)/

/** Runs a shell command in `cwd` with these variables and none of this process's settings. */
export function runCommand(
  command: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): RunningCommand {
  const inherited = Object.entries(process.env).filter(([name]) => !ours.test(name) && !settings.test(name))
  const child = spawn('sh', ['-c', command], {
    cwd,
    detached: true,
    env: { ...Object.fromEntries(inherited), CI: 'true', npm_config_yes: 'true', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'close')
  const waiting = new Set<() => void>()
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (more: string) => {
      said += more
      for (const look of waiting) look()
    })
  }

  function signal(name: NodeJS.Signals) {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name)
    } catch {
      // The whole group has ended.
    }
  }

  return {
    async says(pattern) {
      const { promise, resolve } = Promise.withResolvers<RegExpExecArray>()
      const look = () => {
        const match = pattern.exec(said)
        if (match !== null) resolve(match)
      }
      look()
      waiting.add(look)
      const match = await Promise.race([promise, exited.then(() => null)])
      waiting.delete(look)
      if (match === null) throw new Error(`${command} ended without ${pattern}:\n${said}`)
      return match
    },
    get finished() {
      return exited.then(([code]) => {
        if (code !== 0) throw new Error(`${command} ended with ${code}:\n${said}`)
        return said
      })
    },
    async interrupt() {
      signal('SIGINT')
      await exited
    },
    async [Symbol.asyncDispose]() {
      signal('SIGKILL')
      await exited
    },
  }
}
