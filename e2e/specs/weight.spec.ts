import type { Response } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'

/** Bytes of compressed JavaScript that a page may need before anybody does anything. */
const BUDGET = 250_000

test('PF-8 a new chat needs no more JavaScript than its budget before anything is done', async ({
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

test('UI-3 a menu whose code has not come yet opens all the same', async ({ chat, page }) => {
  await chat.open()
  const model = page.getByRole('button', { name: /^Model/ })
  // Without a pointer or a key there was no sign that it would be needed.
  await model.evaluate((button: HTMLElement) => button.click())
  await expect(page.getByRole('dialog', { name: 'Choose a model' })).toBeVisible()
})
