import { createClient } from '@palimpsest/client'
import type { Page } from '@playwright/test'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { POINTED } from '../fixtures/screens.ts'
import { startServer } from '../fixtures/server.ts'
import { closing, expect, listen, test } from '../fixtures/test.ts'
import { ChatPage } from '../pages/chat-page.ts'

/** Chooses a file for the import, with the keyboard only. */
async function importFile(page: Page, path: string): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import an archive' }).press('Enter')
  await (await choosing).setFiles(path)
}

for (const [screen, options] of Object.entries(POINTED)) {
  test.describe(() => {
    test.use(options)

    test(`UI-31 OB-1 everything is exported to one file and imported on another server, ${screen}`, async ({
      page,
      complaints,
    }) => {
      listen(page, complaints)
      await using from = await startServer({ keyless: true })
      await using to = await startServer({ keyless: true })
      await using _page = closing(page)
      const chat = new ChatPage(page, from.url)
      await chat.open()
      await chat.input.fill('Name a boat')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(chat.message('Name a boat')).toBeVisible()
      await expect(chat.stop).toBeHidden()
      await page.goto(`${from.url}/settings/data`)
      const downloading = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Export everything' }).press('Enter')
      const download = await downloading
      expect(download.suggestedFilename()).toMatch(/^palimpsest-\d{4}-\d\d-\d\d\.tar\.gz$/)
      const file = await download.path()

      await page.goto(`${to.url}/settings/data`)
      await importFile(page, file)
      await expect(page.getByText('1 chat imported')).toBeVisible({ timeout: 30_000 })
      await auditBothSchemes(page)
      await importFile(page, file)
      await expect(page.getByText('1 chat already here')).toBeVisible({ timeout: 30_000 })
      await using client = createClient({ url: to.url })
      const { items } = await client.session.list.query({})
      expect(items).toHaveLength(1)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
      await page.close()
    })
  })
}
