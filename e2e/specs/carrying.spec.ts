import { readFileSync } from 'node:fs'
import { reply } from '@palimpsest/testing'
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'

test('OB-1 a chat is exported to a file from its menu, and imported unchanged', async ({
  chat,
  product,
  page,
}) => {
  product.provider.script(reply({ text: 'The heron stood in the shallows' }))
  await chat.open()
  await chat.send('Tell me of a bird')
  await expect(chat.message('The heron stood')).toBeVisible()
  await expect(chat.stop).toBeHidden()
  const url = page.url()

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Chat actions' }).click()
  await page.getByRole('menuitem', { name: 'Export' }).click()
  const download = await downloading
  const id = new URL(url).pathname.split('/').at(-1) ?? ''
  expect(download.suggestedFilename()).toMatch(/^(Tell me of a bird|A title)\.jsonl$/)
  const file = await download.path()
  const rows = readFileSync(file, 'utf8').trimEnd().split('\n')
  expect(JSON.parse(rows[0] ?? '')).toMatchObject({ type: 'session', data: { id } })
  expect(page.url()).toBe(url)

  await importFile(page, file)
  await expect(page).not.toHaveURL(url)
  await expect(chat.message('The heron stood')).toBeVisible()
})

test('OB-1 a file that is not an export is refused with the number of its line', {
  tag: '@refused',
}, async ({ chat, page }) => {
  await chat.open()
  await importFile(page, {
    name: 'wrong.jsonl',
    mimeType: 'text/plain',
    buffer: Buffer.from('No row at all\n'),
  })
  await expect(page.getByText('Line 1 is not a row of an export.')).toBeVisible()
})

/** Chooses a file through the palette, with the keyboard only. */
async function importFile(
  page: Page,
  file: string | { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('Import')
  await page.keyboard.press('Enter')
  await (await choosing).setFiles(file)
}
