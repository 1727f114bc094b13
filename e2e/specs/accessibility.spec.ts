import { failure, reply } from '@palimpsest/testing'
import type { Page } from '@playwright/test'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { expect, test } from '../fixtures/test.ts'

const SCREENS = [
  { width: 1440, height: 900 },
  { width: 1024, height: 900 },
  { width: 390, height: 844 },
]
const RICH = [
  '# Title',
  'Some **bold** text and `code`.',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '```ts\nconst a = 1\n```',
  '- [x] done\n- [ ] open',
].join('\n\n')

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('UI-23 axe finds nothing on the first visit, a conversation, a failure and a missing page', {
  tag: '@missing',
}, async ({ page, chat, product }) => {
  await chat.open()
  await onEachScreen(page, () => auditBothSchemes(page))
  product.provider.script(
    reply({
      reasoning: ['Let me think.'],
      text: RICH,
      toolCalls: [{ name: 'todo', input: { todos: [{ content: 'Look', status: 'completed' }] } }],
    }),
    reply({ text: 'All done.' }),
    failure(401, 'Incorrect API key provided'),
  )
  await chat.send('Show me everything')
  await expect(chat.message('All done.')).toBeVisible()
  await expect(chat.stop).toBeHidden()
  await onEachScreen(page, () => auditBothSchemes(page))
  await chat.send('And now fail')
  await expect(chat.thread.getByText(/The reply failed/)).toBeVisible()
  await onEachScreen(page, () => auditBothSchemes(page))
  await page.goto(`${product.url}/s/ses_missing`)
  await expect(page.getByText('There is nothing on this page')).toBeVisible()
  await onEachScreen(page, () => auditBothSchemes(page))
})

for (const viewport of SCREENS) {
  test.describe(`UI-23 at ${viewport.width} px`, () => {
    test.use({ viewport })

    test('UI-23 axe finds nothing on open menus and dialogs', async ({ page, chat }) => {
      await chat.open()
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible()
      await auditBothSchemes(page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /^Model/ }).click()
      await expect(
        page
          .getByRole('combobox', { name: 'Search models' })
          .or(page.getByRole('searchbox', { name: 'Search models' }))
          .first(),
      ).toBeVisible()
      await auditBothSchemes(page)
    })
  })
}

test('UI-24 no page scrolls horizontally', async ({ page, chat, product }) => {
  const code = `\`\`\`\n${'x'.repeat(400)}\n\`\`\``
  const formulas = [`$$${'x + '.repeat(80)}x$$`, `So $$\\text{${'x '.repeat(80)}}$$`]
  product.provider.script(reply({ text: ['long'.repeat(200), code, ...formulas].join('\n\n') }))
  await chat.open()
  await chat.send('Long lines')
  await expect(chat.message(/longlong/)).toBeVisible()
  await expect(chat.thread.locator('.katex')).toHaveCount(2)
  await expect(chat.stop).toBeHidden()
  await onEachScreen(page, async () => {
    for (const part of [page.locator('html'), chat.thread]) {
      expect(await part.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
    }
  })
})

/** Resizes the window to each of the widths, and checks once the layout is done. */
async function onEachScreen(page: Page, look: () => Promise<void>): Promise<void> {
  for (const viewport of SCREENS) {
    await page.setViewportSize(viewport)
    await page.evaluate(
      () => new Promise((laidOut) => requestAnimationFrame(() => requestAnimationFrame(laidOut))),
    )
    await look()
  }
}
