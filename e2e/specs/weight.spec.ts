import type { Page, Response } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'

/** Bytes of compressed JavaScript that a page may need before interaction. */
const BUDGET = 250_000

const LARGEST_PAINT_MS = 1500
const VISITS = 5

test('PF-8 a new chat needs no more JavaScript than its budget before interaction', async ({
  chat,
  page,
}) => {
  const scripts: Response[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response)
  })
  await chat.open()
  await page.waitForLoadState('networkidle')
  const sizes = await Promise.all(scripts.map((script) => script.request().sizes()))
  const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
  test.info().annotations.push({ type: 'bytes of JavaScript', description: String(bytes) })
  expect(bytes).toBeLessThanOrEqual(BUDGET)
})

test('PF-8 the largest contentful paint of a new chat is in time with a 4 × CPU slowdown', async ({
  chat,
  page,
}) => {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await browser.send('Network.setCacheDisabled', { cacheDisabled: true })
  const taken: number[] = []
  for (let visit = 0; visit < VISITS; visit++) {
    await chat.open()
    taken.push(Math.round(await largestPaint(page)))
  }
  test.info().annotations.push({ type: 'milliseconds to the largest paint', description: taken.join(', ') })
  // The best sample: the others include other load of the machine.
  expect(Math.min(...taken)).toBeLessThanOrEqual(LARGEST_PAINT_MS)
})

function largestPaint(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { promise, resolve } = Promise.withResolvers<number>()
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0)).observe({
      type: 'largest-contentful-paint',
      buffered: true,
    })
    return promise
  })
}

test('UI-3 a menu whose code has not loaded yet opens all the same', async ({ chat, page }) => {
  await chat.open()
  const model = page.getByRole('button', { name: /^Model/ })
  // Without a pointer or a key the code is not preloaded.
  await model.evaluate((button: HTMLElement) => button.click())
  await expect(page.getByRole('dialog', { name: 'Choose a model' })).toBeVisible()
})
