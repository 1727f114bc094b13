import { auditBothSchemes } from '../fixtures/audit.ts'
import { KEYED, POINTED } from '../fixtures/screens.ts'
import { expect, test } from '../fixtures/test.ts'
import { HistoryPage } from '../pages/history-page.ts'

const TALK = {
  title: 'Naming the boat',
  texts: ['How would you name a boat?', 'And its oars?', 'And its anchor?'],
}

const WIDE = 768

for (const [how, screen] of Object.entries(POINTED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-39 UI-29 the rail previews any earlier state without a change, and one press restores it', async ({
      demo,
      page,
      tell,
    }) => {
      const history = new HistoryPage(page)
      await demo.open(`/s/${await tell(TALK)}`)
      await expect(demo.thread.getByText('And its anchor?', { exact: true })).toBeVisible()
      await history.rewind(1)
      await expect(history.tray).toContainText('3 messages hidden')
      if (screen.viewport.width < WIDE) await history.go('Show the history rail')
      await expect(history.rail).toHaveAttribute('aria-valuetext', 'Now')
      await expect(history.rail).toHaveAttribute('aria-valuemax', '4')

      // Where the rewind is: the last mark before now.
      await history.scrub(3 / 4)
      await expect(history.preview).toContainText(/before you rewound, .* · 6 messages/i)
      await expect(history.past.getByText('And its anchor?', { exact: true })).toBeVisible()
      await expect(history.past.getByRole('button', { name: 'Rewind to here' })).toHaveCount(0)
      await expect(demo.input).toBeHidden()
      await auditBothSchemes(page)
      await history.scrub(1 / 4)
      await expect(history.preview).toContainText(/before “And its oars\?”, .* · 2 messages/i)
      await expect(history.past.getByText('And its oars?', { exact: true })).toHaveCount(0)
      await history.preview.getByRole('button', { name: 'Back to now' }).click()
      await expect(history.preview).toBeHidden()
      await expect(demo.thread.getByText('No reply yet.')).toBeVisible()

      await history.scrub(3 / 4)
      await history.preview.getByRole('button', { name: 'Restore this' }).click()
      await expect(history.preview).toBeHidden()
      await expect(demo.thread.getByText('And its anchor?', { exact: true })).toBeVisible()
      await expect(demo.input).toBeVisible()
      await expect(history.rail).toHaveAttribute('aria-valuemax', '5')
    })

    test('UI-18 UI-29 the timeline leads to every state, also to those before a message', async ({
      demo,
      page,
      tell,
    }) => {
      const history = new HistoryPage(page)
      await demo.open(`/s/${await tell(TALK)}`)
      await expect(demo.thread.getByText('And its anchor?', { exact: true })).toBeVisible()
      await history.rewind(1)
      await history.go('Timeline')
      const rows = history.timeline.getByRole('listitem')
      await expect(rows).toHaveCount(4)
      await expect(rows.first()).toContainText('Undo goes back to before you rewound')
      await auditBothSchemes(page)
      await rows
        .nth(2)
        .getByRole('button', { name: /^Restore: before you sent a message/ })
        .click()
      await expect(rows).toHaveCount(5)
      await history.timeline.getByRole('button', { name: 'Close' }).click()
      await expect(demo.thread.getByText('And its oars?', { exact: true })).toBeHidden()
      await expect(demo.thread.getByText('How would you name a boat?', { exact: true })).toBeVisible()
    })

    test('UI-17 what is hidden is smaller and inset, stays under its header, and offers copy and restore alone', async ({
      demo,
      page,
      tell,
    }) => {
      const history = new HistoryPage(page)
      await demo.open(`/s/${await tell(TALK)}`)
      await history.rewind(0)
      await history.tray.getByRole('button', { name: 'Show' }).click()
      const hidden = page.locator('.superseded')
      await expect(hidden.first()).toBeVisible()
      await expect(hidden.getByRole('button', { name: 'Edit and send again' })).toHaveCount(0)
      await expect(hidden.getByRole('button', { name: 'Regenerate' })).toHaveCount(0)
      await expect(hidden.getByRole('button', { name: 'Branch from here' })).toHaveCount(0)
      await expect(hidden.getByRole('button', { name: 'Copy message' }).first()).toBeAttached()
      await demo.thread.evaluate((log) => log.scrollTo(0, log.scrollHeight))
      const header = page.getByRole('button', { name: 'Restore hidden messages' })
      await auditBothSchemes(page)
      await header.last().click()
      await expect(hidden).toHaveCount(0)
      await expect(demo.thread.getByText('And its anchor?', { exact: true })).toBeVisible()
    })
  })
}

for (const [how, screen] of Object.entries(KEYED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-39 the keys of the rail preview and restore states, and Escape leads back to now', async ({
      demo,
      page,
      tell,
    }) => {
      const history = new HistoryPage(page)
      await demo.open(`/s/${await tell(TALK)}`)
      await expect(demo.thread.getByText('And its anchor?', { exact: true })).toBeVisible()
      if (screen.viewport.width < WIDE) {
        await page.getByRole('button', { name: 'History', exact: true }).press('Enter')
        await page.getByRole('menuitem', { name: 'Show the history rail' }).press('Enter')
      }
      await history.rail.focus()
      await page.keyboard.press('ArrowUp')
      await expect(history.rail).toHaveAttribute(
        'aria-valuetext',
        /^before “And its anchor\?”, .*, 4 messages$/,
      )
      await expect(history.preview.getByRole('status')).toContainText('4 messages')
      await page.keyboard.press('Home')
      await expect(history.past.getByText('There were no messages yet.')).toBeVisible()
      await auditBothSchemes(page)
      await page.keyboard.press('ArrowDown')
      await expect(history.past.getByText('How would you name a boat?', { exact: true })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(history.preview).toBeHidden()
      await expect(history.rail).toBeFocused()
      await page.keyboard.press('PageUp')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await expect(history.preview.getByRole('button', { name: 'Restore this' })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(history.tray).toContainText('4 messages hidden')
      await expect(demo.thread.getByText('And its oars?', { exact: true })).toBeHidden()
      await history.tray.getByRole('button', { name: 'Restore' }).press('Enter')
      await expect(demo.thread.getByText('And its anchor?', { exact: true })).toBeVisible()
    })
  })
}
