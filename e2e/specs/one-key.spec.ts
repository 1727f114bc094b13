import type { Page } from '@playwright/test'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { expectInside } from '../fixtures/screens.ts'
import { expect, test } from '../fixtures/test.ts'

const contextOptions = { reducedMotion: 'reduce' } as const
test.use({ contextOptions })

const card = (page: Page) => page.getByRole('region', { name: /^Allow / })

/** Has the page believe that a step of a session waits for an approval of each of these commands; returns the replies. */
async function pretendCommands(page: Page, sessionId: string, commands: readonly string[]) {
  const replies: { permissionId: string; reply: string }[] = []
  const items = commands.map((command, at) => ({
    id: `per_${at}`,
    sessionId,
    rootSessionId: sessionId,
    runId: 'run_pretended',
    messageId: 'msg_pretended',
    toolCallId: `call_${at}`,
    tool: 'bash',
    args: { command },
    reason: 'No rule allows this: command git.',
    patterns: ['git *'],
    createdAt: at,
  }))
  await page.route(/permission\.pending/, (route) => route.fulfill({ json: { result: { data: { items } } } }))
  await page.route(/permission\.reply/, async (route) => {
    replies.push(route.request().postDataJSON())
    await route.fulfill({ json: { result: { data: null } } })
  })
  return replies
}

const COMMANDS = ['git add a.md', 'git add b.md', 'git add c.md']

test('UI-42 one digit decides the ask in front while the field is empty, then the next one is in front', async ({
  demo: chat,
  page,
  tell,
}) => {
  const sessionId = await tell({ title: 'One key', texts: ['Hello'] })
  const replies = await pretendCommands(page, sessionId, COMMANDS)
  await chat.open(`/s/${sessionId}`)
  await expect(card(page).getByText('git add a.md')).toBeVisible()
  await chat.input.focus()
  await expect(card(page).getByRole('button', { name: 'Allow once' })).toBeEnabled()
  await page.keyboard.press('2')
  await expect(card(page).getByText('git add b.md')).toBeVisible()
  await expect(chat.input).toHaveValue('')
  await expect(card(page).getByRole('button', { name: 'Deny' })).toBeEnabled()
  await page.keyboard.press('1')
  await expect(card(page).getByText('git add c.md')).toBeVisible()

  await page.keyboard.type('Take 2')
  await expect(chat.input).toHaveValue('Take 2')
  await auditBothSchemes(page)
  await expect(card(page).getByRole('button', { name: 'Allow once' })).toBeEnabled()
  await page.keyboard.press('Control+Shift+Digit2')
  await expect(card(page)).toBeHidden()
  await expect(chat.input).toHaveValue('Take 2')
  expect(replies.map(({ reply }) => reply)).toEqual(['once', 'deny', 'once'])
})

for (const [width, viewport] of Object.entries({
  '1440 px': { width: 1440, height: 900 },
  '390 px': { width: 390, height: 844 },
}))
  test(`UI-42 PE-8 three commands of a step are allowed at once after all were shown, at ${width}`, async ({
    demo: chat,
    page,
    tell,
  }) => {
    await page.setViewportSize(viewport)
    const sessionId = await tell({ title: 'All of them', texts: ['Hello'] })
    const long = Array.from({ length: 60 }, (_, at) => `echo step-${at}`).join('\n')
    const replies = await pretendCommands(page, sessionId, ['git add a.md', long, 'git push'])
    await chat.open(`/s/${sessionId}`)
    const all = card(page).getByRole('button', { name: 'All 3…' })
    await expect(all).toBeEnabled()
    await all.click()
    await expect(card(page).getByRole('heading', { level: 2 })).toHaveText('Allow running these 3 commands?')
    await expectInside(page, page.getByRole('region', { name: /^Allow / }))
    const allow = card(page).getByRole('button', { name: /^Allow all 3 once/ })
    await expect(allow).toBeDisabled()
    await auditBothSchemes(page)
    await card(page).getByRole('button', { name: 'More below' }).click()
    await expect(card(page).getByText('git push')).toBeInViewport()
    await expect(allow).toBeEnabled()
    await allow.click()
    await expect(card(page)).toBeHidden()
    await expect.poll(() => replies.map(({ reply }) => reply)).toEqual(['once', 'once', 'once'])
  })
