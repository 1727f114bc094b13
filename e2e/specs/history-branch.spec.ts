import { auditBothSchemes } from '../fixtures/audit.ts'
import { KEYED, POINTED } from '../fixtures/screens.ts'
import { expect, test } from '../fixtures/test.ts'
import { HistoryPage } from '../pages/history-page.ts'

const TALK = { title: 'Naming the boat', texts: ['Show me a table.', 'How would you name a boat?'] }

for (const [how, screen] of Object.entries(POINTED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-19 UI-20 a branch is created, opened, left, compared, and both are continued by one composer', async ({
      demo,
      page,
      tell,
    }) => {
      const history = new HistoryPage(page)
      const origin = await tell(TALK)
      const send = page.getByRole('button', { name: 'Send', exact: true })
      await demo.open(`/s/${origin}`)
      // The reply to the first message.
      await history.press('Branch from here', 1)
      await expect(page.getByText('You are on a new branch.')).toBeVisible()
      await demo.input.fill('And a raft?')
      await send.click()
      await expect(demo.message(/“And a raft\?”/)).toBeVisible()
      await expect(demo.stop).toBeHidden()
      await expect(history.versions).toContainText('2 / 2')
      await page.reload()
      await history.versions.getByRole('button', { name: 'Version 2 of 2' }).click()
      await expect(page.getByRole('menu')).toContainText('And a raft?')
      await expect(page.getByRole('menu')).toContainText('2 messages after this')
      await auditBothSchemes(page)
      await page.keyboard.press('Escape')
      await history.versions.getByRole('button', { name: 'Previous version' }).click()
      await expect(page).toHaveURL(new RegExp(origin))
      await expect(history.versions).toContainText('1 / 2')
      await expect(demo.thread.getByText('And a raft?', { exact: true })).toBeHidden()

      await history.go('Branches of this chat')
      await expect(history.tree.getByRole('link', { name: /Naming the boat/ })).toHaveAttribute(
        'aria-current',
        'page',
      )
      await expect(history.tree).toContainText('And a raft?')
      await auditBothSchemes(page)
      await history.tree.getByRole('button', { name: 'Compare with And a raft?' }).click()

      const board = page.getByRole('log', { name: 'Compare' })
      const tab = (name: string) => page.getByRole('tab', { name })
      const see = async (name: string) => {
        if (await tab(name).isVisible()) await tab(name).click()
      }
      await expect(board).toContainText('2 messages in common')
      await auditBothSchemes(page)
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('And its oars?')
      await send.click()
      for (const name of ['Naming the boat', 'And a raft?']) {
        await see(name)
        await expect(
          board
            .getByText(/“And its oars\?”/)
            .filter({ visible: true })
            .first(),
        ).toBeVisible()
      }
      await expect(demo.stop).toBeHidden()
      await page.reload()
      await expect(board).toContainText('2 messages in common')
      const onlyHere = page.getByRole('radio', { name: 'And a raft?' })
      // The composer's code loads late; until then, only the link to the branch has the name.
      await expect(onlyHere).toBeAttached()
      await page.getByText('And a raft?', { exact: true }).last().click()
      await expect(onlyHere).toBeChecked()
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('Only here')
      await send.click()
      await see('And a raft?')
      await expect(
        board
          .getByText(/“Only here”/)
          .filter({ visible: true })
          .first(),
      ).toBeVisible()
      await page.getByRole('button', { name: 'Swap sides' }).click()
      await expect(board.getByText(/“Only here”/)).toHaveCount(1)
    })

    test('UI-22 a side question does not change the chat, survives a reload, and is discarded or kept', async ({
      demo,
      page,
      tell,
    }) => {
      const history = new HistoryPage(page)
      await demo.open(`/s/${await tell(TALK)}`)
      await history.go('Side question')
      await expect(history.side).toContainText('The model reads the 4 messages of this chat.')
      const ask = async (text: string) => {
        await history.side.getByRole('textbox', { name: 'Message' }).fill(text)
        await history.side.getByRole('button', { name: 'Send', exact: true }).click()
      }
      await ask('Which is shorter?')
      await expect(history.sideThread.getByText(/“Which is shorter\?”/)).toBeVisible()
      await auditBothSchemes(page)
      await page.reload()
      await expect(history.sideThread.getByText(/“Which is shorter\?”/)).toBeVisible()
      await history.side.getByRole('button', { name: 'Discard' }).click()
      await page
        .getByRole('dialog', { name: 'Discard this side question?' })
        .getByRole('button', { name: 'Discard' })
        .click()
      await expect(history.sideThread.getByText(/Which is shorter/)).toHaveCount(0)
      await ask('Which is longer?')
      await history.side.getByRole('button', { name: 'Keep as a branch' }).click()
      await page.getByRole('button', { name: 'Open', exact: true }).click()
      await expect(demo.thread.getByText('Which is longer?', { exact: true })).toBeVisible()
      await history.versions.getByRole('button', { name: 'Previous version' }).click()
      await expect(demo.thread.getByText('Which is longer?', { exact: true })).toBeHidden()
    })
  })
}

for (const [how, screen] of Object.entries(KEYED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-19 UI-20 UI-22 branches and side questions are created, opened and compared without a pointer', async ({
      demo,
      page,
      tell,
    }) => {
      const history = new HistoryPage(page)
      const origin = await tell(TALK)
      await demo.open(`/s/${origin}`)
      await history.pressByKey('Branch from here', 1)
      await expect(page).not.toHaveURL(new RegExp(origin))
      await expect(demo.input).toBeFocused()
      await page.keyboard.type('And a raft?')
      await page.keyboard.press('Enter')
      await expect(history.versions).toContainText('2 / 2')
      await expect(demo.message(/“And a raft\?”/)).toBeVisible()
      await expect(demo.stop).toBeHidden()

      await history.versions.getByRole('button', { name: 'Version 2 of 2' }).focus()
      await page.keyboard.press('ArrowLeft')
      await expect(page).toHaveURL(new RegExp(origin))
      await page.keyboard.press('Control+Shift+b')
      await expect(history.tree.getByRole('link')).toHaveCount(2)
      await history.tree.getByRole('link').first().focus()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await expect(demo.thread.getByText('And a raft?', { exact: true })).toBeVisible()

      await demo.input.focus()
      await page.keyboard.type('/side')
      await page.keyboard.press('Enter')
      await expect(history.side.getByRole('textbox', { name: 'Message' })).toBeFocused()
      await page.keyboard.type('Why a raft?')
      await page.keyboard.press('Enter')
      await expect(history.sideThread.getByText(/“Why a raft\?”/)).toBeVisible()
      await expect(history.side.getByRole('button', { name: 'Stop' })).toBeHidden()
      await history.side.getByRole('button', { name: 'Keep as a branch' }).focus()
      await page.keyboard.press('Escape')
      await expect(history.side).toBeHidden()

      await demo.input.focus()
      await page.keyboard.type('/compare')
      await page.keyboard.press('Enter')
      const board = page.getByRole('log', { name: 'Compare' })
      await expect(board).toContainText('in common')
      await page.getByRole('radio', { name: 'Both' }).focus()
      await page.keyboard.press('ArrowRight')
      await expect(page.getByRole('radio', { name: 'And a raft?' })).toBeChecked()
      await page.getByRole('textbox', { name: 'Message', exact: true }).focus()
      await page.keyboard.type('And its oars?')
      await page.keyboard.press('Enter')
      await expect(board.getByText(/“And its oars\?”/)).toBeVisible()
    })
  })
}
