import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ensureChromium } from './chromium/ensure.ts'
import { sourceFiles } from './lib/source-files.ts'
import { browserReport } from './test/stages.ts'

const folder = 'e2e'
const report = resolve(browserReport)
mkdirSync(dirname(report), { recursive: true })

if (sourceFiles(folder).some((path) => path.endsWith('.spec.ts'))) {
  const { status } = spawnSync(
    'node_modules/.bin/playwright',
    ['test', '--reporter=line,json', ...process.argv.slice(2)],
    {
      cwd: folder,
      stdio: 'inherit',
      env: {
        ...process.env,
        CHROMIUM_PATH: await ensureChromium(folder, console.log),
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      },
    },
  )
  process.exitCode = status ?? 1
} else {
  writeFileSync(report, JSON.stringify({ suites: [] }))
  console.log('no end to end tests yet')
}
