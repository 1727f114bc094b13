import { deltas, reply } from '@palimpsest/testing'
import { expect, listen, test } from '../fixtures/test.ts'
import { ChatPage } from '../pages/chat-page.ts'

test('LS-2 a reload in the middle of an answer shows it from its start and continues', async ({
  chat,
  product,
  page,
}) => {
  const hold = Promise.withResolvers<void>()
  const text = ['First half.', ' Second half.']
  product.provider.script(reply({ text, hold: { before: 1, until: hold.promise } }))
  await chat.open()
  await chat.send('Tell me in two halves')
  await expect(chat.message('First half.')).toBeVisible()
  await page.reload()
  await expect(chat.message('First half.')).toBeVisible()
  hold.resolve()
  await expect(chat.message('First half. Second half.')).toBeVisible()
  await expect(chat.thread.getByText('First half.')).toHaveCount(1)
})

test('UI-26 a second tab follows a reply live', async ({ chat, product, context, complaints }) => {
  const hold = Promise.withResolvers<void>()
  product.provider.script(reply({ text: ['Begun', ' and done'], hold: { before: 1, until: hold.promise } }))
  await chat.open()
  await chat.send('Watch this')
  await expect(chat.message('Begun')).toBeVisible()
  const tab = await context.newPage()
  listen(tab, complaints)
  const second = new ChatPage(tab, product.url)
  await second.open(new URL(chat.page.url()).pathname)
  await expect(second.message('Begun')).toBeVisible()
  hold.resolve()
  await expect(second.message('Begun and done')).toBeVisible()
  await expect(chat.message('Begun and done')).toBeVisible()
})

test('UI-15 Escape stops a reply, keeps its text, and the next message works', async ({
  chat,
  product,
  page,
}) => {
  product.provider.script(reply({ text: deltas(3, 'kept '), ending: 'stall' }), reply({ text: 'Here again' }))
  await chat.open()
  await chat.send('Go on for ever')
  await expect(chat.message(/kept kept kept/)).toBeVisible()
  await expect(chat.stop).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(chat.thread.getByText('Stopped.')).toBeVisible()
  await expect(chat.message(/kept kept kept/)).toBeVisible()
  await chat.send('And now?')
  await expect(chat.message('Here again')).toBeVisible()
})

test('UI-11 a failed reply shows its error and is retried by one click', async ({ chat, product }) => {
  const { failure } = await import('@palimpsest/testing')
  product.provider.script(failure(401, 'Incorrect API key provided'), reply({ text: 'Better now' }))
  await chat.open()
  await chat.send('Will this fail?')
  await expect(chat.thread.getByText(/The reply failed/)).toBeVisible()
  await chat.thread.getByRole('button', { name: /Try again|Get a reply/ }).click()
  await expect(chat.message('Better now')).toBeVisible()
})
