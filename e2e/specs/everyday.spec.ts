import { reply } from '@palimpsest/testing'
import { expect, test } from '../fixtures/test.ts'

test('UI-37 the first letters after Ctrl K go to the palette, however slowly its code loads', async ({
  chat,
  page,
}) => {
  await page.route('**/*.js', async (route) => {
    if (isLate) await held.promise
    await route.continue()
  })
  let isLate = false
  const held = Promise.withResolvers<void>()
  await page.goto(chat.url, { waitUntil: 'networkidle' })
  isLate = true
  await expect(chat.input).toBeFocused()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('import')
  held.resolve()
  await expect(page.getByRole('combobox', { name: 'Command palette' })).toHaveValue('import')
  await page.keyboard.press('Escape')
  await expect(chat.input).toHaveValue('')
})

test('UI-33 a file that is dropped beside the composer is attached', async ({ chat, page }) => {
  await chat.open()
  const transfer = await page.evaluateHandle(() => {
    const data = new DataTransfer()
    data.items.add(new File(['oak galls'], 'ink.txt', { type: 'text/plain' }))
    return data
  })
  await page.getByRole('main').dispatchEvent('dragover', { dataTransfer: transfer })
  await expect(page.getByText('Drop files to attach them')).toBeVisible()
  await page.getByRole('main').dispatchEvent('drop', { dataTransfer: transfer })
  await expect(page.getByRole('button', { name: /^Remove ink\.txt/ })).toBeVisible()
  await expect(page.getByText('Drop files to attach them')).toBeHidden()
})

test('UI-6 formulas between single dollars are rendered, and prices stay text', async ({ chat, product }) => {
  product.provider.script(reply({ text: 'From $5 to $10, with $a^2 + b^2$ in it.' }))
  await chat.open()
  await chat.send('Formulas, please')
  await expect(chat.thread.locator('.katex')).toHaveCount(1)
  await expect(chat.message(/From \$5 to \$10, with/)).toBeVisible()
})
