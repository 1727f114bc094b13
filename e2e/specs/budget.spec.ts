import type { Page } from '@playwright/test'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { POINTED } from '../fixtures/screens.ts'
import { expect, test } from '../fixtures/test.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Budget' })
const field = (page: Page, name: string) => dialog(page).getByRole('textbox', { name })

async function openBudget(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Context window/ }).click()
  await page.getByRole('button', { name: /^Budget/ }).click()
  await dialog(page).getByRole('table').waitFor()
}

for (const [how, screen] of Object.entries(POINTED)) {
  test.describe(how, () => {
    test.use(screen)

    test('BU-1 a limit warns, ends a reply with its reason, survives a reload, and is raised to go on', async ({
      demo: chat,
      page,
      tell,
    }) => {
      await chat.open(`/s/${await tell({ title: 'A small budget', texts: ['Hello'] })}`)
      await openBudget(page)
      await field(page, 'Tool calls: This chat').fill('5')
      await auditBothSchemes(page)
      await dialog(page).getByRole('button', { name: 'Save' }).click()
      await expect(dialog(page)).toBeHidden()

      await chat.input.fill('Spend your budget')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      const end = chat.thread.getByText('5 of 5 tool calls in this chat.')
      await expect(end).toBeVisible()
      await expect(chat.thread.getByText('Task 5 of 8.')).toBeVisible()
      await expect(chat.thread.getByText('Task 6 of 8.')).toBeHidden()
      const near = page.getByText(/^The budget is nearly used up/)
      await expect(near).toHaveCount(0, { timeout: 3_000 })
      await auditBothSchemes(page)

      await page.reload()
      await expect(end).toBeVisible()
      await chat.thread.getByRole('button', { name: 'Raise and continue' }).click()
      await expect(field(page, 'Tool calls: This chat')).toHaveValue('5')
      await expect(field(page, 'Tool calls: This chat')).toBeFocused()
      await expect(dialog(page)).toContainText('5 so far')
      await field(page, 'Tool calls: This chat').fill('9')
      await dialog(page).getByRole('button', { name: 'Raise and continue' }).click()
      await expect(near).toHaveText('The budget is nearly used up: 8 of 9 tool calls in this chat.')
      await expect(chat.message('All done: 8 tool calls')).toBeVisible()

      await page.reload()
      await expect(chat.message('All done: 8 tool calls')).toBeVisible()
      await openBudget(page)
      await expect(field(page, 'Tool calls: This chat')).toHaveValue('9')
      await expect(dialog(page)).toContainText('8 so far')
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    })
  })
}
