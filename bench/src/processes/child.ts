import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Counts } from './cost-probe.ts'
import { memoryOf, privateMemoryOf, readProc } from './memory.ts'
import { untilItListens } from './until-it-listens.ts'

/** A server in a process of its own. */
export type Child = AsyncDisposable & {
  /** Where it listens. */
  url: string
  /** Bytes of memory in use; null where the system does not give it. */
  rss(): number | null
  /** The same without what is shared with other processes or read from files. */
  privateBytes(): number | null
  /** Milliseconds of processor time used; null where the system does not give it. */
  cpuMs(): number | null
}

/** A server that measures its own event loop. */
export type ProbedChild = Child & {
  /** The longest time in milliseconds for which its loop was blocked since the last call. */
  longestBlockMs(): Promise<number>
}

const LOOP_PROBE = new URL('./loop-probe.ts', import.meta.url)
const COST_PROBE = new URL('./cost-probe.ts', import.meta.url)

/** Milliseconds that a server may take to listen, and to stop. */
const PATIENCE_MS = 60_000

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
  const { ask, ...started } = await startWith(LOOP_PROBE, program, args, env)
  return {
    ...started,
    longestBlockMs: async () => ((await ask('longest-block')) as { longestMs: number }).longestMs,
  }
}

/** A server that counts what it does. */
export type CountedChild = Child & { counts(): Promise<Counts> }

/** The same with a probe that counts; `sqlite` is the address of the package of SQLite that the program loads. */
export async function startCounted(
  program: string,
  env: Record<string, string>,
  sqlite: string,
): Promise<CountedChild> {
  const { ask, ...started } = await startWith(COST_PROBE, program, [], { ...env, SQLITE: sqlite })
  return { ...started, counts: async () => (await ask('counts')) as Counts }
}

async function startWith(
  probe: URL,
  program: string,
  args: string[],
  env: Record<string, string>,
): Promise<Child & { ask(question: string): Promise<unknown> }> {
  const { child, ...started } = await start(process.execPath, ['--import', probe.href, program, ...args], {
    env: { NODE_ENV: 'production', ...env },
  })
  return {
    ...started,
    async ask(question) {
      const answer = once(child, 'message')
      child.send(question)
      return (await answer)[0]
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
    privateBytes: () => privateMemoryOf(pid),
    cpuMs() {
      const fields = readProc(pid, 'stat')?.split(') ')[1]?.split(' ')
      return fields === undefined ? null : (Number(fields[11]) + Number(fields[12])) * TICK_MS
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}
