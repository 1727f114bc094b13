import { auditBothSchemes } from '../fixtures/audit.ts'
import { KEYED, POINTED } from '../fixtures/screens.ts'
import { expect, test } from '../fixtures/test.ts'
import { HistoryPage } from '../pages/history-page.ts'

const HUGE = `Read this list: ${'parchment and vellum, '.repeat(900)}`
const TALK = { title: 'A heavy talk', texts: [HUGE, 'Show me a table.'] }
const NOTE = 'Left out of what the model reads'

for (const [how, screen] of Object.entries(POINTED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-14 the meter says what takes the most, and leaves it out until it is brought back', async ({
      demo,
      page,
      tell,
    }) => {
      const history = new HistoryPage(page)
      await demo.open(`/s/${await tell(TALK)}`)
      const meter = page.getByRole('meter')
      const full = Number(await meter.getAttribute('aria-valuenow'))
      await page.getByRole('button', { name: /^Context window/ }).click()
      const panel = page.getByRole('dialog', { name: 'Context window' })
      await expect(panel).toContainText(/Your first message takes \d\d%\./)
      await expect(panel.getByText('Used', { exact: true })).toBeHidden()
      await auditBothSchemes(page)
      await panel.getByText('All numbers').click()
      await expect(panel.getByText('Used', { exact: true })).toBeVisible()
      await panel.getByRole('button', { name: /^Leave out “Read this list/ }).click()
      await expect(panel).not.toContainText('Your first message')
      await expect.poll(async () => Number(await meter.getAttribute('aria-valuenow'))).toBeLessThan(full / 2)
      await page.keyboard.press('Escape')
      await expect(panel).toBeHidden()
      await demo.thread.press('Home')
      await expect(demo.thread.getByText(NOTE)).toBeVisible()
      await auditBothSchemes(page)

      await page.reload()
      await demo.thread.press('Home')
      await demo.thread.getByRole('button', { name: 'Bring back', exact: true }).click()
      await expect(demo.thread.getByText(NOTE)).toBeHidden()
      await expect.poll(async () => Number(await meter.getAttribute('aria-valuenow'))).toBe(full)

      await history.go('Timeline')
      const last = history.timeline.getByRole('listitem').first()
      await expect(last).toContainText('Brought back a message')
      await last.getByRole('button', { name: 'Undo' }).click()
      await expect(history.timeline.getByRole('listitem').first()).toContainText('Left out a message')
      await auditBothSchemes(page)
    })
  })
}

for (const [how, screen] of Object.entries(KEYED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-14 a message is left out with the keyboard alone', async ({ demo, page, tell }) => {
      await demo.open(`/s/${await tell(TALK)}`)
      await page.getByRole('button', { name: /^Context window/ }).focus()
      await page.keyboard.press('Enter')
      const button = page.getByRole('button', { name: /^Leave out “Read this list/ })
      await expect(button).toBeVisible()
      await expect(async () => {
        await page.keyboard.press('Tab')
        await expect(button).toBeFocused({ timeout: 100 })
      }).toPass({ intervals: [50] })
      await page.keyboard.press('Enter')
      await expect(page.getByText(/no longer reads this message/)).toBeVisible()
      await page.keyboard.press('Escape')
      await demo.thread.press('Home')
      await expect(demo.thread.getByText(NOTE)).toBeVisible()
    })
  })
}
