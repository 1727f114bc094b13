import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reply } from '@palimpsest/testing'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { KEYED, POINTED } from '../fixtures/screens.ts'
import { startServer } from '../fixtures/server.ts'
import { closing, expect, listen, test } from '../fixtures/test.ts'
import { ChatPage } from '../pages/chat-page.ts'

for (const [how, screen] of Object.entries({ ...POINTED, ...KEYED })) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-12 an @ finds a file of the folder, and its path reaches the model', async ({
      page,
      complaints,
    }) => {
      listen(page, complaints)
      await using server = await startServer()
      await using _page = closing(page)
      mkdirSync(join(server.workspace, 'docs'))
      for (const path of ['docs/reading.md', 'docs/other.md', 'read.ts'])
        writeFileSync(join(server.workspace, path), path)
      server.provider.script(reply({ text: 'I read it.' }))
      const chat = new ChatPage(page, server.url)
      await chat.open()
      await chat.input.focus()
      await page.keyboard.type('Look at @read')
      const list = page.getByRole('listbox', { name: 'Subagents and files' })
      await expect(list.getByRole('option')).toHaveText([/read\.ts/, /docs\/reading\.md/])
      await auditBothSchemes(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
      if (how.startsWith('by keyboard')) {
        await page.keyboard.press('ArrowDown')
        await page.keyboard.press('Tab')
      } else await list.getByRole('option', { name: /reading/ }).click()
      await expect(chat.input).toHaveValue('Look at @docs/reading.md ')
      await expect(chat.input).toBeFocused()
      await page.keyboard.type('please')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(chat.message('I read it.')).toBeVisible()
      const { body } = await server.provider.received(0)
      expect(JSON.stringify(body['messages'])).toContain('Look at @docs/reading.md please')
      await page.close()
    })
  })
}
