import { auditBothSchemes } from '../fixtures/audit.ts'
import { KEYED, POINTED } from '../fixtures/screens.ts'
import { expect, test } from '../fixtures/test.ts'
import { HistoryPage } from '../pages/history-page.ts'

const TALK = {
  title: 'Naming the boat',
  texts: ['Show me a table.', 'How would you name a boat?', 'And its oars?'],
}

for (const [how, screen] of Object.entries(POINTED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-17 an edit shows what it hides, survives a reload, and its undo stays in view until used', async ({
      demo,
      page,
      tell,
    }) => {
      const history = new HistoryPage(page)
      await demo.open(`/s/${await tell(TALK)}`)
      await history.press('Edit and send again', 1)
      await expect(history.editor).toContainText('hides 3 messages after it. You can restore them.')
      await expect(history.editor).toContainText('Files are not restored.')
      await auditBothSchemes(page)
      const field = history.editor.getByRole('textbox')
      await expect(field).toHaveValue('How would you name a boat?')
      await field.fill('How would you name a raft?')
      await page.reload()
      await expect(field).toHaveValue('How would you name a raft?')

      await history.editor.getByRole('button', { name: 'Save and send' }).click()
      await expect(history.tray).toContainText('4 messages hidden')
      await expect(demo.message(/“How would you name a raft\?”/)).toBeVisible()
      await expect(demo.stop).toBeHidden()
      await expect(demo.thread.getByText('And its oars?', { exact: true })).toBeHidden()
      await auditBothSchemes(page)
      await page.reload()
      await expect(history.tray).toContainText('4 messages hidden')
      await history.tray.getByRole('button', { name: 'Show' }).click()
      await expect(demo.thread.getByText('And its oars?', { exact: true })).toBeVisible()
      await auditBothSchemes(page)

      await history.tray.getByRole('button', { name: 'Restore' }).click()
      await expect(history.tray).toContainText('Back to before your edit')
      await expect(demo.thread.getByText('How would you name a boat?', { exact: true })).toBeVisible()
      await page.reload()
      await history.tray.getByRole('button', { name: 'Redo' }).click()
      await expect(demo.thread.getByText('How would you name a raft?', { exact: true })).toBeVisible()
    })

    test('UI-14 UI-18 the timeline shows what a rewind hid, undoes it, and the meter follows at once', async ({
      demo,
      page,
      tell,
    }) => {
      const history = new HistoryPage(page)
      const meter = page.getByRole('meter', { name: 'Context window' })
      await demo.open(`/s/${await tell(TALK)}`)
      const used = Number(await meter.getAttribute('aria-valuenow'))
      await history.rewind(0)
      await expect(history.tray).toContainText('5 messages hidden')
      await expect.poll(async () => Number(await meter.getAttribute('aria-valuenow'))).toBeLessThan(used)

      await history.go('Timeline')
      const entry = history.timeline.getByRole('listitem').first()
      await expect(entry).toContainText('Rewound')
      await expect(entry).toContainText('5 messages hidden')
      await entry.getByRole('button', { name: 'What it hid: 5 messages' }).click()
      await expect(entry).toContainText('And its oars?')
      await auditBothSchemes(page)
      await page.reload()
      await expect(entry).toContainText('Rewound')
      await entry.getByRole('button', { name: 'Undo' }).click()
      await expect(entry).toContainText('Restored')
      await history.timeline.getByRole('button', { name: 'Close' }).click()
      await expect(history.timeline).toBeHidden()
      await expect(demo.thread.getByText('And its oars?', { exact: true })).toBeVisible()
      await expect(meter).toHaveAttribute('aria-valuenow', String(used))
    })

    test('UI-17 the list of prompts edits the one pointed at, or only rewinds to it', async ({
      demo,
      page,
      tell,
    }) => {
      const history = new HistoryPage(page)
      await demo.open(`/s/${await tell(TALK)}`)
      await expect(demo.thread).toContainText('name a boat')
      await demo.input.fill('/rewind')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      const boat = history.prompts.getByRole('option', { name: /name a boat/ })
      await auditBothSchemes(page)
      await boat.hover()
      if (screen.viewport.width < 768) await boat.tap()
      await expect(boat).toHaveAttribute('aria-selected', 'true')
      await history.prompts.getByRole('button', { name: /^Rewind without sending/ }).click()
      await expect(history.prompts).toBeHidden()
      await expect(history.tray).toContainText('3 messages hidden')
      await expect(demo.thread.getByText('No reply yet.')).toBeVisible()
      await history.tray.getByRole('button', { name: 'Show' }).click()
      await expect(demo.thread.getByText(/“How would you name a boat\?” is message/)).toBeInViewport()
      await history.tray.getByRole('button', { name: 'Restore' }).click()
      await expect(history.tray).toBeHidden()
    })
  })
}

for (const [how, screen] of Object.entries(KEYED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-17 UI-18 Escape twice opens the prompts, Enter edits one, and the timeline undoes it', async ({
      demo,
      page,
      tell,
    }) => {
      const history = new HistoryPage(page)
      await demo.open(`/s/${await tell(TALK)}`)
      await expect(demo.input).toBeFocused()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await expect(history.prompts.getByRole('option')).toHaveCount(3)
      await expect(history.prompts).toContainText('hides 5 messages')
      await auditBothSchemes(page)
      await page.keyboard.type('boat')
      await expect(history.prompts.getByRole('option')).toHaveCount(1)
      await page.keyboard.press('Enter')
      await expect(history.editor.getByRole('textbox')).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(history.editor).toBeHidden()

      await demo.input.focus()
      await page.keyboard.type('/rewind')
      await page.keyboard.press('Enter')
      await expect(history.prompts.getByRole('option')).toHaveCount(3)
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await expect(history.editor.getByRole('textbox')).toHaveValue('How would you name a boat?')
      await page.keyboard.press('Control+a')
      await page.keyboard.type('A raft, then')
      await page.keyboard.press('Enter')
      await expect(history.tray).toContainText('4 messages hidden')
      await expect(demo.message(/“A raft, then”/)).toBeVisible()
      await expect(demo.stop).toBeHidden()

      await page.keyboard.press('Control+Shift+y')
      const undo = history.timeline.getByRole('listitem').first().getByRole('button', { name: 'Undo' })
      await undo.focus()
      await page.keyboard.press('Enter')
      await expect(history.timeline.getByRole('listitem').first()).toContainText('4 messages restored')
      await page.keyboard.press('Escape')
      await expect(history.timeline).toBeHidden()
      await expect(demo.thread.getByText('And its oars?', { exact: true })).toBeVisible()
    })
  })
}
