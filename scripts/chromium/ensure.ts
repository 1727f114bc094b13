import { execFileSync } from 'node:child_process'
import { type CapturedRun, runCaptured } from '../lib/run-captured.ts'
import { findChromium } from './find.ts'

const askPlaywright = "console.log((await import('@playwright/test')).chromium.executablePath())"

const advice = [
  'No Chromium was found and none could be installed. Any one of these helps:',
  '  install your system’s package, for example: sudo apt-get install chromium',
  '  or set CHROMIUM_PATH to the path of a Chromium or Chrome that you have',
].join('\n')

/** An installer of a browser, with the name that is printed while it runs. */
export interface Installer {
  readonly name: string
  readonly run: () => Promise<CapturedRun>
}

/**
 * The path of a Chromium that starts, installed first when there is none: Debian's package for root, otherwise
 * Playwright's. `folder` is the one that has Playwright. Throws with advice when all fail.
 */
export function ensureChromium(folder: string, say: (line: string) => void): Promise<string> {
  const surroundings = { env: process.env, playwright: () => playwrightBrowser(folder) }
  const playwright = { name: 'Playwright', run: () => byPlaywright(folder) }
  const installers = process.getuid?.() === 0 ? [{ name: 'apt-get', run: byApt }, playwright] : [playwright]
  return findOrInstall(() => findChromium(surroundings), installers, say)
}

/** The result of `find`, after the first installer with which it finds one. Throws the output of all of them, with advice. */
export async function findOrInstall(
  find: () => string | undefined,
  installers: readonly Installer[],
  say: (line: string) => void,
): Promise<string> {
  const found = find()
  if (found !== undefined) return found
  const failures: string[] = []
  for (const { name, run } of installers) {
    say(`no Chromium here: installing one (${name})`)
    const { code, output } = await run()
    if (code !== 0) failures.push(output)
    const installed = find()
    if (installed !== undefined) return installed
  }
  throw new Error([...failures, advice].join('\n'))
}

async function byApt(): Promise<CapturedRun> {
  const wait = ['-o', 'DPkg::Lock::Timeout=300']
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const update = await runCaptured('apt-get', [...wait, 'update'], { env })
  if (update.code !== 0) return update
  const install = [...wait, 'install', '-y', '--no-install-recommends']
  const shell = await runCaptured('apt-get', [...install, 'chromium-headless-shell'], { env })
  return shell.code === 0 ? shell : runCaptured('apt-get', [...install, 'chromium'], { env })
}

function byPlaywright(folder: string): Promise<CapturedRun> {
  return runCaptured('node_modules/.bin/playwright', ['install', 'chromium'], { cwd: folder })
}

function playwrightBrowser(folder: string): string | undefined {
  try {
    return execFileSync('node', ['--input-type=module', '-e', askPlaywright], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return undefined
  }
}
