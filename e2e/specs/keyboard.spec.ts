import { deltas, reply } from '@palimpsest/testing'
import { expect, test } from '../fixtures/test.ts'

test('UI-3 UI-23 a whole conversation works without a pointer', async ({ chat, product, page }) => {
  product.provider.script(
    reply({ text: 'Heard you' }),
    reply({ text: deltas(3, 'on and on '), ending: 'stall' }),
  )
  await chat.open()
  await expect(chat.input).toBeFocused()
  await page.keyboard.type('By keyboard alone')
  await page.keyboard.press('Enter')
  await expect(chat.message('Heard you')).toBeVisible()
  await expect(chat.input).toBeFocused()

  await page.keyboard.type('Go on')
  await page.keyboard.press('Enter')
  await expect(chat.message(/on and on/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(chat.thread.getByText('Stopped.')).toBeVisible()

  await page.keyboard.press('Control+Shift+O')
  await expect(page.getByRole('heading', { name: 'What shall we write?' })).toBeVisible()
  await expect(chat.input).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Command palette' })).toBeFocused()
  await page.keyboard.type('By keyboard alone')
  await expect(page.getByRole('option', { name: /By keyboard alone|A title/ }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(chat.message('Heard you')).toBeVisible()
})

test('UI-23 dialogs take the focus and return it', async ({ chat, page }) => {
  await chat.open()
  await expect(chat.input).toBeFocused()
  await page.keyboard.press('Control+/')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(help).toBeVisible()
  await expect(help.getByText('Command palette')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()
  await expect(chat.input).toBeFocused()

  await page.keyboard.press('Tab')
  await page.keyboard.press('?')
  await expect(help).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()
  await page.keyboard.press('Shift+Escape')
  await expect(chat.input).toBeFocused()
})

test('UI-23 UI-31 the settings take the focus, and Esc leads back from them, but not out of a field', async ({
  chat,
  page,
}) => {
  await chat.open()
  await expect(chat.input).toBeFocused()
  await page.keyboard.press('Control+,')
  await expect(page.getByRole('link', { name: 'General' })).toBeFocused()
  const instructions = page.getByLabel('Your instructions')
  await instructions.fill('Half a sentence')
  await page.keyboard.press('Escape')
  await expect(instructions).toHaveValue('Half a sentence')
  await page.getByRole('link', { name: 'Models' }).focus()
  await page.keyboard.press('Escape')
  await expect(chat.input).toBeFocused()
})

test('UI-23 a link that only the keyboard finds leads past the sidebar', async ({ chat, page }) => {
  await chat.open()
  const link = page.getByRole('link', { name: 'Skip to the conversation' })
  await link.focus()
  await expect(link).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('UI-15 Escape stops a reply even while a tooltip is open', async ({ chat, product, page }) => {
  product.provider.script(reply({ text: deltas(2, 'endless '), ending: 'stall' }))
  await chat.open()
  await chat.send('Never end')
  await expect(chat.message(/endless/)).toBeVisible()
  await chat.stop.hover()
  await expect(page.getByText(/^Stop\s*Esc$/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(chat.thread.getByText('Stopped.')).toBeVisible()
})
