import { auditBothSchemes } from '../fixtures/audit.ts'
import { KEYED, POINTED } from '../fixtures/screens.ts'
import { startServer } from '../fixtures/server.ts'
import { closing, expect, listen, test } from '../fixtures/test.ts'
import { ChatPage } from '../pages/chat-page.ts'

const PEM = { permission: 'edit', pattern: '*.pem', action: 'deny', pinned: true } as const

/** The demo model asks to write a file, and is allowed to for all chats of the project. */
async function allowInProject(chat: ChatPage): Promise<void> {
  const { page } = chat
  await chat.input.fill('Edit a file')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const card = page.getByRole('region', { name: /^Allow writing this file/ })
  await expect(card.getByRole('button', { name: 'In this folder' })).toBeEnabled()
  await card.getByText('palimpsest-demo/*').click()
  await card.getByRole('button', { name: 'In this folder' }).click()
  await expect(chat.message('Both changes are made')).toBeVisible()
}

for (const [how, screen] of Object.entries(POINTED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-31 PE-1 lasting permissions are listed with what the configuration sets, and revoked', async ({
      page,
      complaints,
    }) => {
      listen(page, complaints)
      await using server = await startServer({ keyless: true, permissions: [PEM] })
      await using _page = closing(page)
      const chat = new ChatPage(page, server.url)
      await chat.open()
      await allowInProject(chat)
      await page.goto(`${server.url}/settings/permissions`)
      await expect(page.getByRole('region', { name: 'Where commands run' })).toContainText(/sandbox/i)
      const project = page.getByRole('region', { name: 'workspace' })
      await expect(project).toContainText('Change files palimpsest-demo/*')
      await expect(project).toContainText(/Allowed · given /)
      const configured = page.getByRole('region', { name: 'Configuration file' })
      await expect(configured).toContainText('Change files *.pemDenied · can’t be loosened')
      await expect(configured.getByRole('button')).toHaveCount(0)
      await auditBothSchemes(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
      await project.getByRole('button', { name: /^Revoke: Change files/ }).click()
      await expect(page.getByText('No lasting permissions yet.')).toBeVisible()
      await auditBothSchemes(page)
      await page.close()
    })
  })
}

for (const [how, screen] of Object.entries(KEYED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-16 UI-3 the permissions of a chat are shown and revoked', async ({ page, complaints }) => {
      listen(page, complaints)
      await using server = await startServer({ keyless: true })
      await using _page = closing(page)
      const chat = new ChatPage(page, server.url)
      await chat.open()
      await allowInProject(chat)
      await page.keyboard.press('ControlOrMeta+k')
      await page.keyboard.type('permissions of this')
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Permissions of this chat' })
      const revoke = dialog.getByRole('button', { name: /^Revoke: Change files palimpsest-demo/ })
      await expect(revoke).toBeVisible()
      await auditBothSchemes(page)
      await revoke.focus()
      await page.keyboard.press('Enter')
      await expect(dialog).toContainText('Nothing is allowed for all chats of this folder.')
      await expect(dialog.getByRole('heading', { name: 'In this folder' })).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await page.close()
    })
  })
}
