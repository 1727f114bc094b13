import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export type ExtractionBounds = { seconds: number; megabytes: number; pages: number; characters: number }

/** Milliseconds between two looks at the memory of the process. */
const LOOK_MS = 25
/** Bytes of JSON for a character of text, and for all that is not text. */
const CHARACTER_BYTES = 4
const MORE_BYTES = 1_000_000
/** Megabytes of JavaScript objects. The bytes that streams unpack to are not among them. */
const HEAP_MB = 256
/** Megabytes that Node reserves without using them; the kernel counts them too. */
const RESERVED_MB = 800
/** Seconds of processor time for a second of the bound: several threads work, and none goes on when the server is gone. */
const CPU_FACTOR = 3

const SCRIPT = fileURLToPath(new URL('./extract-pages.ts', import.meta.url))
const LIBRARY = import.meta.resolve('unpdf')
/** No file with the memory of a process that was ended, then bounds by the kernel. */
const BOUNDED = 'ulimit -c 0; ulimit -t "$1"; ulimit -d "$2"; shift 2; exec "$@"'

/**
 * What a process says about a PDF until it ends; whole lines only. It reads no file but its code, writes none, starts nothing and has
 * no variable of the server. It is killed at its bounds and when the signal aborts, which rejects.
 */
export function runExtraction(
  bytes: Uint8Array,
  signal: AbortSignal,
  bounds: ExtractionBounds,
): Promise<string[]> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<string[]>()
  // The types of Next require NODE_ENV.
  const child = spawn('/bin/sh', argumentsFor(bounds), {
    env: { NODE_ENV: 'production' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const end = () => child.kill('SIGKILL')
  const timers = [
    setTimeout(end, bounds.seconds * 1_000),
    setInterval(() => void endAbove(bounds.megabytes, child.pid, end), LOOK_MS),
  ]
  signal.addEventListener('abort', end)
  const pieces: Buffer[] = []
  let left = bounds.characters * CHARACTER_BYTES + MORE_BYTES
  child.stdout.on('data', (piece: Buffer) => {
    left -= piece.length
    if (left < 0) end()
    else pieces.push(piece)
  })
  // A process that has ended takes no more input.
  child.stdin.on('error', () => undefined).end(bytes)
  child.on('error', reject).on('close', () => {
    for (const timer of timers) clearTimeout(timer)
    signal.removeEventListener('abort', end)
    if (signal.aborted) reject(signal.reason)
    else resolve(Buffer.concat(pieces).toString('utf8').split('\n').slice(0, -1))
  })
  return promise
}

function argumentsFor({ seconds, megabytes, pages, characters }: ExtractionBounds): string[] {
  const limits = [CPU_FACTOR * seconds, (megabytes + RESERVED_MB) * 1_024]
  const readable = [SCRIPT, fileURLToPath(new URL('..', LIBRARY))].map((path) => `--allow-fs-read=${path}`)
  const options = [
    '--permission',
    ...readable,
    '--disallow-code-generation-from-strings',
    `--max-old-space-size=${HEAP_MB}`,
  ]
  const work = [SCRIPT, LIBRARY, pages, characters]
  return ['-c', BOUNDED, 'sh', ...limits.map(String), process.execPath, ...options, ...work.map(String)]
}

/** Ends a process that uses more memory. Without `/proc` its bound is that of the kernel, where there is one. */
async function endAbove(megabytes: number, pid: number | undefined, end: () => void): Promise<void> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kilobytes = Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0)
  if (kilobytes > megabytes * 1_024) end()
}
