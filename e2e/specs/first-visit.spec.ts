import { expect, listen, test } from '../fixtures/test.ts'
import { ChatPage } from '../pages/chat-page.ts'

test('UI-2 a first visit gets a reply without a key', async ({ page, keyless, complaints }) => {
  listen(page, complaints)
  const chat = new ChatPage(page, keyless.url)
  await chat.open()
  await expect(page.getByRole('heading', { name: 'What shall we write?' })).toBeVisible()
  await expect(page.getByText('You are using the demo model.')).toBeVisible()
  await page.getByRole('button', { name: 'Explain how a rainbow forms' }).click()
  await expect(page).toHaveURL(/\/s\/ses_/)
  await expect(chat.message(/demo model/i)).toBeVisible()
  await expect(chat.stop).toBeHidden()
})

test('UI-2 the page shows how to add a real model', async ({ page, keyless, complaints }) => {
  listen(page, complaints)
  const chat = new ChatPage(page, keyless.url)
  await chat.open()
  await page.getByRole('link', { name: 'Add a real model' }).click()
  await page.getByText('Other ways to add a model').click()
  await expect(page.getByText('palimpsest.config.json')).toBeVisible()
  await page.goBack()
  await expect(chat.input).toBeVisible()
})

test('UI-4 an unknown session has a page of its own', { tag: '@missing' }, async ({
  page,
  product,
  complaints,
}) => {
  listen(page, complaints)
  await page.goto(`${product.url}/s/ses_unknown`)
  await expect(page.getByText('There is nothing on this page')).toBeVisible()
})
