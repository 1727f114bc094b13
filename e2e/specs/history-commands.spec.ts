import { reply } from '@palimpsest/testing'
import { expect, test } from '../fixtures/test.ts'
import { HistoryPage } from '../pages/history-page.ts'

test('UI-12 slash commands are listed, filtered and run, and unknown ones go to the model', async ({
  demo,
  page,
  tell,
}) => {
  const history = new HistoryPage(page)
  const origin = await tell({ title: 'A chat of commands', texts: ['Show me a table.'] })
  await demo.open(`/s/${origin}`)
  const run = async (command: string) => {
    await demo.input.focus()
    await page.keyboard.type(command)
    await page.keyboard.press('Enter')
  }
  const menu = page.getByRole('listbox', { name: 'Commands' })
  await demo.input.focus()
  await page.keyboard.type('/')
  for (const name of ['compact', 'branch', 'rewind', 'model', 'archive', 'prune', 'timeline', 'side']) {
    await expect(menu).toContainText(`/${name}`)
  }
  await page.keyboard.type('arch')
  await expect(menu.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await expect(menu).toBeHidden()

  await run('/prune')
  await expect(page.getByText('There are no large old tool results to drop.')).toBeVisible()
  await run('/compare')
  await expect(page.getByText('There is no branch to compare with yet.')).toBeVisible()
  await run('/help')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Timeline')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await run('/tree')
  await expect(history.tree).toContainText('No branches yet.')
  await page.keyboard.press('Escape')
  await expect(history.tree).toBeHidden()
  await run('/model')
  await expect(page.getByRole('option', { name: /small window/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await run('/branch')
  await expect(page).not.toHaveURL(new RegExp(origin))
  await run('/nonsense is said')
  await expect(demo.thread.getByText('/nonsense is said', { exact: true })).toBeVisible()
  await expect(demo.thread.getByText(/“\/nonsense is said”/)).toBeVisible()
  await expect(demo.stop).toBeHidden()
  await run('/archive')
  await expect(page.getByText('This chat is archived.')).toBeVisible()
})

test('UI-15 a steering message enters a reply at its next step and is shown in it, after a reload too', async ({
  chat,
  product,
  page,
}) => {
  const hold = Promise.withResolvers<void>()
  product.provider.script(
    reply({
      text: ['Looking', ' around'],
      hold: { before: 1, until: hold.promise },
      toolCalls: [{ name: 'todo', input: { todos: [{ content: 'Look', status: 'completed' }] } }],
    }),
    reply({ text: 'Shorter, then' }),
  )
  await chat.open()
  await chat.send('Look around')
  await expect(chat.message('Looking')).toBeVisible()
  await chat.input.fill('Keep it short')
  await page.keyboard.press('Control+Enter')
  const waiting = page.getByRole('heading', { name: '1 message for the running reply' })
  await expect(waiting).toBeVisible()
  await page.reload()
  await expect(waiting).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Keep it short' })).toBeVisible()
  hold.resolve()
  await expect(chat.message('Shorter, then')).toBeVisible()
  await expect(waiting).toBeHidden()
  await expect(chat.thread.getByText('Keep it short')).toHaveCount(1)
  const asked = product.provider.requests.filter(({ body }) => JSON.stringify(body).includes('Keep it short'))
  expect(asked).toHaveLength(1)
  await page.reload()
  await expect(chat.thread.getByText('Keep it short')).toHaveCount(1)
})

test('UI-1 UI-5 a search result opens the message that it found', async ({ chat, product, page }) => {
  product.provider.script(
    reply({ text: `The bittern booms at dusk. ${'Reeds upon reeds. '.repeat(300)}` }),
    reply({ text: `Nothing else. ${'Water upon water. '.repeat(300)}` }),
  )
  await chat.open()
  await chat.send('Tell me of a shy bird')
  await expect(chat.message('The bittern booms')).toBeVisible()
  await expect(chat.stop).toBeHidden()
  await chat.send('And what else?')
  await expect(chat.message('Nothing else.')).toBeVisible()
  await expect(chat.stop).toBeHidden()
  const session = page.url()
  await chat.open()
  await page.getByRole('searchbox', { name: 'Search chats' }).fill('bittern boom')
  await chat.sidebar.getByText(/bittern booms/i).click()
  await expect(page).toHaveURL(new RegExp(`${session}.*msg_`))
  await expect(chat.message('The bittern booms')).toBeInViewport()

  await chat.open()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Command palette' })).toBeFocused()
  await page.keyboard.type('bittern boom')
  await expect(page.getByRole('option', { name: /A title|shy bird/ }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(chat.message('The bittern booms')).toBeInViewport()
})

test('UI-3 the palette renames the chat, chooses its model, and runs its history operations', async ({
  demo,
  page,
  tell,
}) => {
  const history = new HistoryPage(page)
  await demo.open(`/s/${await tell({ title: 'Called so far', texts: ['Show me a table.'] })}`)
  const run = async (words: string) => {
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: 'Command palette' })).toBeFocused()
    await page.keyboard.type(words)
    await page.keyboard.press('Enter')
  }
  await run('rename this')
  const field = page.getByRole('textbox', { name: 'Name of the chat' })
  await expect(field).toBeFocused()
  await field.fill('Called anew')
  await page.keyboard.press('Enter')
  await expect(demo.sidebar.getByRole('link', { name: 'Called anew' })).toBeVisible()
  await run('choose the model')
  await expect(page.getByRole('combobox', { name: 'Search models' })).toBeFocused()
  await page.keyboard.type('small')
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Model:.*small window/ })).toBeVisible()
  await run('timeline of this')
  await expect(history.timeline).toContainText('You sent a message')
  await page.keyboard.press('Escape')
  await expect(history.timeline).toBeHidden()
  await run('rewind to a message')
  await expect(history.prompts.getByRole('option')).toHaveCount(1)
})
