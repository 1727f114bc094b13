import { auditBothSchemes } from '../fixtures/audit.ts'
import { POINTED } from '../fixtures/screens.ts'
import { expect, test } from '../fixtures/test.ts'

for (const [screen, options] of Object.entries(POINTED)) {
  test.describe(() => {
    test.use(options)

    test(`UI-25 German is chosen, applied at once and kept, ${screen}`, async ({ demo, page }) => {
      const origin = demo.url
      await page.goto(`${origin}/settings/general`)
      await page.getByRole('radio', { name: 'Deutsch' }).check({ force: true })
      await expect(page.getByRole('heading', { level: 2, name: 'Allgemein' })).toBeVisible()
      await expect(page.getByRole('radio', { name: 'Deutsch' })).toBeFocused()
      await auditBothSchemes(page)
      await page.goto(origin)
      await expect(page.getByText('Was soll entstehen?')).toBeVisible()
      expect(await page.locator('html').getAttribute('lang')).toBe('de')
      await page.getByRole('textbox', { name: 'Nachricht' }).fill('Name a boat')
      await page.getByRole('button', { name: 'Senden' }).click()
      await expect(page.getByRole('log', { name: 'Nachrichten' })).toContainText('Name a boat')
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    })
  })
}

test.describe(() => {
  test.use({ locale: 'de-DE' })

  test('UI-25 a browser in German gets German, without a word of English before it', async ({
    demo,
    page,
  }) => {
    await page.goto(demo.url)
    await expect(page.getByText('Was soll entstehen?')).toBeVisible()
    const html = await (await page.request.get(demo.url, { headers: { 'accept-language': 'de-DE' } })).text()
    expect(html).toContain('lang="de"')
    expect(html).not.toContain('What shall we write?')
  })
})
