import { reply } from '@palimpsest/testing'
import { expect, test } from '../fixtures/test.ts'

test('UI-13 a model is found and chosen by keyboard, and the choice survives a reload', async ({
  chat,
  page,
}) => {
  await chat.open()
  await page.getByRole('button', { name: 'Model: m1' }).click()
  await expect(page.getByRole('combobox', { name: 'Search models' })).toBeFocused()
  await page.keyboard.type('demo')
  await expect(page.getByRole('option', { name: /Demo/ }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Model: Demo' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Model: Demo' })).toBeVisible()
})

test('UI-10 UI-14 a reply and the meter show their tokens and cost on demand', async ({
  chat,
  product,
  page,
}) => {
  product.provider.script(reply({ text: 'Counted', usage: { prompt_tokens: 4_000, completion_tokens: 96 } }))
  await chat.open()
  await chat.send('Count this')
  await expect(chat.message('Counted')).toBeVisible()
  const meter = page.getByRole('meter', { name: 'Context window' })
  await expect(meter).toHaveAttribute('aria-valuenow', '4096')
  await page.getByRole('button', { name: /^Context window/ }).click()
  const breakdown = page.getByRole('dialog', { name: 'Context window' })
  await expect(breakdown).toContainText('4,096')
  await expect(breakdown).toContainText('128,000')
  await breakdown.getByText('All numbers').click()
  await expect(breakdown.getByRole('table', { name: 'Tokens by kind of content' })).toContainText('Replies≈')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Details' }).click()
  const details = page.getByRole('dialog', { name: 'Details' })
  await expect(details).toContainText('4,000')
  await expect(details).toContainText('$0.002')
})

test('UI-12 an attached file is shown, survives a reload and reaches the model', async ({
  chat,
  product,
  page,
}) => {
  product.provider.script(reply({ text: 'A picture, I see' }))
  await chat.open()
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: pixel })
  await expect(page.getByRole('list', { name: 'Attachments' })).toContainText('70 B')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Remove dot.png' })).toBeVisible()
  await page.getByRole('button', { name: 'Use sees' }).click()
  await chat.send('What is this?')
  await expect(chat.message('A picture, I see')).toBeVisible()
  const asked = product.provider.requests.filter(({ body }) => JSON.stringify(body).includes('What is this?'))
  expect(JSON.stringify(asked.find(({ body }) => body['stream'] === true)?.body)).toContain(
    'data:image/png;base64,',
  )
})
