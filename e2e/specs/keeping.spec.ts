import { reply } from '@palimpsest/testing'
import { expect, listen, test } from '../fixtures/test.ts'
import { ChatPage } from '../pages/chat-page.ts'

test('UI-1 a rename shows in every tab', async ({ chat, product, context, complaints, page }) => {
  product.provider.script(reply({ text: 'Hello' }))
  await chat.open()
  await chat.send('A chat to rename')
  await expect(chat.message('Hello')).toBeVisible()
  const tab = await context.newPage()
  listen(tab, complaints)
  await new ChatPage(tab, product.url).open(new URL(page.url()).pathname)
  await page.getByRole('heading', { level: 1 }).getByRole('button').click()
  const field = page.getByRole('textbox', { name: 'Name of the chat' })
  await field.fill('Renamed everywhere')
  await field.press('Enter')
  await expect(tab.getByText('Renamed everywhere').first()).toBeVisible()
})

test('UI-12 a draft is kept for each session across a reload', async ({ chat, product, page }) => {
  product.provider.script(reply({ text: 'Hello' }))
  await chat.open()
  await chat.send('Where drafts stay')
  await expect(chat.message('Hello')).toBeVisible()
  await chat.input.fill('Not sent yet')
  await page.reload()
  await expect(chat.input).toHaveValue('Not sent yet')
})

test('UI-1 search finds what was said', async ({ chat, product, page }) => {
  product.provider.script(reply({ text: 'The heron stood in the shallows' }))
  await chat.open()
  await chat.send('Tell me of a bird')
  await expect(chat.message('The heron stood')).toBeVisible()
  await expect(chat.stop).toBeHidden()
  await chat.open()
  await page.getByRole('searchbox', { name: 'Search chats' }).fill('heron shal')
  await expect(page.getByText('1 chat found').or(page.getByText(/heron/i).first()).first()).toBeVisible()
})

test('UI-5 back and forward switch between chats', async ({ chat, product, page }) => {
  product.provider.script(reply({ text: 'One' }))
  await chat.open()
  await chat.send('Chat one')
  await expect(chat.message('One')).toBeVisible()
  const first = page.url()
  await page
    .getByRole('link', { name: 'New chat' })
    .or(page.getByRole('button', { name: 'New chat' }))
    .first()
    .click()
  await expect(page.getByRole('heading', { name: 'What shall we write?' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(first)
  await expect(chat.message('One')).toBeVisible()
})
