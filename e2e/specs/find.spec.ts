import { createClient } from '@palimpsest/client'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { seedLongSession } from '../fixtures/long-session.ts'
import { KEYED, POINTED } from '../fixtures/screens.ts'
import { startServer } from '../fixtures/server.ts'
import { closing, expect, listen, test } from '../fixtures/test.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { FindPage } from '../pages/find-page.ts'
import { HistoryPage } from '../pages/history-page.ts'

const TALK = {
  title: 'Naming the boat',
  texts: ['How would you name a boat?', 'And its oars?', 'And its anchor?'],
}

/** Milliseconds from the last key to the count, over 2,000 messages that all match. */
const COUNT_MS = 2_000

for (const [how, screen] of Object.entries(POINTED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-30 find shows a hidden match with its layer, and a search result and a link open what hides it', async ({
      demo,
      page,
      tell,
    }) => {
      const [find, history] = [new FindPage(page), new HistoryPage(page)]
      const path = `/s/${await tell(TALK)}`
      await demo.open(path)
      await history.rewind(0)
      await expect(history.tray).toContainText('5 messages hidden')

      await find.go()
      await expect(find.field).toBeFocused()
      await find.field.fill('boat')
      await expect(find.outcome).toContainText(/^1 of \d messages?/)
      await find.field.fill('anchor')
      await expect(find.outcome).toContainText('messages')
      await expect(demo.thread.getByText('And its anchor?', { exact: true })).toBeHidden()
      await auditBothSchemes(page)
      await find.next.click()
      await find.previous.click()
      await find.next.click()
      await expect(find.outcome).toContainText('Hidden')
      await expect(demo.thread.getByText('And its anchor?', { exact: true })).toBeVisible()
      await find.list.click()
      await expect(find.matches.getByRole('button').first()).toContainText('Hidden')
      await auditBothSchemes(page)
      await find.matches.getByRole('button', { name: /^YouAnd its anchor|^You And its anchor/ }).click()
      await expect(demo.thread.getByText('And its anchor?', { exact: true })).toBeInViewport()
      expect(await find.marked()).toContain('anchor')
      await find.close.click()
      await expect(find.field).toBeHidden()
      expect(await find.marked()).toEqual([])

      const target = await page
        .locator('[data-index]', { hasText: 'And its anchor?' })
        .first()
        .getAttribute('id')
      await page.evaluate(() => localStorage.clear())
      await page.goto('about:blank')
      await demo.open(`${path}#${target}`)
      await expect(demo.thread.getByText('And its anchor?', { exact: true })).toBeInViewport()
      await expect(page.locator(`[id="${target}"]`)).toBeFocused()
      await auditBothSchemes(page)
    })
  })
}

for (const [how, screen] of Object.entries(KEYED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-30 find works without a pointer: its keys, steps both ways, Esc, and the palette', async ({
      demo,
      page,
      tell,
    }) => {
      const find = new FindPage(page)
      await demo.open(`/s/${await tell(TALK)}`)
      await expect(demo.input).toBeFocused()
      // Before its code has loaded, too: no key is lost.
      await page.keyboard.press('Control+f')
      await page.keyboard.type('oars')
      await expect(find.field).toHaveValue('oars')
      await expect(find.outcome).toContainText(/^\d of \d messages?/)
      const first = await find.outcome.textContent()
      await page.keyboard.press('Enter')
      await expect(find.outcome).not.toHaveText(first ?? '')
      await page.keyboard.press('Shift+Enter')
      await expect(find.outcome).toHaveText(first ?? '')
      await page.keyboard.press('Escape')
      await expect(find.field).toBeHidden()
      await expect(demo.input).toBeFocused()
      await page.keyboard.press('Control+k')
      await page.keyboard.type('find in this')
      await page.keyboard.press('Enter')
      await expect(find.field).toBeFocused()
    })
  })
}

test('UI-30 find counts the matches of 2,000 messages in time, and leads to the first of them', async ({
  page,
  complaints,
}) => {
  test.setTimeout(120_000)
  listen(page, complaints)
  await using server = await startServer({ seed: (url) => seedLongSession(url, 'ses_long', 1_000) })
  await using _page = closing(page)
  await using client = createClient({ url: server.url })
  await client.session.rewind.mutate({ sessionId: 'ses_long', messageId: 'msg_user_900' })
  const [chat, find] = [new ChatPage(page, server.url), new FindPage(page)]
  await chat.open('/s/ses_long')
  await expect(chat.thread.getByText('Question 900', { exact: true })).toBeVisible()
  await find.go()
  await find.field.fill('question')
  const started = Date.now()
  await expect(find.outcome).toContainText('of 1,000 messages')
  const taken = Date.now() - started
  test.info().annotations.push({ type: 'milliseconds to count', description: String(taken) })
  expect(taken).toBeLessThan(COUNT_MS)
  await find.field.fill('question 3')
  await expect(find.outcome).toContainText('messages')
  await find.field.fill('question 7')
  await find.field.press('Enter')
  await find.field.fill('question 12')
  await expect(find.outcome).toContainText('messages')
  await find.list.click()
  await find.matches.getByRole('button').first().click()
  await expect(chat.thread.getByText('Question 12', { exact: true })).toBeInViewport()
  await find.field.press('Escape')

  await page.goto('about:blank')
  await chat.open('/s/ses_long#msg_reply_950')
  await expect(chat.thread.getByText('Answer 950.', { exact: true })).toBeInViewport()
})
