import { createClient } from '@palimpsest/client'
import { seedLongSession } from '../fixtures/long-session.ts'
import { startServer } from '../fixtures/server.ts'
import { closing, expect, listen, test } from '../fixtures/test.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { HistoryPage } from '../pages/history-page.ts'

/** Turns of the long thread: two messages each. */
const TURNS = 1_000

test('UI-8 a thread of 2,000 messages opens at its end and loads upwards without a jump', async ({
  page,
  complaints,
}) => {
  test.setTimeout(240_000)
  listen(page, complaints)
  await using server = await startServer({ seed: (url) => seedLongSession(url, 'ses_long', TURNS) })
  await using _page = closing(page)
  const chat = new ChatPage(page, server.url)
  await chat.open('/')
  const started = Date.now()
  await chat.open('/s/ses_long')
  await expect(chat.thread.getByText(`Question ${TURNS}`, { exact: true })).toBeVisible()
  test.info().annotations.push({ type: 'milliseconds to open', description: String(Date.now() - started) })

  await chat.thread.hover()
  const climb = async () => {
    await page.mouse.wheel(0, -4_000)
    const questions = await chat.thread.getByText(/^Question \d+$/).allTextContents()
    return Math.min(...questions.map((text) => Number(text.slice('Question '.length))))
  }
  await expect.poll(climb, { timeout: 30_000 }).toBeLessThan(850)
  await page.getByRole('button', { name: /Jump to latest/ }).click()
  await expect(chat.thread.getByText(`Question ${TURNS}`, { exact: true })).toBeVisible()
  await page.close()
})

test('UI-8 Home and End lead to the first and the newest message of 2,000', async ({ page, complaints }) => {
  test.setTimeout(240_000)
  listen(page, complaints)
  await using server = await startServer({ seed: (url) => seedLongSession(url, 'ses_ends', TURNS) })
  await using _page = closing(page)
  const chat = new ChatPage(page, server.url)
  await chat.open('/s/ses_ends')
  const question = (turn: number) => chat.thread.getByText(`Question ${turn}`, { exact: true })
  await expect(question(TURNS)).toBeVisible()
  await chat.thread.click({ position: { x: 5, y: 5 } })
  await page.keyboard.press('Home')
  await expect(question(1)).toBeInViewport({ timeout: 20_000 })
  await page.keyboard.press('End')
  await expect(question(TURNS)).toBeInViewport()
  await page.keyboard.press('Home')
  await expect(question(1)).toBeInViewport()
})

test('UI-8 the list of 1,000 questions leads to the first, the last and any of them by a filter', async ({
  page,
  complaints,
}) => {
  test.setTimeout(240_000)
  listen(page, complaints)
  await using server = await startServer({ seed: (url) => seedLongSession(url, 'ses_listed', TURNS) })
  await using _page = closing(page)
  const chat = new ChatPage(page, server.url)
  await chat.open('/s/ses_listed')
  const question = (turn: number) => chat.thread.getByText(`Question ${turn}`, { exact: true })
  await expect(question(TURNS)).toBeVisible()
  const list = page.getByRole('dialog', { name: 'Questions in this chat' })
  const open = async () => {
    await page.keyboard.press('Control+Shift+E')
    await expect(list.getByText('1,000 questions')).toBeVisible()
  }
  await open()
  await expect(list.getByRole('option', { selected: true })).toContainText('Question 1000')
  await list.getByRole('button', { name: 'First' }).click()
  await expect(question(1)).toBeInViewport({ timeout: 20_000 })
  await open()
  await page.keyboard.type('Question 417')
  await expect(list.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(question(417)).toBeInViewport()
  await expect(list).toBeHidden()
  // What is read is noted once the thread has come to rest.
  await expect(async () => {
    if (await list.isVisible()) await page.keyboard.press('Escape')
    await expect(list).toBeHidden()
    await open()
    await expect(list.getByRole('option', { selected: true })).toContainText('Question 417', {
      timeout: 1_000,
    })
  }).toPass()
  await list.getByRole('button', { name: 'Last' }).click()
  await expect(question(TURNS)).toBeInViewport()
})

test('UI-39 the rail of 1,000 questions names each by its words, and a drag and Enter restore nothing', async ({
  page,
  complaints,
}) => {
  test.setTimeout(240_000)
  listen(page, complaints)
  await using server = await startServer({ seed: (url) => seedLongSession(url, 'ses_rail', TURNS) })
  await using _page = closing(page)
  const chat = new ChatPage(page, server.url)
  const history = new HistoryPage(page)
  await chat.open('/s/ses_rail')
  const box = await history.rail.boundingBox()
  if (box === null) throw new Error('The rail is not on the page.')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.2)
  await expect(page.locator('.history-rail-name')).toHaveText(/^before “Question 20\d”/)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.5, { steps: 5 })
  await page.mouse.up()
  await expect(history.preview).toContainText(/before “Question 50\d”/i)
  await history.rail.press('Enter')
  const restore = history.preview.getByRole('button', { name: 'Restore this' })
  await expect(restore).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(chat.thread.getByText(`Question ${TURNS}`, { exact: true })).toBeVisible()
  await expect(history.rail).toHaveAttribute('aria-valuemax', `${TURNS}`)
})

test('UI-5 a link to a message far up opens there', async ({ page, complaints }) => {
  listen(page, complaints)
  await using server = await startServer({ seed: (url) => seedLongSession(url, 'ses_linked', 150) })
  await using _page = closing(page)
  const chat = new ChatPage(page, server.url)
  await chat.open('/s/ses_linked#msg_user_40')
  await expect(chat.thread.getByText('Question 40', { exact: true })).toBeInViewport()
  await expect(chat.thread.getByText('Question 150', { exact: true })).toHaveCount(0)
  await page.close()
})

test('UI-18 a rewind over many pages and its undo are shown in open pages and in reopened ones', async ({
  page,
  context,
  complaints,
}) => {
  test.setTimeout(240_000)
  listen(page, complaints)
  await using server = await startServer({ seed: (url) => seedLongSession(url, 'ses_walked', TURNS) })
  await using _page = closing(page)
  await using client = createClient({ url: server.url })
  const away = await context.newPage()
  await using _away = closing(away)
  const here = new ChatPage(page, server.url)
  const there = new ChatPage(away, server.url)
  const question = (chat: ChatPage, turn: number) =>
    chat.thread.getByText(`Question ${turn}`, { exact: true })
  for (const chat of [here, there]) {
    await chat.open('/s/ses_walked')
    await expect(question(chat, TURNS)).toBeVisible()
  }
  await away.goto('about:blank')
  // The target message is on none of the loaded pages.
  await client.session.rewind.mutate({ sessionId: 'ses_walked', messageId: 'msg_user_100' })
  await expect(question(here, 100)).toBeVisible()
  await away.goBack()
  for (const chat of [here, there]) {
    await expect(question(chat, 100)).toBeVisible()
    await expect(question(chat, TURNS)).toBeHidden()
  }
  await client.session.unrewind.mutate({ sessionId: 'ses_walked' })
  for (const chat of [here, there]) {
    await chat.thread.hover()
    await expect(question(chat, TURNS)).toBeVisible()
  }
})
