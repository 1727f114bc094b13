import { spawn } from 'node:child_process'

export interface CapturedRun {
  /** Exit code; 1 when a signal ended it or the command does not exist. */
  readonly code: number
  /** Standard output and error, as they came. */
  readonly output: string
}

export interface CapturedOptions {
  readonly cwd?: string
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>
  /** Also print the output while it arrives. */
  readonly echo?: boolean
  /** Ends the command, which then has failed. */
  readonly signal?: AbortSignal
}

/** Runs a command to its end, without input, and returns its output. */
export function runCaptured(
  command: string,
  args: readonly string[],
  { cwd, env, echo = false, signal }: CapturedOptions = {},
): Promise<CapturedRun> {
  const { promise, resolve } = Promise.withResolvers<CapturedRun>()
  const chunks: Buffer[] = []
  const child = spawn(command, args, {
    ...(cwd === undefined ? {} : { cwd }),
    ...(signal === undefined ? {} : { signal }),
    env: { ...process.env, ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const keep = (chunk: Buffer) => {
    chunks.push(chunk)
    if (echo) process.stdout.write(chunk)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  child.on('error', (error) => {
    // After an abort only its exit is awaited.
    if (signal?.aborted !== true || child.pid === undefined)
      resolve({ code: 1, output: `${command}: ${error.message}\n` })
  })
  child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }))
  return promise
}
