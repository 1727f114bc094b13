import { failure, reply } from '@palimpsest/core/testing'
import { audit } from '../fixtures/audit.ts'
import { expect, listen, test } from '../fixtures/test.ts'
import { ChatPage } from '../pages/chat-page.ts'

const WIDTHS = [1440, 1024, 390] as const
const SCHEMES = ['light', 'dark'] as const
const RICH = [
  '# Title',
  'Some **bold** text and `code`.',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '```ts\nconst a = 1\n```',
  '- [x] done\n- [ ] open',
].join('\n\n')

for (const colorScheme of SCHEMES) {
  for (const width of WIDTHS) {
    test.describe(`UI-23 at ${width} px, ${colorScheme}`, () => {
      test.use({
        viewport: { width, height: width === 390 ? 844 : 900 },
        colorScheme,
        reducedMotion: 'reduce',
      })

      test('UI-23 axe finds nothing on the first visit, a conversation, a failure and a missing page', {
        tag: '@missing',
      }, async ({ page, product, complaints }) => {
        listen(page, complaints)
        const chat = new ChatPage(page, product.url)
        await chat.open()
        await audit(page)
        product.provider.script(
          reply({
            reasoning: ['Let me think.'],
            text: RICH,
            toolCalls: [{ name: 'todo', input: { items: [{ text: 'Look', status: 'completed' }] } }],
          }),
          reply({ text: 'All done.' }),
          failure(401, 'Incorrect API key provided'),
        )
        await chat.send('Show me everything')
        await expect(chat.message('All done.')).toBeVisible()
        await expect(chat.stop).toBeHidden()
        await audit(page)
        await chat.send('And now fail')
        await expect(chat.thread.getByText(/The reply failed/)).toBeVisible()
        await audit(page)
        await page.goto(`${product.url}/s/ses_missing`)
        await expect(page.getByText('There is nothing on this page')).toBeVisible()
        await audit(page)
      })

      test('UI-23 axe finds nothing on open menus and dialogs', async ({ page, product, complaints }) => {
        listen(page, complaints)
        const chat = new ChatPage(page, product.url)
        await chat.open()
        await page.keyboard.press('Control+k')
        await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible()
        await audit(page)
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: /^Model/ }).click()
        await expect(
          page
            .getByRole('combobox', { name: 'Search models' })
            .or(page.getByRole('searchbox', { name: 'Search models' }))
            .first(),
        ).toBeVisible()
        await audit(page)
      })

      test('UI-24 nothing scrolls sideways', async ({ page, product, complaints }) => {
        listen(page, complaints)
        const chat = new ChatPage(page, product.url)
        product.provider.script(
          reply({ text: `${'long'.repeat(200)}\n\n\`\`\`\n${'x'.repeat(400)}\n\`\`\`` }),
        )
        await chat.open()
        await chat.send('Long lines')
        await expect(chat.message(/longlong/)).toBeVisible()
        expect(
          await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          ),
        ).toBe(0)
      })
    })
  }
}
