import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { SERVER_PROGRAM } from '../testing/start-process.ts'
import { watchLauncher } from './launcher.ts'

// A server is started, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 })

const BY_NPX = { npm_execpath: '/home/ann/.npm/_npx/0a1b/node_modules/pnpm/bin/pnpm.cjs' }

/** Identifies itself as npx does, starts a shell that starts the server, and ends at a signal without forwarding it. */
const NPX = `
process.title = 'npm exec pnpm@12 start'
const script = '"$NODE" "$MAIN"; echo "ended with $?"'
require('node:child_process').spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'inherit' })
`

test.skipIf(process.platform !== 'linux')(
  'RV-3 a server that was started through npx stops in good order once npx has been ended',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-npx-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const quiet = { PORT: '0', PALIMPSEST_WEB: 'off', PALIMPSEST_DISCOVER: 'off' }
    const npx = spawn(process.execPath, ['-e', NPX], {
      cwd: folder,
      env: {
        NODE_ENV: 'production',
        NODE: process.execPath,
        MAIN: SERVER_PROGRAM,
        ...quiet,
        ...BY_NPX,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    npx.stdout.setEncoding('utf8').on('data', (more: string) => {
      said += more
    })
    const closed = once(npx.stdout, 'close')
    await vi.waitFor(() => expect(said).toContain('Palimpsest is at'), { timeout: 30_000 })
    const url = /http\S+/.exec(said)?.[0] ?? ''
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    npx.kill('SIGTERM')
    await closed
    expect(said).toContain('ended with 0')
  },
)

test('RV-3 a server that was started another way outlives its parent process', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const gone = vi.fn()
  watchLauncher({}, gone)
  watchLauncher({ npm_execpath: '/usr/lib/node_modules/pnpm/bin/pnpm.cjs' }, gone)
  expect(vi.getTimerCount()).toBe(0)
})
