import { createClient } from '@palimpsest/client'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { POINTED } from '../fixtures/screens.ts'
import { startServer } from '../fixtures/server.ts'
import { expect, listen, test } from '../fixtures/test.ts'

const tabs = {
  scope: 'user',
  name: 'tabs',
  description: 'Prefers tabs in code',
  type: 'preference',
  body: 'Tabs, always.',
} as const

for (const [screen, options] of Object.entries(POINTED)) {
  test.describe(() => {
    test.use(options)

    test(`ME-1 memories are added, changed and deleted in the settings, ${screen}`, async ({
      page,
      complaints,
    }) => {
      listen(page, complaints)
      await using server = await startServer({ keyless: true })
      await using client = createClient({ url: server.url })
      await client.memory.write.mutate(tabs)
      await page.goto(`${server.url}/settings/memory`)
      const card = page.getByRole('article', { name: 'tabs' })
      await expect(card).toContainText('Prefers tabs in code')
      await page.getByRole('button', { name: 'Add a memory' }).click()
      await page.getByRole('form', { name: 'New memory' }).scrollIntoViewIfNeeded()
      await auditBothSchemes(page)
      await page.getByLabel('Name').fill('harbour')
      await page.getByLabel('Description').fill('Where the boat is')
      await page.getByLabel('Text').fill('Berth 14.')
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByRole('article', { name: 'harbour' })).toContainText('Berth 14.')
      await page.getByRole('button', { name: 'Delete harbour' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await expect(page.getByRole('article', { name: 'harbour' })).toHaveCount(0)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(wide).toBeLessThanOrEqual(0)
      await page.close()
    })
  })
}
