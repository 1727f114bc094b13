import type { Page } from '@playwright/test'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { expectInside, KEYED, POINTED } from '../fixtures/screens.ts'
import { startServer } from '../fixtures/server.ts'
import { expect, listen, test } from '../fixtures/test.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { pretendPermission } from '../pages/pretend-permission.ts'

const card = (page: Page) => page.getByRole('region', { name: '2 questions for you' })
const subject = 'What should I write about?'
const own = `Your own answer: ${subject}`

/** The demo model asks, and its reply waits. */
async function ask({ chat, page }: { chat: ChatPage; page: Page }): Promise<void> {
  await chat.open()
  await chat.input.fill('Ask me something')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(card(page)).toBeVisible()
  await expect(chat.thread.getByText('Waiting for you')).toBeVisible()
}

for (const [how, screen] of Object.entries(POINTED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-16 a question is answered, also after a reload, and the reply goes on with the answer', async ({
      demo: chat,
      page,
    }) => {
      await ask({ chat, page })
      await expect(page).toHaveTitle(/^Waiting for you: /)
      await expect(chat.thread.getByText('Thinking')).toBeHidden()
      await expect(card(page)).not.toBeFocused()
      await expectInside(page, page.getByRole('region', { name: /questions for you/ }))
      await auditBothSchemes(page)
      await card(page).getByText('Funny').click()
      await card(page).getByText('Something else…').first().click()
      await page.getByRole('textbox', { name: own }).fill('A heron')
      await auditBothSchemes(page)
      await page.reload()
      await expect(page.getByRole('textbox', { name: own })).toHaveValue('A heron')
      await expectInside(page, page.getByRole('region', { name: /questions for you/ }))
      await card(page).getByRole('button', { name: 'Answer' }).click()
      await expect(chat.message('Your answers reached me')).toBeVisible()
      await expect(chat.thread.getByText('Answered: A heron · Funny')).toBeVisible()
      await expect(chat.stop).toBeHidden()
      await expect(card(page)).toBeHidden()
      await expect(page).toHaveTitle(/^(?!Waiting)/)
      await auditBothSchemes(page)
    })

    test('UI-16 an approval shows the whole command, fits, and can be denied with a reason', async ({
      demo: chat,
      page,
      tell,
    }) => {
      const sessionId = await tell({ title: 'A folder to tidy', texts: ['Hello'] })
      const command = `find . -name '*.tmp' -newer notes/${'very-long-name-'.repeat(12)}.md -delete`
      const replies = await pretendPermission(page, {
        sessionId,
        tool: 'bash',
        args: { command, timeout: 5_000 },
      })
      await chat.open(`/s/${sessionId}`)
      const approval = page.getByRole('region', { name: 'Allow running this command?' })
      await expect(approval.getByText(command)).toBeVisible()
      await expectInside(page, page.getByRole('region', { name: /^Allow / }))
      await expect(approval.getByRole('button', { name: 'Allow once' })).toBeEnabled()
      await auditBothSchemes(page)
      await approval.getByRole('textbox', { name: 'Reason, if you deny' }).fill('Keep the notes')
      await approval.getByRole('button', { name: 'Deny' }).click()
      await expect(approval).toBeHidden()
      expect(replies).toEqual([{ permissionId: 'per_pretended', reply: 'deny', reason: 'Keep the notes' }])
    })
  })
}

for (const [how, screen] of Object.entries(KEYED)) {
  test.describe(how, () => {
    test.use(screen)

    test('UI-3 UI-16 a question takes no focus from somebody who types, and is answered by keys alone', async ({
      demo: chat,
      page,
    }) => {
      await chat.open()
      await chat.send('Ask me something')
      await page.keyboard.type('Meanwhile ')
      await expect(card(page)).toBeVisible()
      await page.keyboard.type('I type.')
      await expect(chat.input).toHaveValue('Meanwhile I type.')
      await page.keyboard.press('Control+Shift+A')
      await expect(card(page)).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(card(page)).toBeVisible()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Space')
      await page.keyboard.press('ArrowDown')
      await expect(page.getByRole('radio', { name: /^A clock/ })).toBeChecked()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Space')
      await page.keyboard.press('Escape')
      await expect(chat.input).toBeFocused()
      await expect(page.getByRole('checkbox', { name: 'Short' })).toBeChecked()
      await page.keyboard.press('Control+Shift+A')
      await expect(card(page).getByRole('button', { name: 'Answer' })).toBeEnabled()
      for (let step = 0; step < 6; step++) await page.keyboard.press('Tab')
      await expect(card(page).getByRole('button', { name: 'Answer' })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(chat.thread.getByText('Answered: A clock · Short')).toBeVisible()
      await expect(chat.input).toBeFocused()
    })
  })
}

test('UI-26 a question is in every tab, and goes from all once it is answered in one', async ({
  demo: chat,
  keyless,
  context,
  complaints,
  page,
}) => {
  await ask({ chat, page })
  const tab = await context.newPage()
  listen(tab, complaints)
  const other = new ChatPage(tab, keyless.url)
  await other.open()
  await expect(other.sidebar.getByText('Waiting for you').first()).toBeAttached()
  await other.open(new URL(page.url()).pathname)
  await card(tab).getByText('Bread').click()
  await card(tab).getByText('Short').click()
  await card(tab).getByRole('button', { name: 'Answer' }).click()
  await expect(card(page)).toBeHidden()
  await expect(chat.thread.getByText('Answered: Bread · Short')).toBeVisible()
  await expect(other.thread.getByText('Answered: Bread · Short')).toBeVisible()
})

test('UI-15 while a question waits, a message is queued; Stop ends the run, and the message is answered', async ({
  demo: chat,
  page,
}) => {
  await ask({ chat, page })
  await chat.send('Never mind, show me a table')
  await expect(page.getByText('1 message queued')).toBeVisible()
  await chat.stop.click()
  await expect(card(page)).toBeHidden()
  await expect(chat.message('Clay tablet')).toBeVisible()
  await expect(chat.thread.getByText('Stopped.')).toBeVisible()
})

test('RV-1 a question survives the server, and its answer continues the reply', { tag: '@outage' }, async ({
  page,
  complaints,
}) => {
  await using server = await startServer({ keyless: true })
  listen(page, complaints)
  const chat = new ChatPage(page, server.url)
  await ask({ chat, page })
  await card(page).getByText('The sea').click()
  await server.kill()
  await server.restart()
  await expect(page.getByText(/Reconnecting|can’t be reached/)).toBeHidden({ timeout: 20_000 })
  await expect(card(page)).toBeVisible()
  await expect(page.getByRole('radio', { name: /^The sea/ })).toBeChecked()
  await card(page).getByText('Short').click()
  await card(page).getByRole('button', { name: 'Answer' }).click()
  await expect(chat.message('Your answers reached me')).toBeVisible()
  await expect(chat.thread.getByText('Answered: The sea · Short')).toBeVisible()
  await page.close()
})
