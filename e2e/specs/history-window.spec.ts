import type { Locator } from '@playwright/test'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { readMuch } from '../fixtures/large-outputs.ts'
import { KEYED, POINTED } from '../fixtures/screens.ts'
import { expect, test } from '../fixtures/test.ts'
import { HistoryPage } from '../pages/history-page.ts'

const SMALL = 'palimpsest-demo-small'
const SECOND = /^Summarised 6 earlier messages/
const SHORT = { title: 'Short', texts: ['Show me around.', 'Show me a table.', 'What comes next?'] }

for (const [how, screen] of Object.entries(POINTED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-21 an open chat compacts twice, shows the summarised messages, and the compactions are undone', async ({
      demo,
      page,
      tell,
    }) => {
      const history = new HistoryPage(page)
      const send = page.getByRole('button', { name: 'Send', exact: true })
      await demo.open(`/s/${await tell({ title: 'Filling', texts: ['A first word'], modelId: SMALL })}`)
      // The third and the sixth of these questions have no room left in the small window.
      for (let turn = 1; turn <= 6; turn += 1) {
        await demo.input.fill(`A long answer, number ${turn}`)
        await send.click()
        const words = demo.thread.getByText(`A long answer, number ${turn}`, { exact: true })
        await expect(words).toBeVisible()
        await expect(demo.thread.getByRole('article').last()).not.toContainText(`number ${turn}`)
        // A long answer and a summary before it take a busy machine some time.
        await expect(demo.stop).toBeHidden({ timeout: 30_000 })
      }
      await page.reload()
      // The thread opens at its end, and only what is near the screen is drawn.
      await expect(async () => {
        await demo.thread.press('Home')
        await expect(history.summary).toHaveText(SECOND, { timeout: 100 })
      }).toPass({ intervals: [50] })
      await history.summary.click()
      await expect(page.getByText('The model reads this summary instead')).toBeVisible()
      await expect(page.getByText('“A first word”').first()).toBeVisible()
      const sizeOf = (text: Locator) =>
        text.evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize))
      const heading = demo.thread.getByRole('heading', { name: 'Goal', exact: true })
      expect(await sizeOf(heading)).toBeLessThan(await sizeOf(demo.thread.locator('.prose').last()))
      await page.getByRole('button', { name: 'Show the messages' }).click()
      await expect(demo.thread.getByText(/^A long answer, number \d$/).first()).toBeInViewport()
      await auditBothSchemes(page)
      // The summarised messages are shown from their beginning; the summary itself is many screens further down.
      const undo = demo.thread.getByRole('button', { name: 'Undo' })
      await expect(async () => {
        await demo.thread.press('End')
        await expect(undo).toBeVisible({ timeout: 100 })
      }).toPass({ intervals: [50] })
      await expect(demo.thread.getByRole('button', { name: 'Hide the messages' })).toBeVisible()
      await undo.click()
      await expect(page.getByText(SECOND)).toBeHidden()
      await history.go('Timeline')
      await expect(history.timeline.getByRole('listitem').first()).toContainText('Summary undone')
      await expect(history.timeline.getByText('Summarised automatically')).toHaveCount(2)
    })

    test('UI-13 the effect of a model switch is shown before it, and applied when the next message is sent', async ({
      demo,
      page,
      tell,
    }) => {
      const history = new HistoryPage(page)
      const picker = page.getByRole('button', { name: /^Model:/ })
      const small = page.getByRole('option', { name: /small window/ })
      await demo.open(
        `/s/${await tell({ title: 'Much', texts: ['A long answer', 'Show me a table.', 'And?'] })}`,
      )
      await picker.click()
      await expect(small).toContainText('Earlier messages will be summarised first')
      await auditBothSchemes(page)
      await small.click()
      const dialog = page.getByRole('dialog', { name: /will read a summary/ })
      await expect(dialog).toContainText('Nothing is deleted, and you can undo it.')
      await auditBothSchemes(page)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await expect(picker).toHaveAccessibleName('Model: Demo model')
      await picker.click()
      await small.click()
      await dialog.getByRole('button', { name: 'Switch' }).click()
      await expect(picker).toHaveAccessibleName(/small window/)
      await page.reload()
      await expect(picker).toHaveAccessibleName(/small window/)
      await demo.input.fill('Go on')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(history.summary).toBeAttached()
    })

    test('UI-14 space is freed by hand, and the meter is right at once, also after an undo', async ({
      demo,
      page,
      tell,
    }) => {
      const history = new HistoryPage(page)
      await demo.open(`/s/${await tell(SHORT)}`)
      const meter = page.getByRole('button', { name: /^Context window/ })
      await meter.click()
      await page.getByRole('button', { name: /^Drop old tool results/ }).click()
      await expect(page.getByText('There are no large old tool results to drop.')).toBeVisible()
      const used = await page.getByRole('meter', { name: 'Context window' }).getAttribute('aria-valuenow')
      await meter.click()
      await page.getByRole('button', { name: /^Summarise/ }).click()
      await expect(history.summary).toBeAttached()
      await expect
        .poll(() => page.getByRole('meter', { name: 'Context window' }).getAttribute('aria-valuenow'))
        .not.toBe(used)
      await demo.thread.getByRole('button', { name: 'Undo' }).click()
      await expect(history.summary).toHaveCount(0)
      await expect(page.getByRole('meter', { name: 'Context window' })).toHaveAttribute(
        'aria-valuenow',
        used ?? '',
      )
    })

    test('UI-14 UI-18 large old outputs are dropped, which the meter shows, and restored', async ({
      chat,
      page,
      product,
    }) => {
      const history = new HistoryPage(page)
      await chat.open(`/s/${await readMuch(product)}`)
      const used = page.getByRole('meter', { name: 'Context window' })
      await expect(used).toHaveAttribute('aria-valuemax', '400000')
      const full = await used.getAttribute('aria-valuenow')
      await page.getByRole('button', { name: /^Context window/ }).click()
      await page.getByRole('button', { name: /^Drop old tool results/ }).click()
      await expect(page.getByText(/^3 old tool results dropped: \S+ tokens less\.$/)).toBeVisible()
      await expect
        .poll(async () => Number(await used.getAttribute('aria-valuenow')))
        .toBeLessThan(Number(full))
      await page.reload()
      await history.go('Timeline')
      const freed = history.timeline.getByRole('listitem').first()
      await expect(freed).toContainText('Dropped old tool results')
      await expect(freed).toContainText('3 tool results')
      await auditBothSchemes(page)
      await freed.getByRole('button', { name: 'Undo' }).click()
      await expect(history.timeline.getByRole('listitem').first()).toContainText('Restored tool results')
      await history.timeline.getByRole('button', { name: 'Close' }).click()
      await expect(history.timeline).toBeHidden()
      await expect(used).toHaveAttribute('aria-valuenow', full ?? '')
    })
  })
}

