import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** A server in a process of its own. */
export type Child = AsyncDisposable & {
  /** Where it listens. */
  url: string
  /** Bytes of memory it holds; null where the system does not tell. */
  rss(): number | null
  /** Milliseconds of processor time it has used; null where the system does not tell. */
  cpuMs(): number | null
}

/** Milliseconds that a server may take to listen, and to stop. */
const PATIENCE_MS = 20_000

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10

/** Starts a Node program and resolves once it prints where it listens. All of them are started this one way. */
export async function startChild(
  program: string,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<Child> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  if (child.stdout === null) throw new Error('A piped output is never null')
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  lines.on('line', (line) => {
    const url = /http:\/\/[^\s"]+/.exec(line)?.[0]
    if (url !== undefined) resolve(url)
  })
  child.once('exit', (code) => reject(new Error(`${program} ended with code ${code} before it listened`)))
  const timer = setTimeout(() => reject(new Error(`${program} does not listen`)), PATIENCE_MS)
  const proc = (file: string) => readProc(`/proc/${child.pid}/${file}`)

  return {
    url: await promise.finally(() => clearTimeout(timer)),
    rss() {
      const kilobytes = /^VmRSS:\s+(\d+)/m.exec(proc('status') ?? '')?.[1]
      return kilobytes === undefined ? null : Number(kilobytes) * 1024
    },
    cpuMs() {
      const fields = proc('stat')?.split(') ')[1]?.split(' ')
      return fields === undefined ? null : (Number(fields[11]) + Number(fields[12])) * TICK_MS
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      const kill = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
      await ended
      clearTimeout(kill)
    },
  }
}

function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
