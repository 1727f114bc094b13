import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'

const PREPARE = fileURLToPath(new URL('./prepare.ts', import.meta.url))
const BY_NPX = { npm_execpath: '/home/ann/.npm/_npx/0a1b/node_modules/pnpm/bin/pnpm.cjs' }

/** A build that lasts until it is aborted. */
const TURBO = `#!${process.execPath}
const { appendFileSync } = require('node:fs')
const say = (words) => appendFileSync(process.env.SAID, words + '\\n')
say('building')
process.on('SIGTERM', () => { say('ended'); process.exit(1) })
setInterval(() => {}, 1000)
`

/** Identifies itself as npx does, starts a shell that prepares and then starts, and forwards no signal. */
const NPX = `
process.title = 'npm exec pnpm@12 start'
const script = '"$NODE" "$PREPARE" && echo started; echo over'
require('node:child_process').spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'inherit' })
`

test.skipIf(process.platform !== 'linux')(
  'QA-1 a build whose npx has been ended ends with it, and nothing is started',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-prepare-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'turbo'), TURBO)
    chmodSync(join(folder, 'turbo'), 0o755)
    const said = join(folder, 'said')
    writeFileSync(said, '')
    const npx = spawn(process.execPath, ['-e', NPX], {
      cwd: folder,
      env: {
        NODE: process.execPath,
        PREPARE,
        SAID: said,
        PATH: `${folder}:${process.env['PATH']}`,
        ...BY_NPX,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let shown = ''
    for (const output of [npx.stdout, npx.stderr]) output.on('data', (more) => (shown += more))
    const closed = once(npx.stdout, 'close')
    await vi.waitFor(() => expect(readFileSync(said, 'utf8')).toBe('building\n'), { timeout: 20_000 })
    npx.kill('SIGTERM')
    await closed
    expect(readFileSync(said, 'utf8')).toBe('building\nended\n')
    expect(shown).toBe('Preparing (generate, build) …\nover\n')
  },
)
