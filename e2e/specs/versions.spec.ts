import { deltas, reply } from '@palimpsest/testing'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { POINTED } from '../fixtures/screens.ts'
import { expect, test } from '../fixtures/test.ts'
import { HistoryPage } from '../pages/history-page.ts'

const TALK = {
  title: 'Naming the boat',
  texts: ['How would you name a boat?', 'And its oars?', 'And its anchor?'],
}

for (const [how, screen] of Object.entries(POINTED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-28 UI-29 a question is changed, its versions are stepped through, and a rewind is restored after another question', async ({
      demo,
      page,
      tell,
    }) => {
      const history = new HistoryPage(page)
      await demo.open(`/s/${await tell(TALK)}`)
      await history.press('Edit and send again', 1)
      await history.editor.getByRole('textbox').fill('And its sails?')
      await history.editor.getByRole('button', { name: 'Save and send' }).click()
      await expect(demo.message(/“And its sails\?”/)).toBeVisible()
      await expect(demo.stop).toBeHidden()

      const edits = page.getByRole('group', { name: 'Edits of this message' })
      await expect(edits).toContainText('2 / 2')
      await auditBothSchemes(page)
      await edits.getByRole('button', { name: 'Previous version' }).click()
      await expect(demo.thread.getByText('And its anchor?', { exact: true })).toBeVisible()
      await expect(edits).toContainText('1 / 2')
      await expect(edits).toBeFocused()
      await page.keyboard.press('ArrowRight')
      await expect(demo.thread.getByText('And its sails?', { exact: true })).toBeVisible()
      await page.keyboard.press('ArrowLeft')
      await expect(demo.thread.getByText('And its anchor?', { exact: true })).toBeVisible()

      await history.rewind(1)
      await expect(history.tray).toContainText('3 more messages hidden')
      await demo.input.fill('Something else')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(demo.message(/“Something else”/)).toBeVisible()
      await expect(demo.stop).toBeHidden()
      await expect(history.tray).toContainText('4 more messages hidden')
      await history.tray.getByRole('button', { name: 'Restore' }).click()
      await expect(demo.thread.getByText('And its anchor?', { exact: true })).toBeVisible()
      await expect(demo.thread.getByText('Something else', { exact: true })).toBeHidden()

      await history.go('Timeline')
      await expect(history.timeline.getByRole('button', { name: /^Restore: before / }).first()).toBeVisible()
      await auditBothSchemes(page)
    })

    test('UI-28 another reply to an earlier question says what it hides, and both replies stay', async ({
      demo,
      page,
      tell,
    }) => {
      await demo.open(`/s/${await tell(TALK)}`)
      await expect(demo.thread.getByText('And its anchor?', { exact: true })).toBeVisible()
      const again = new HistoryPage(page).act('Regenerate', 0)
      await again.scrollIntoViewIfNeeded()
      await again.click()
      const item = page.getByRole('menuitem', { name: 'Regenerate' })
      await expect(
        item.or(page.getByRole('dialog', { name: 'Get another reply here?' })).first(),
      ).toBeVisible()
      if (await item.isVisible()) await item.click()
      const dialog = page.getByRole('dialog', { name: 'Get another reply here?' })
      await expect(dialog).toContainText('This hides 4 messages after it.')
      await auditBothSchemes(page)
      await dialog.getByRole('button', { name: 'Get another reply' }).click()
      await expect(demo.thread.getByText('And its anchor?', { exact: true })).toBeHidden()
      await expect(demo.stop).toBeHidden()
      const replies = page.getByRole('group', { name: 'Replies to this message' })
      await expect(replies).toContainText('2 / 2')
      await replies.getByRole('button', { name: 'Previous version' }).click()
      await expect(demo.thread.getByText('And its anchor?', { exact: true })).toBeVisible()
    })
  })
}

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('UI-35 a chat has the first words as its name in the tab, the heading and the sidebar while its reply is awaited', async ({
  chat,
  product,
  page,
}) => {
  product.provider.script(reply({ text: deltas(2, 'going '), ending: 'stall' }))
  await chat.open()
  await chat.send('Which ink did the monks use?')
  await expect(page).toHaveTitle('Which ink did the monks use? · Palimpsest')
  await expect(
    page.locator('header').getByRole('button', { name: 'Which ink did the monks use?' }),
  ).toBeVisible()
  await expect(chat.sidebar.getByRole('link', { name: /Which ink did the monks use\?/ })).toBeVisible()
  await expect(chat.message(/going going/)).toBeVisible()
  await page.reload()
  await expect(chat.sidebar.getByRole('link', { name: /Which ink did the monks use\?/ })).toBeVisible()
})

test('UI-15 Esc says which queued message is next, and Stop all keeps the rest of the queue, paused, through a reload', async ({
  chat,
  product,
  page,
}) => {
  product.provider.script(
    reply({ text: deltas(2, 'first '), ending: 'stall' }),
    reply({ text: deltas(2, 'second '), ending: 'stall' }),
    reply({ text: 'The third' }),
  )
  await chat.open()
  await chat.send('One')
  await expect(chat.message(/first first/)).toBeVisible()
  await chat.send('Two')
  await chat.send('Three')
  const queue = page.getByRole('region', { name: 'Queued messages' })
  await expect(queue).toContainText('The first is sent when this reply ends or is stopped.')
  await page.keyboard.press('Escape')
  await expect(page.getByText('Stopped. Next: “Two”')).toBeVisible()
  await expect(chat.message(/second second/)).toBeVisible()
  await auditBothSchemes(page)
  await queue.getByRole('button', { name: 'Stop all' }).click()
  await expect(queue).toContainText('Paused because you stopped all.')
  await page.reload()
  await expect(queue).toContainText('Paused because you stopped all.')
  await auditBothSchemes(page)
  await queue.getByRole('button', { name: 'Continue the queue' }).click()
  await expect(chat.message('The third')).toBeVisible()
  await expect(queue).toBeHidden()
})
