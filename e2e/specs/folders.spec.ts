import { reply } from '@palimpsest/testing'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { KEYED, POINTED } from '../fixtures/screens.ts'
import { startServer } from '../fixtures/server.ts'
import { closing, expect, listen, test } from '../fixtures/test.ts'
import { ChatPage } from '../pages/chat-page.ts'

for (const [how, screen] of Object.entries({ ...POINTED, ...KEYED })) {
  test.describe(how, () => {
    test.use(screen)

    test('SX-9 a new chat chooses one of the allowed folders, works there, and the choice is kept', async ({
      page,
      complaints,
    }) => {
      listen(page, complaints)
      await using server = await startServer({ folders: ['site', 'notes'] })
      await using _page = closing(page)
      server.provider.script(
        reply({ toolCalls: [{ name: 'read', input: { path: '.' } }] }),
        reply({ text: 'I looked.' }),
      )
      const chat = new ChatPage(page, server.url)
      await chat.open()
      const choice = page.getByRole('button', { name: /^Folder of this chat/ })
      await expect(choice).toHaveText('Folder of this chat: workspace')
      if (how.startsWith('by keyboard')) {
        await choice.focus()
        await page.keyboard.press('Enter')
        await expect(page.getByRole('menuitem', { name: /^notes/ })).toBeVisible()
        await page.keyboard.press('End')
        await page.keyboard.press('Enter')
      } else {
        await choice.click()
        await expect(page.getByRole('menuitem', { name: /^notes/ })).toBeVisible()
        await auditBothSchemes(page)
        await page.getByRole('menuitem', { name: /^notes/ }).click()
      }
      await expect(choice).toHaveText('Folder of this chat: notes')
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
      await chat.input.fill('Look around')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(chat.message('I looked.')).toBeVisible()
      await expect(page.getByTitle(/^Works in .*\/notes$/)).toHaveCount(1)
      const { body } = await server.provider.received(0)
      expect(JSON.stringify(body['messages'])).toContain('/notes')
      await chat.open('/')
      await expect(choice).toHaveText('Folder of this chat: notes')
      await page.close()
    })
  })
}
