import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { KEYED, POINTED } from '../fixtures/screens.ts'
import { type ServerUnderTest, startServer } from '../fixtures/server.ts'
import { test as base, closing, expect, listen } from '../fixtures/test.ts'
import { ChatPage } from '../pages/chat-page.ts'

const card = (page: Page, agent = 'general') => page.getByRole('group', { name: `Subagent ${agent}` })
const approval = (page: Page) => page.getByRole('region', { name: /^Allow writing this file/ })
const stopOf = (page: Page) => card(page).getByRole('button', { name: 'Stop the subagent general' })
/** Its name ends with what the subagent does. */
const fold = (page: Page, agent = 'general') =>
  card(page, agent).getByRole('button', { name: new RegExp(`^${agent} `) })

/** A chat with the demo model, on a server with a workspace of its own. */
const test = base.extend<{ server: ServerUnderTest; own: ChatPage }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern.
  server: async ({}, use) => {
    await using server = await startServer({ keyless: true })
    await use(server)
  },
  own: async ({ page, server, complaints }, use) => {
    await using _page = closing(page)
    listen(page, complaints)
    const chat = new ChatPage(page, server.url)
    await chat.open()
    await use(chat)
  },
})

/** The demo model has a subagent edit a file, which waits for a person. */
async function letSubagentAsk(chat: ChatPage): Promise<void> {
  await chat.input.fill('Have a subagent edit a file')
  await chat.page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(card(chat.page)).toContainText('Waiting for you')
  await expect(approval(chat.page).getByRole('button', { name: 'Allow once' })).toBeEnabled()
}

async function fitsAcross(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
}

for (const [how, screen] of Object.entries(POINTED)) {
  test.describe(how, () => {
    test.use(screen)

    test('SA-5 a subagent reads files and answers; its call shows how it ended, unfolds and opens its chat', async ({
      page,
      server,
      own: chat,
    }) => {
      await writeFile(join(server.workspace, 'README.md'), 'One\nTwo\n')
      await writeFile(join(server.workspace, 'notes.txt'), 'Three\n')
      await chat.input.fill('Ask a subagent to look around.')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(chat.message('The subagent is done.')).toBeVisible()
      await expect(chat.thread.locator('blockquote')).toContainText('There are 2 files in this folder.')
      await expect(card(page, 'explore')).toContainText(/Done · /)
      await expect(card(page, 'explore').getByRole('button', { name: /^Stop/ })).toHaveCount(0)
      await fold(page, 'explore').click()
      await expect(
        card(page, 'explore').getByRole('button', { name: /^ReadREADME\.md|^Read README\.md/ }),
      ).toBeVisible()
      await expect(card(page, 'explore')).toContainText('notes.txt')
      const sizeOf = (text: Locator) =>
        text.evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize))
      const own = await sizeOf(card(page, 'explore').locator('.prose'))
      expect(own).toBeLessThan(await sizeOf(chat.thread.locator('.prose').last()))
      await fitsAcross(page)
      await auditBothSchemes(page)
      await page.reload()
      await expect(card(page, 'explore')).toContainText(/Done · /)
      await card(page, 'explore').getByRole('link', { name: 'Open the subagent explore' }).click()
      await expect(page.getByText('This is the work of the subagent explore.')).toBeVisible()
      await expect(chat.message(/^Look around in this folder/)).toBeVisible()
      await expect(page.getByRole('button', { name: /^Permissions: / })).toHaveCount(0)
      await page.getByRole('button', { name: 'Chat actions' }).click()
      await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
      await expect(page.getByRole('menuitem', { name: /^(Archive|Delete)/ })).toHaveCount(0)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('menuitem')).toHaveCount(0)
      await fitsAcross(page)
      await auditBothSchemes(page)
      await page.getByRole('link', { name: 'Back to that chat' }).click()
      await expect(chat.message('The subagent is done.')).toBeVisible()
    })

    test('SA-5 SA-1 what a subagent asks is answered in the chat that started it, also after a reload', async ({
      page,
      own: chat,
    }) => {
      await letSubagentAsk(chat)
      await fold(page).click()
      await expect(card(page)).toContainText('I will write a small file')
      await fitsAcross(page)
      await auditBothSchemes(page)
      await page.reload()
      await expect(card(page)).toContainText('Waiting for you')
      await expect(approval(page)).toContainText('subagent general')
      await approval(page).getByRole('button', { name: 'Allow once' }).click()
      const second = page.getByRole('region', { name: /^Allow changing this file/ })
      await second.getByRole('button', { name: 'Allow once' }).click()
      await expect(chat.message('The subagent is done.')).toBeVisible()
      await expect(card(page)).toContainText(/Done · /)
      await expect(chat.stop).toBeHidden()
    })
  })
}

for (const [how, screen] of Object.entries(KEYED)) {
  test.describe(how, () => {
    test.use(screen)

    test('SA-5 UI-3 a card is unfolded, stopped and left by keys, and the reply goes on without its subagent', async ({
      page,
      own: chat,
    }) => {
      await letSubagentAsk(chat)
      await fold(page).focus()
      await page.keyboard.press('Enter')
      await expect(fold(page)).toHaveAttribute('aria-expanded', 'true')
      await expect(card(page)).toContainText('I will write a small file')
      await stopOf(page).focus()
      await page.keyboard.press('Enter')
      await expect(card(page)).toContainText('Stopped')
      await expect(fold(page)).toBeFocused()
      await expect(approval(page)).toBeHidden()
      await expect(chat.message('The subagent has no result')).toBeVisible()
      await expect(chat.stop).toBeHidden()
    })
  })
}

test('SA-5 UI-26 a subagent that writes is watched in two tabs, and a reload in between loses nothing', async ({
  page,
  context,
  complaints,
  own: chat,
}) => {
  await chat.send('Have a subagent answer slowly')
  await expect(fold(page)).toBeVisible()
  await fold(page).click()
  await page.reload()
  const tab = await context.newPage()
  await using _tab = closing(tab)
  listen(tab, complaints)
  await tab.goto(page.url())
  for (const one of [page, tab]) await expect(card(one)).toContainText(/Done · /)
  await expect(chat.message('The subagent is done.')).toBeVisible()
})

test('SA-4 Stop of the reply ends its subagent, and its call says so', async ({ page, own: chat }) => {
  await letSubagentAsk(chat)
  await chat.stop.click()
  await expect(card(page)).toContainText('Stopped')
  await expect(approval(page)).toBeHidden()
  await expect(chat.stop).toBeHidden()
  await card(page).getByRole('link', { name: 'Open the subagent general' }).click()
  await expect(page.getByText('This is the work of the subagent general.')).toBeVisible()
  await expect(chat.thread.getByText('Stopped.')).toBeVisible()
})
