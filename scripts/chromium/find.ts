import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The one without windows first: it takes some 40 % less processor time for the same tests. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
const applications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

export interface Surroundings {
  /** `CHROMIUM_PATH` names a browser; otherwise `PATH` is searched. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The path where Playwright would keep its own browser, whether it exists or not. */
  readonly playwright: () => string | undefined
}

/**
 * The path of a Chromium that starts: `CHROMIUM_PATH`, else one on the PATH, else a Mac's application, else
 * Playwright's own. Undefined when there is none. Throws when `CHROMIUM_PATH` names one that does not start.
 */
export function findChromium({ env, playwright }: Surroundings): string | undefined {
  const named = env['CHROMIUM_PATH']
  if (named) {
    if (starts(named)) return named
    throw new Error(`CHROMIUM_PATH is ${named}, which does not start`)
  }
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...onPath, ...applications].find(starts) ?? [playwright() ?? ''].find(starts)
}

/** Some systems have a `chromium` that only prints how to install one, so its existence is not enough. */
function starts(path: string): boolean {
  if (!existsSync(path)) return false
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 })
    return true
  } catch {
    return false
  }
}
