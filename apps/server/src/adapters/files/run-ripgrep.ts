import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { AppError } from '@palimpsest/core/domain'
import { rgPath } from '@vscode/ripgrep'

/** Exit codes: something was found, nothing was. */
const FINE: readonly unknown[] = [0, 1]

/** Characters of what ripgrep says about a bad pattern. */
const MAX_REASON = 1_000

/** Nothing of the server's own; Windows needs its root to start any program. */
const environment = (): NodeJS.ProcessEnv => ({
  NODE_ENV: 'production',
  SystemRoot: process.env['SystemRoot'],
})

type Search = {
  folder: string
  options: readonly string[]
  paths: readonly string[]
  /** Paths below the folder, with `/` between names, that are left out with all in them. */
  without: readonly string[]
}

/**
 * Runs ripgrep in a folder and yields its lines; it is stopped when the caller stops reading, and when the signal aborts. Settings
 * of the person who runs the server are ignored, links are not followed, and `.git` is left out. `INVALID_INPUT` with its words
 * for a pattern that it does not take.
 */
export async function* runRipgrep(
  { folder, options, paths, without }: Search,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  signal.throwIfAborted()
  // What comes last counts: no pattern of a caller brings these back.
  const left = ['!.git', ...without.map((path) => `!/${path.replaceAll(/[\\*?[\]{}!]/g, '\\$&')}`)]
  const args = [
    '--no-config',
    '--hidden',
    ...options,
    ...left.flatMap((glob) => ['--glob', glob]),
    '--',
    ...paths,
  ]
  const child = spawn(rgPath, args, { cwd: folder, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('exit', resolve)
  })
  // It is awaited below; a caller that stops early does not look at it.
  ended.catch(() => undefined)
  let reason = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (reason.length < MAX_REASON) reason += text
  })
  const stop = () => child.kill('SIGKILL')
  signal.addEventListener('abort', stop)
  try {
    yield* createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY })
    const code = await ended
    signal.throwIfAborted()
    // Files that cannot be read end a search with 2 as well.
    if (!FINE.includes(code) && /regex|glob/i.test(reason)) throw badPattern(reason)
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

function badPattern(reason: string): AppError {
  const words = reason.slice(0, MAX_REASON).trim()
  return new AppError('INVALID_INPUT', `The search did not take this pattern. ${words}`, { field: 'pattern' })
}
