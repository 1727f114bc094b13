import { auditBothSchemes } from '../fixtures/audit.ts'
import { KEYED, POINTED } from '../fixtures/screens.ts'
import { expect, test } from '../fixtures/test.ts'

const TALK = { title: 'Looked into', texts: ['Use your tools'] }

for (const [how, screen] of Object.entries(POINTED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-27 UI-23 UI-24 steps, prompt, tools, decisions, tokens and rows of a chat are shown', async ({
      demo: chat,
      page,
      tell,
    }) => {
      const sessionId = await tell(TALK)
      await chat.open(`/s/${sessionId}`)
      await page.getByRole('button', { name: 'Chat actions' }).click()
      await page.getByRole('menuitem', { name: 'Inspect this chat' }).click()
      await expect(page).toHaveURL(new RegExp(`/s/${sessionId}/inspect$`))
      const steps = page.getByRole('region', { name: /^Steps of demo/ })
      await expect(steps.getByRole('row')).toHaveCount(5)
      await expect(steps.getByRole('row').nth(1)).toContainText('tool-calls')
      await expect(steps.getByRole('row').nth(4)).toContainText('stop')
      const list = page.getByText('Tools in the prompt')
      const [above, below] = await list.evaluate((line) => {
        const text = document.createRange()
        text.selectNodeContents(line)
        const [inner, outer] = [text.getBoundingClientRect(), line.getBoundingClientRect()]
        return [inner.top - outer.top, outer.bottom - inner.bottom]
      })
      expect(Math.abs(above - below)).toBeLessThan(2)
      await list.click()
      await expect(page.getByRole('term').filter({ hasText: /^todo$/ })).toBeVisible()
      await page.getByText('System prompt', { exact: true }).click()
      await expect(page.getByText(/^SHA-256 [0-9a-f]{64}$/)).toBeVisible()
      await expect(page.getByRole('region', { name: 'System prompt' })).toContainText('# Environment')
      await auditBothSchemes(page)

      await page.getByRole('button', { name: 'Permissions' }).click()
      await expect(page.getByRole('list', { name: 'Permissions' }).getByRole('listitem')).toHaveCount(3)
      await expect(page.getByText(/^Allowed by the agent’s rule: read/)).toBeVisible()
      await auditBothSchemes(page)
      await page.getByRole('button', { name: 'Tokens' }).click()
      await expect(page.getByRole('row', { name: /^Whole chat/ })).toBeVisible()
      await auditBothSchemes(page)
      await page.getByRole('button', { name: 'Rows' }).click()
      await page.getByText(/^Message 2 · assistant/).click()
      await expect(page.getByRole('region', { name: 'Metadata' })).toContainText('"finish_reason"')
      await expect(page.getByText('npx pnpm@12 studio')).toBeVisible()
      await auditBothSchemes(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)

      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export' }).click()
      expect((await download).suggestedFilename()).toMatch(/\.jsonl$/)
      await page.getByRole('button', { name: 'Back to the chat' }).click()
      await expect(chat.message('Done: 3 tool calls')).toBeVisible()
    })
  })
}

for (const [how, screen] of Object.entries(KEYED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-27 UI-3 the palette leads to what is stored of a chat', async ({ demo: chat, page, tell }) => {
      const sessionId = await tell(TALK)
      await chat.open(`/s/${sessionId}`)
      await page.keyboard.press('ControlOrMeta+k')
      await page.keyboard.type('inspect this')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(new RegExp(`/s/${sessionId}/inspect$`))
      await page.getByRole('button', { name: 'Rows' }).focus()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('list', { name: 'Rows' })).toBeVisible()
      await page.goBack()
      await expect(chat.message('Done: 3 tool calls')).toBeVisible()
    })
  })
}

test.describe(() => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('HK-2 UI-31 the settings say which hooks run, and how one is added', async ({ demo: chat, page }) => {
    await page.goto(`${chat.url}/settings/hooks`)
    await expect(page.getByRole('heading', { level: 2, name: 'Hooks' })).toBeVisible()
    await expect(page.getByText('No hook is configured.')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Add a hook' })).toContainText('palimpsest.config.json')
    await auditBothSchemes(page)
  })
})
