import { reply } from '@palimpsest/testing'
import { startServer } from '../fixtures/server.ts'
import { expect, listen, test } from '../fixtures/test.ts'
import { ChatPage } from '../pages/chat-page.ts'

test('UI-4 going offline and coming back loses nothing', { tag: '@outage' }, async ({
  chat,
  product,
  context,
}) => {
  const hold = Promise.withResolvers<void>()
  product.provider.script(reply({ text: ['Before', ' and after'], hold: { before: 1, until: hold.promise } }))
  await chat.open()
  await chat.send('Across an outage')
  await expect(chat.message('Before')).toBeVisible()
  await context.setOffline(true)
  await expect(chat.page.getByText(/offline|Reconnecting/)).toBeVisible()
  hold.resolve()
  await context.setOffline(false)
  await expect(chat.message('Before and after')).toBeVisible()
  await expect(chat.page.getByText(/offline|Reconnecting/)).toBeHidden()
})

test('RV-1 after a kill the server has every word, and the reply is continued', { tag: '@outage' }, async ({
  page,
  complaints,
}) => {
  await using server = await startServer()
  listen(page, complaints)
  const chat = new ChatPage(page, server.url)
  server.provider.script(reply({ text: ['Half a reply'], ending: 'stall' }), reply({ text: ' and its end' }))
  await chat.open()
  await chat.send('Survive this')
  await expect(chat.message('Half a reply')).toBeVisible()
  await server.kill()
  await expect(page.getByText(/Reconnecting|can’t be reached/).first()).toBeVisible()
  await server.restart()
  await expect(chat.thread.getByText(/The server stopped during this reply/)).toBeVisible({ timeout: 15_000 })
  await expect(chat.message('Half a reply')).toBeVisible()
  await chat.thread.getByRole('button', { name: 'Continue' }).click()
  await expect(chat.message('and its end')).toBeVisible()
})