for (const [how, screen] of Object.entries(KEYED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-13 a model that is too small is refused with an alternative, a branch where the chat still fits', async ({
      demo,
      page,
      tell,
    }) => {
      const huge = `Read this: ${'a word of it, '.repeat(1_400)}`
      const history = new HistoryPage(page)
      await demo.open(`/s/${await tell({ title: 'Too much', texts: ['Show me a table.', huge] })}`)
      await history.pressByKey('Rewind to here', 1)
      await history.editor.getByRole('button', { name: 'Rewind without sending' }).press('Enter')
      await expect(history.tray).toContainText('1 message hidden')
      await demo.input.focus()
      await page.keyboard.type('/model')
      await page.keyboard.press('Enter')
      const small = page.getByRole('option', { name: /small window/ })
      await expect(small).toContainText('Does not fit, even summarised')
      await expect(page.getByRole('combobox', { name: 'Search models' })).toBeFocused()
      await page.keyboard.type('small')
      await expect(page.getByRole('option')).toHaveCount(1)
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: /does not fit/ })
      await expect(dialog).toContainText('You can start a branch with that model after')
      await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
      await auditBothSchemes(page)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect(page.getByText('You are on a new branch.')).toBeVisible()
      await expect(page.getByRole('button', { name: /^Model:.*small window/ })).toBeVisible()
    })

    test('UI-14 UI-21 the window is inspected, compacted and restored without a pointer', async ({
      demo,
      page,
      tell,
    }) => {
      const history = new HistoryPage(page)
      await demo.open(`/s/${await tell(SHORT)}`)
      await page.getByRole('button', { name: /^Context window/ }).focus()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('dialog', { name: 'Context window' })).toContainText('Summarises at')
      await auditBothSchemes(page)
      await page.keyboard.press('Escape')
      await demo.input.focus()
      await page.keyboard.type('/compact')
      await page.keyboard.press('Enter')
      await expect(history.summary).toBeAttached()
      await history.summary.focus()
      await page.keyboard.press('Enter')
      await expect(page.getByText('The model reads this summary instead')).toBeVisible()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect(history.summary).toHaveCount(0)
    })

    test('UI-14 space is freed by a command, and restored from its notice', async ({
      chat,
      page,
      product,
    }) => {
      await chat.open(`/s/${await readMuch(product)}`)
      const used = page.getByRole('meter', { name: 'Context window' })
      await expect(used).toHaveAttribute('aria-valuemax', '400000')
      const full = await used.getAttribute('aria-valuenow')
      await chat.input.focus()
      await page.keyboard.type('/prune')
      await page.keyboard.press('Enter')
      const undo = page.getByRole('button', { name: 'Undo' })
      await undo.focus()
      await expect(used).not.toHaveAttribute('aria-valuenow', full ?? '')
      await page.keyboard.press('Enter')
      await expect(used).toHaveAttribute('aria-valuenow', full ?? '')
    })
  })
}
