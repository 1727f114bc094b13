import { expect, test } from 'vitest'
import { findOrInstall, type Installer } from './ensure.ts'

/** Installers with the output and the browser of each, and a log of what happened. */
function attempt(outcomes: readonly { code: number; output?: string; leaves?: string }[], there?: string) {
  const happened: string[] = []
  let browser = there
  const installers: Installer[] = outcomes.map(({ code, output = '', leaves }, at) => ({
    name: `way ${at + 1}`,
    run() {
      happened.push(`ran ${at + 1}`)
      browser = leaves ?? browser
      return Promise.resolve({ code, output })
    },
  }))
  const ensured = findOrInstall(
    () => browser,
    installers,
    (line) => happened.push(line),
  )
  return { ensured, happened }
}

test('QA-1 with a browser present nothing is installed or printed', async () => {
  const { ensured, happened } = attempt([{ code: 0, leaves: '/other' }], '/usr/bin/chromium')
  expect(await ensured).toBe('/usr/bin/chromium')
  expect(happened).toEqual([])
})

test('QA-1 installers are tried in turn until one leaves a browser, each printed before', async () => {
  const { ensured, happened } = attempt([
    { code: 100, output: 'No network' },
    { code: 0, leaves: '/root/.cache/chrome' },
    { code: 0, leaves: '/never' },
  ])
  expect(await ensured).toBe('/root/.cache/chrome')
  expect(happened).toEqual([
    'no Chromium here: installing one (way 1)',
    'ran 1',
    'no Chromium here: installing one (way 2)',
    'ran 2',
  ])
})

test('QA-1 an installer that failed and left a browser all the same is enough', async () => {
  const { ensured } = attempt([{ code: 1, output: 'A warning', leaves: '/usr/bin/chromium' }])
  expect(await ensured).toBe('/usr/bin/chromium')
})

test('QA-1 when all installers fail, the error has the output of each and advice', async () => {
  const { ensured } = attempt([
    { code: 100, output: 'E: Unable to locate package chromium' },
    { code: 0, output: 'All done' },
    { code: 1, output: 'Failed to download' },
  ])
  const failure = await ensured.catch((error: Error) => error.message)
  expect(failure).toMatch(/^E: Unable to locate package chromium\nFailed to download\nNo Chromium was found/)
  expect(failure).toContain('CHROMIUM_PATH')
  expect(failure).not.toContain('All done')
})

test('QA-1 where nothing can be installed the error has only the advice', async () => {
  await expect(attempt([]).ensured).rejects.toThrow(/^No Chromium was found/)
})
