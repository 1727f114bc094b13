import { reply } from '@palimpsest/testing'
import type { Page } from '@playwright/test'
import { seedLongSession } from '../fixtures/long-session.ts'
import { startServer } from '../fixtures/server.ts'
import { closing, expect, listen, test } from '../fixtures/test.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { createReader } from '../pages/reader.ts'

/** Turns of the thread: more than two pages of messages. */
const TURNS = 60

async function openThread(page: Page, complaints: string[]) {
  listen(page, complaints)
  const server = await startServer({ seed: (url) => seedLongSession(url, 'ses_read', TURNS) })
  const chat = new ChatPage(page, server.url)
  return { server, chat, reader: createReader(chat), path: '/s/ses_read' }
}

test('UI-7 UI-8 while a long answer streams, the visible text further up does not move by a pixel', async ({
  page,
  complaints,
}) => {
  const { server: opened, chat, reader, path } = await openThread(page, complaints)
  await using server = opened
  await using _page = closing(page)
  const hold = Promise.withResolvers<void>()
  const text = Array.from({ length: 400 }, (_, index) => `${index % 20 === 0 ? '\n\n' : ''}word ${index} `)
  server.provider.script(reply({ text, everyMs: 5, hold: { before: 40, until: hold.promise } }))
  await chat.open(path)
  await chat.send('Say much')
  await expect(chat.message('word 39')).toBeVisible()
  await reader.scroll(-900)
  const drift = reader.driftDuringReply(await reader.topMessage())
  hold.resolve()
  expect(await drift).toBe(0)
  await expect(page.getByRole('button', { name: /Jump to latest/ })).toBeVisible()
})

test('UI-8 an older page that loads above does not move the visible text', async ({ page, complaints }) => {
  const { server, chat, reader, path } = await openThread(page, complaints)
  await using _server = server
  await using _page = closing(page)
  const asked = Promise.withResolvers<void>()
  const hold = Promise.withResolvers<void>()
  await page.route(/session\.messages.*cursor/, async (route) => {
    asked.resolve()
    await hold.promise
    await route.continue()
  })
  await chat.open(path)
  await chat.message(`Question ${TURNS}`).waitFor()
  await reader.scroll(-40_000)
  await asked.promise
  await reader.scroll(120)
  const row = await reader.topMessage()
  const [top, height] = [await reader.topOf(row), await reader.height()]
  hold.resolve()
  await expect.poll(reader.height).toBeGreaterThan(height + 500)
  await reader.rest()
  expect(Math.abs((await reader.topOf(row)) - top)).toBeLessThanOrEqual(1)
})

test('UI-7 a reload in the middle of a thread keeps the scroll position', async ({ page, complaints }) => {
  const { server, chat, reader, path } = await openThread(page, complaints)
  await using _server = server
  await using _page = closing(page)
  await chat.open(path)
  await chat.message(`Question ${TURNS}`).waitFor()
  await reader.scroll(-1_300)
  const row = await reader.topMessage()
  const top = await reader.topOf(row)
  const id = (await row.getAttribute('id')) ?? 'none'
  await expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain(id)
  await page.reload()
  await row.waitFor()
  await reader.rest()
  expect(Math.abs((await reader.topOf(row)) - top)).toBeLessThanOrEqual(1)
})

test('UI-7 a draft of several lines that is replaced during a reply keeps its end in view', async ({
  chat,
  page,
  product,
}) => {
  const hold = Promise.withResolvers<void>()
  const text = Array.from({ length: 400 }, (_, index) => `${index % 20 === 0 ? '\n\n' : ''}word ${index} `)
  product.provider.script(reply({ text, hold: { before: 200, until: hold.promise } }))
  await chat.open()
  await chat.send('Say much')
  await expect(chat.message('word 199')).toBeInViewport()
  for (const draft of ['One\nTwo', 'One\nTwo\nThree\nFour', 'One\nTwo']) await chat.input.fill(draft)
  hold.resolve()
  await expect(chat.message('word 399')).toBeInViewport()
  await expect(page.getByRole('button', { name: /Jump to latest/ })).toBeHidden()
})
