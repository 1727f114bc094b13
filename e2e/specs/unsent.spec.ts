import { reply } from '@palimpsest/testing'
import type { Page, WebSocketRoute } from '@playwright/test'
import { expect, listen, test } from '../fixtures/test.ts'
import { ChatPage } from '../pages/chat-page.ts'

/** A connection of a page to the server that can be cut. */
async function lineOf(page: Page) {
  const sockets = new Set<WebSocketRoute>()
  let isCut = false
  await page.routeWebSocket(/\/trpc/, async (socket) => {
    if (isCut) {
      await socket.close()
      return
    }
    sockets.add(socket)
    socket.connectToServer()
  })
  // A call in a request of its own uses the same connection.
  await page.route('**/trpc/**', (route) => (isCut ? route.abort() : route.continue()))
  return {
    async cut() {
      isCut = true
      for (const socket of sockets) await socket.close()
      sockets.clear()
    },
    mend() {
      isCut = false
    },
  }
}

const picture = {
  name: 'leaf.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
}

test('UI-12 a message that one tab could not send survives in the other tab and after a reload, files included', {
  tag: '@outage',
}, async ({ chat, product, page, context, complaints }) => {
  product.provider.script(reply({ text: 'First reply.' }))
  await chat.open()
  await chat.send('First')
  await expect(chat.message('First reply.')).toBeVisible()
  const address = page.url()
  const tab = await context.newPage()
  listen(tab, complaints)
  const line = await lineOf(tab)
  const a = new ChatPage(tab, product.url)
  await a.open(address)
  await expect(a.message('First reply.')).toBeVisible()

  const images = [
    picture,
    { ...picture, name: 'b.png' },
    { ...picture, name: 'c.png' },
    { ...picture, name: 'd.png' },
  ]
  await tab.getByLabel('Attach files').and(tab.locator('input')).setInputFiles(images)
  await expect(tab.getByRole('button', { name: /^Remove / })).toHaveCount(images.length)
  // What is not read and uploaded yet would wait in the draft.
  await expect(tab.getByRole('list', { name: 'Attachments' }).getByText('Reading')).toHaveCount(0)
  await expect(tab.getByRole('progressbar')).toHaveCount(0)
  await line.cut()
  await a.send('Kept by one tab')
  // The other tab reads it, reconnects and fetches, and does not send it.
  await expect(chat.message('Kept by one tab')).toBeVisible()
  await page.goto(product.url)
  const keys = () =>
    tab.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('palimpsest.outgoing.')))
  expect(await keys()).toHaveLength(1)

  product.provider.script(reply({ text: 'Second reply.' }))
  line.mend()
  await tab.reload()
  await expect(a.message('Second reply.')).toBeVisible({ timeout: 20_000 })
  await expect(a.thread.getByRole('img', { name: 'leaf.png' })).toHaveCount(1)
  await expect(a.thread.getByText('Kept by one tab')).toHaveCount(1)
  await expect.poll(keys).toEqual([])
})
