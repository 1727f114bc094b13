import { reply } from '@palimpsest/testing'
import type { Page } from '@playwright/test'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { KEYED, POINTED } from '../fixtures/screens.ts'
import { type ServerUnderTest, startServer } from '../fixtures/server.ts'
import { closing, expect, listen, test } from '../fixtures/test.ts'
import { ChatPage } from '../pages/chat-page.ts'

const LINE = 'for i in 1 2 3; do echo "ready $i"; done; exec sleep 300'

/** A chat whose reply has started a command that runs on. */
async function startCommand(page: Page, { url, provider }: ServerUnderTest): Promise<ChatPage> {
  const chat = new ChatPage(page, url)
  provider.script(
    reply({ toolCalls: [{ name: 'bash', input: { command: LINE, background: true } }] }),
    reply({ text: 'It runs.' }),
  )
  await chat.open()
  await chat.input.fill('Start the server')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const card = page.getByRole('region', { name: /^Allow running this command/ })
  await expect(card.getByRole('button', { name: 'Allow once' })).toBeEnabled()
  await card.getByRole('button', { name: 'Allow once' }).click()
  await expect(chat.message('It runs.')).toBeVisible()
  return chat
}

const chip = (page: Page) => page.getByRole('button', { name: '1 command running' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Commands in the background' })

for (const [how, screen] of Object.entries(POINTED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-9 a command in the background is counted, shown with its output, and stopped', async ({
      page,
      complaints,
    }) => {
      listen(page, complaints)
      await using server = await startServer()
      await using _page = closing(page)
      await startCommand(page, server)
      await chip(page).click()
      await expect(dialog(page)).toContainText(/Running for \d/)
      await expect(dialog(page).getByRole('log')).toContainText('ready 3')
      await auditBothSchemes(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
      await dialog(page)
        .getByRole('button', { name: /^Stop: / })
        .click()
      await expect(dialog(page)).toContainText(/^.*Stopped · started/)
      await page.keyboard.press('Escape')
      await expect(chip(page)).toBeHidden()
      await page.close()
    })
  })
}

for (const [how, screen] of Object.entries(KEYED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-9 UI-12 /processes opens the list, also after a reload, and Stop works there', async ({
      page,
      complaints,
    }) => {
      listen(page, complaints)
      await using server = await startServer()
      await using _page = closing(page)
      const chat = await startCommand(page, server)
      await page.reload()
      await expect(chip(page)).toBeVisible()
      await chat.input.focus()
      await page.keyboard.type('/processes')
      await page.keyboard.press('Enter')
      await dialog(page)
        .getByRole('button', { name: /^Stop: / })
        .focus()
      await page.keyboard.press('Enter')
      await expect(dialog(page)).toContainText('Stopped · started')
      await page.keyboard.press('Escape')
      await expect(dialog(page)).toBeHidden()
      await chat.input.focus()
      await page.keyboard.type('/processes')
      await page.keyboard.press('Enter')
      await expect(dialog(page)).toContainText('Stopped · started')
      await page.close()
    })
  })
}
