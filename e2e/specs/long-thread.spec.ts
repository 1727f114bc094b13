import { createClient } from '@palimpsest/client'
import { seedLongSession } from '../fixtures/long-session.ts'
import { startServer } from '../fixtures/server.ts'
import { closing, expect, listen, test } from '../fixtures/test.ts'
import { ChatPage } from '../pages/chat-page.ts'

/** Turns of the long thread: two messages each. */
const TURNS = 1_000

test('UI-8 a thread of 2,000 messages opens at its end and loads upwards without a jump', async ({
  page,
  complaints,
}) => {
  test.setTimeout(120_000)
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
  test.setTimeout(120_000)
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
