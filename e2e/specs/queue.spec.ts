import { deltas, reply } from '@palimpsest/testing'
import { expect, test } from '../fixtures/test.ts'

test('UI-15 messages queue behind a reply, are edited and removed, survive a reload, and are answered', async ({
  chat,
  product,
  page,
}) => {
  const hold = Promise.withResolvers<void>()
  product.provider.script(
    reply({ text: ['Slow', ' answer'], hold: { before: 1, until: hold.promise } }),
    reply({ text: 'Answer to the edited one' }),
  )
  await chat.open()
  await chat.send('First')
  await expect(chat.message('Slow')).toBeVisible()
  await chat.send('Second, with a typo')
  await chat.send('Third, not needed')
  await expect(page.getByText('2 messages queued')).toBeVisible()

  const chip = (text: string) => page.getByRole('listitem').filter({ hasText: text })
  await chip('Third, not needed')
    .getByRole('button', { name: /Remove/ })
    .click()
  await expect(page.getByText('1 message queued')).toBeVisible()
  await chip('Second, with a typo').getByRole('button', { name: /Edit/ }).click()
  const editor = page.getByRole('textbox', { name: 'Queued message' })
  await editor.fill('Second, corrected')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.reload()
  await expect(chip('Second, corrected')).toBeVisible()

  hold.resolve()
  await expect(chat.message('Answer to the edited one')).toBeVisible()
  await expect(page.getByText(/messages? queued/)).toBeHidden()
  await expect(chat.thread.getByText('Third, not needed')).toHaveCount(0)
})

test('UI-15 a queued message that is promoted stops the reply and is answered first', async ({
  chat,
  product,
  page,
}) => {
  product.provider.script(reply({ text: deltas(2, 'going '), ending: 'stall' }), reply({ text: 'At once' }))
  await chat.open()
  await chat.send('Endless')
  await expect(chat.message(/going going/)).toBeVisible()
  await chat.send('Urgent')
  await page.getByRole('button', { name: /Send now/ }).click()
  await expect(chat.message('At once')).toBeVisible()
  await expect(chat.thread.getByText('Stopped.')).toBeVisible()
})

test('UI-15 queued messages are reordered by keyboard, and answered in their new order', async ({
  chat,
  product,
  page,
}) => {
  const hold = Promise.withResolvers<void>()
  product.provider.script(
    reply({ text: ['Busy', ' no more'], hold: { before: 1, until: hold.promise } }),
    reply({ text: 'To the later one' }),
    reply({ text: 'To the earlier one' }),
  )
  await chat.open()
  await chat.send('First')
  await expect(chat.message('Busy')).toBeVisible()
  await chat.send('Earlier')
  await chat.send('Later')
  await page.getByRole('button', { name: /^Move, position 2 of 2/ }).focus()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('listitem').filter({ hasText: /Earlier|Later/ })).toContainText([
    'Later',
    'Earlier',
  ])
  hold.resolve()
  await expect(chat.message('To the earlier one')).toBeVisible()
  await expect(chat.thread.getByText(/^(First|Earlier|Later)$/)).toHaveText(['First', 'Later', 'Earlier'])
})

test('UI-15 one shortcut interrupts a reply and sends a message', async ({ chat, product, page }) => {
  product.provider.script(
    reply({ text: deltas(2, 'wrong '), ending: 'stall' }),
    reply({ text: 'Right away' }),
  )
  await chat.open()
  await chat.send('Go astray')
  await expect(chat.message(/wrong wrong/)).toBeVisible()
  await chat.input.fill('Not like that')
  await page.keyboard.press('Control+Shift+Enter')
  await expect(chat.message('Right away')).toBeVisible()
})

test('UI-15 QU-5 a message for a reply that was stopped gets a reply of its own', async ({
  chat,
  product,
  page,
}) => {
  const todos = [{ content: 'Look', status: 'completed' }]
  product.provider.script(
    reply({ text: deltas(2, 'going '), ending: 'stall' }),
    reply({ text: 'Next it is', toolCalls: [{ name: 'todo', input: { todos } }] }),
    reply({ text: ' and done' }),
    reply({ text: 'Bonjour' }),
  )
  await chat.open()
  await chat.send('Endless')
  await expect(chat.message(/going going/)).toBeVisible()
  await chat.send('The next question')
  await chat.input.fill('In French')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { name: '2 messages queued' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(chat.message('Bonjour')).toBeVisible()
  await expect(chat.thread.getByText(/^(Endless|The next question|In French)$/)).toHaveText([
    'Endless',
    'The next question',
    'In French',
  ])
  await expect(chat.message(/Next it is/)).not.toContainText('In French')
})
