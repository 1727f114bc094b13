import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { memoryOf, readProc } from './memory.ts'
import { untilItListens } from './until-it-listens.ts'

/** A server in a process of its own. */
export type Child = AsyncDisposable & {
  /** Where it listens. */
  url: string
  /** Bytes of memory in use; null where the system does not give it. */
  rss(): number | null
  /** Milliseconds of processor time used; null where the system does not give it. */
  cpuMs(): number | null
}

/** A server that measures its own event loop. */
export type ProbedChild = Child & {
  /** The longest time in milliseconds for which its loop was blocked since the last call. */
  longestBlockMs(): Promise<number>
}

const LOOP_PROBE = new URL('./loop-probe.ts', import.meta.url)

/** Milliseconds that a server may take to listen, and to stop. */
const PATIENCE_MS = 20_000

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10

/** Starts a Node program and resolves once it prints its address. Every server of a benchmark is started this way. */
export function startChild(
  program: string,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<Child> {
  return startProcess(process.execPath, [program, ...args], { env: { NODE_ENV: 'production', ...env } })
}

/** The same with a probe of its event loop. */
export async function startProbed(
  program: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<ProbedChild> {
  const flags = ['--import', LOOP_PROBE.href]
  const environment = { NODE_ENV: 'production', ...env }
  const { child, ...started } = await start(process.execPath, [...flags, program, ...args], {
    env: environment,
  })
  return {
    ...started,
    async longestBlockMs() {
      const answer = once(child, 'message')
      child.send('longest-block')
      const [{ longestMs }] = (await answer) as [{ longestMs: number }]
      return longestMs
    },
  }
}

/** Starts any program and resolves once it prints its address. */
export async function startProcess(
  file: string,
  args: string[],
  options: { env: Record<string, string>; cwd?: string },
): Promise<Child> {
  const { child: _child, ...started } = await start(file, args, options)
  return started
}

async function start(
  file: string,
  args: string[],
  { env, cwd }: { env: Record<string, string>; cwd?: string },
): Promise<Child & { child: ChildProcess }> {
  const child = spawn(file, args, {
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  await using starting = new AsyncDisposableStack()
  starting.defer(async () => {
    child.kill()
    const kill = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
    await ended
    clearTimeout(kill)
  })
  const url = await untilItListens(child, args[0] ?? file, PATIENCE_MS)
  const pid = child.pid ?? Number.NaN
  const started = starting.move()

  return {
    child,
    url,
    rss: () => memoryOf(pid),
    cpuMs() {
      const fields = readProc(pid, 'stat')?.split(') ')[1]?.split(' ')
      return fields === undefined ? null : (Number(fields[11]) + Number(fields[12])) * TICK_MS
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}
