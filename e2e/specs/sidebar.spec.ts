import { reply } from '@palimpsest/testing'
import { expect, test } from '../fixtures/test.ts'

test('UI-1 a chat is archived, restored by Undo, and deleted only after a confirmation', async ({
  chat,
  product,
  page,
}) => {
  product.provider.script(reply({ text: 'Noted' }))
  await chat.open()
  await chat.send('A chat to put away')
  await expect(chat.message('Noted')).toBeVisible()
  await page.getByRole('button', { name: 'Chat actions' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'Name of the chat' }).fill('Put away')
  await page.keyboard.press('Enter')
  const row = chat.sidebar.getByRole('link', { name: 'Put away' })
  await expect(row).toBeVisible()

  await page.getByRole('button', { name: 'Chat actions' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await expect(row).toBeHidden()
  await expect(page.getByText('This chat is archived.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toBeVisible()
  await expect(chat.input).toBeVisible()

  await page.getByRole('button', { name: 'Chat actions' }).click()
  await page.getByRole('menuitem', { name: /Delete/ }).click()
  const question = page.getByRole('dialog', { name: 'Delete this chat?' })
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(row).toBeHidden()
  await expect(page.getByRole('heading', { name: 'What shall we write?' })).toBeVisible()
})

test('UI-32 a deleted chat comes back by Undo and from the bin, and is gone after a second question', async ({
  chat,
  product,
  page,
}) => {
  product.provider.script(reply({ text: 'Noted' }))
  await chat.open()
  await chat.send('Where the boat is named')
  await expect(chat.message('Noted')).toBeVisible()
  await page.getByRole('button', { name: 'Chat actions' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'Name of the chat' }).fill('Kept for a while')
  await page.keyboard.press('Enter')
  const row = chat.sidebar.getByRole('link', { name: 'Kept for a while' })
  const restore = chat.sidebar.getByRole('button', { name: 'Restore Kept for a while' })
  const remove = async () => {
    await page.getByRole('button', { name: 'Chat actions' }).click()
    await page.getByRole('menuitem', { name: /Delete/ }).click()
    const question = page.getByRole('dialog', { name: 'Delete this chat?' })
    await expect(question).toContainText('move to the bin')
    await question.getByRole('button', { name: 'Delete' }).click()
  }
  await remove()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(chat.message('Noted')).toBeVisible()
  await expect(row).toBeVisible()

  await remove()
  await expect(page.getByRole('heading', { name: 'What shall we write?' })).toBeVisible()
  await page.getByRole('button', { name: 'More lists and help' }).click()
  await page.getByRole('menuitem', { name: 'Show deleted chats' }).click()
  await expect(chat.sidebar.getByText(/^Deleted .* · 30 days left$/).first()).toBeVisible()
  await restore.click()
  await expect(restore).toBeHidden()
  await page.getByRole('button', { name: 'Back to active chats' }).click()
  await row.click()
  await expect(chat.message('Noted')).toBeVisible()

  await remove()
  await page.getByRole('button', { name: 'More lists and help' }).click()
  await page.getByRole('menuitem', { name: 'Show deleted chats' }).click()
  await chat.sidebar.getByRole('button', { name: 'Delete Kept for a while forever…' }).click()
  const last = page.getByRole('dialog', { name: 'Delete this chat forever?' })
  await expect(last.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await last.getByRole('button', { name: 'Delete forever' }).click()
  await expect(restore).toBeHidden()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('UI-24 the sidebar is a drawer that closes on a choice', async ({ chat, product, page }) => {
    product.provider.script(reply({ text: 'Pocket-sized' }))
    await chat.open()
    await chat.input.fill('From a phone')
    await page.getByRole('button', { name: 'Send' }).tap()
    await expect(chat.message('Pocket-sized')).toBeVisible()
    await page.getByRole('button', { name: 'Open sidebar' }).tap()
    await expect(chat.sidebar).toBeVisible()
    await chat.sidebar.getByRole('link', { name: 'New chat' }).tap()
    await expect(page.getByRole('heading', { name: 'What shall we write?' })).toBeVisible()
    await expect(chat.sidebar).toBeHidden()
  })

  test('UI-24 touch targets are at least 44 pixels', async ({ chat, page }) => {
    await chat.open()
    for (const name of ['Open sidebar', 'Attach files', 'Send']) {
      const box = await page.getByRole('button', { name }).boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0), name).toBeGreaterThanOrEqual(44)
    }
  })
})
