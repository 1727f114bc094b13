import type { Page } from '@playwright/test'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { expectInside, KEYED, POINTED } from '../fixtures/screens.ts'
import { expect, test } from '../fixtures/test.ts'
import type { ChatPage } from '../pages/chat-page.ts'

const writing = (page: Page) => page.getByRole('region', { name: 'Allow writing this file?' })
const difference = (page: Page) => page.getByRole('region', { name: /^Changes of / })

/** Sends by the button, as a finger does. */
async function say({ chat, page }: { chat: ChatPage; page: Page }, text: string): Promise<void> {
  await chat.input.fill(text)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

/** The demo model asks to write a file. */
async function ask({ chat, page }: { chat: ChatPage; page: Page }): Promise<void> {
  await chat.open()
  await say({ chat, page }, 'Edit a file')
  await expect(writing(page)).toBeVisible()
}

for (const [how, screen] of Object.entries(POINTED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-16 UI-9 a change is shown before it is made, denied with a reason, then allowed for the chat', async ({
      demo: chat,
      page,
    }) => {
      await ask({ chat, page })
      const write = writing(page)
      await expect(difference(page)).toContainText('everything that was.')
      await expect(write.getByRole('button', { name: 'Allow once' })).toBeEnabled()
      await expectInside(page, page.getByRole('region', { name: /^Allow / }))
      await auditBothSchemes(page)
      await write.getByRole('textbox', { name: 'Reason, if you deny' }).fill('Not in this folder')
      await write.getByRole('button', { name: 'Deny' }).click()
      await expect(chat.message('That was not done')).toContainText('Not in this folder')
      await expect(chat.thread.getByText('Denied: Not in this folder')).toBeVisible()

      await say({ chat, page }, 'Edit a file, again')
      await expect(writing(page).getByRole('button', { name: 'In this chat' })).toBeEnabled()
      await writing(page).getByText('palimpsest-demo/*').click()
      await writing(page).getByRole('button', { name: 'In this chat' }).click()
      await expect(chat.message('Both changes are made')).toBeVisible()
      const edited = chat.thread.getByRole('button', { name: /^Edited/ }).last()
      // Finished calls become a group while the reply ends, and fold.
      await expect(async () => {
        if ((await difference(page).count()) === 0) await edited.click()
        await expect(difference(page)).toContainText('An old page is turned,', { timeout: 1_000 })
      }).toPass()
      await expect(
        chat.thread.getByText('Allowed in this chat: edit palimpsest-demo/*').first(),
      ).toBeVisible()
      await auditBothSchemes(page)
    })

    test('UI-16 the mode is in the composer, and full access asks for a confirmation', async ({
      demo: chat,
      page,
      tell,
    }) => {
      const sessionId = await tell({ title: 'A chat with a mode', texts: ['Hello'] })
      await chat.open(`/s/${sessionId}`)
      await page.getByRole('button', { name: 'Mode: Ask' }).click()
      await expect(page.getByRole('menuitem', { name: /^Plan/ })).toBeVisible()
      await auditBothSchemes(page)
      await page.getByRole('menuitem', { name: /^Full/ }).click()
      await expect(page.getByRole('dialog', { name: 'Give full access?' })).toBeVisible()
      await auditBothSchemes(page)
      await page.getByRole('button', { name: 'Give full access' }).click()
      await expect(page.getByRole('button', { name: 'Mode: Full' })).toBeVisible()
      await page.reload()
      await expect(page.getByRole('button', { name: 'Mode: Full' })).toBeVisible()

      await chat.open()
      await page.getByRole('button', { name: 'Mode: Ask' }).click()
      const { x = -1, width = 0 } = (await page.getByRole('menu').boundingBox()) ?? {}
      expect(x).toBeGreaterThanOrEqual(0)
      expect(x + width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
      await page.getByRole('menuitem', { name: /^Plan/ }).click()
      await auditBothSchemes(page)
      await chat.input.fill('Edit a file')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(chat.thread.getByText(/Plan mode is on/).first()).toBeVisible()
      await expect(page.getByRole('button', { name: 'Mode: Plan' })).toBeVisible()
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    })
  })
}

for (const [how, screen] of Object.entries(KEYED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-3 UI-16 UI-42 a digit behind other words is typed, and decides once the request has the focus', async ({
      demo: chat,
      page,
    }) => {
      await ask({ chat, page })
      await page.keyboard.type('Take 2')
      await expect(chat.input).toHaveValue('Take 2')
      await expect(writing(page).getByRole('button', { name: 'Allow once' })).toBeEnabled()
      await page.keyboard.press('Control+Shift+A')
      await page.keyboard.press('1')
      await expect(chat.message('That was not done')).toBeVisible()
    })
  })
}
