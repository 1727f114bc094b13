import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'

/** The sum of layout shifts that a page may have from its first paint on. */
const MOST_SHIFT = 0.02

/** Milliseconds without a change of the page after which nothing more is expected to move. */
const SETTLED_MS = 1_000

const SCREENS = {
  '390 px': { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  '1024 px': { viewport: { width: 1024, height: 768 } },
  '1440 px': { viewport: { width: 1440, height: 900 } },
}

/** A slow phone on a slow line, with nothing cached. */
async function slowDown(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Network.enable')
  await browser.send('Network.setCacheDisabled', { cacheDisabled: true })
  await browser.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 100,
    downloadThroughput: 500_000,
    uploadThroughput: 200_000,
  })
  await browser.send('Emulation.setCPUThrottlingRate', { rate: 2 })
}

/** The shifts since the first paint, once the page has not changed for a while: their sum, and what moved. */
function shiftsOf(page: Page): Promise<{ sum: number; moved: string[] }> {
  return page.evaluate((settledMs) => {
    const { promise, resolve } = Promise.withResolvers<{ sum: number; moved: string[] }>()
    const moved: string[] = []
    let sum = 0
    const end = () => resolve({ sum, moved })
    let timer = setTimeout(end, settledMs)
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(end, settledMs)
    }
    new MutationObserver(wait).observe(document, { subtree: true, childList: true, attributes: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const shift = entry as PerformanceEntry & {
          value: number
          sources: { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
        }
        sum += shift.value
        for (const { node, previousRect: from, currentRect: to } of shift.sources) {
          const element = node instanceof Element ? node : node?.parentElement
          moved.push(
            `${shift.value.toFixed(3)} ${element?.tagName} "${element?.textContent?.slice(0, 40)}" ` +
              `${[from.x, from.y, from.width, from.height].map(Math.round)} → ${[to.x, to.y, to.width, to.height].map(Math.round)}`,
          )
        }
      }
      wait()
    }).observe({ type: 'layout-shift', buffered: true })
    return promise
  }, SETTLED_MS)
}

for (const [screen, use] of Object.entries(SCREENS))
  test.describe(`at ${screen}`, () => {
    test.use(use)

    for (const speed of ['cold', 'throttled'] as const)
      test(`UI-44 no page moves after its first paint at ${screen}, ${speed}`, async ({
        demo,
        page,
        tell,
      }) => {
        const { url } = demo
        const sessionId = await tell({ title: 'A tour', texts: ['Show me what you can do.'] })
        const paths = [
          '/',
          '/settings/general',
          '/settings/models',
          `/s/${sessionId}`,
          `/s/${sessionId}/inspect`,
          '/s/ses_00000000000000000000000000',
        ]
        if (speed === 'throttled') await slowDown(page)
        const found: Record<string, unknown> = {}
        for (const path of paths) {
          await page.goto(new URL(path, url).href)
          const shifts = await shiftsOf(page)
          if (shifts.sum > MOST_SHIFT) found[path] = shifts
        }
        expect(found).toEqual({})
      })
  })
