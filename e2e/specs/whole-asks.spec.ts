import type { Locator, Page } from '@playwright/test'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { expectInside } from '../fixtures/screens.ts'
import { expect, test } from '../fixtures/test.ts'
import type { ChatPage } from '../pages/chat-page.ts'
import { pretendPermission } from '../pages/pretend-permission.ts'

/** Motion is reduced, so that colours can be measured at once. */
const contextOptions = { reducedMotion: 'reduce' } as const

const WIDTHS = {
  'at 1440 px': { viewport: { width: 1440, height: 900 }, contextOptions },
  'at 1024 px': { viewport: { width: 1024, height: 768 }, contextOptions },
  'on a phone': { viewport: { width: 390, height: 844 }, hasTouch: true, contextOptions },
}

const card = (page: Page) => page.getByRole('region', { name: /^Allow / })
const once = (page: Page) => card(page).getByRole('button', { name: 'Allow once' })
const lines = (count: number) => Array.from({ length: count }, (_, at) => `echo step-${at}`).join('\n')

type Here = {
  demo: ChatPage
  page: Page
  tell: (conversation: { title: string; texts: string[] }) => Promise<string>
}
type Shown = Omit<Parameters<typeof pretendPermission>[1], 'sessionId'>

/** Opens a chat of that title that waits for a permission; returns the replies that the page gives. */
async function open({ demo, page, tell }: Here, title: string, shown: Shown): Promise<unknown[]> {
  const sessionId = await tell({ title, texts: ['Hello'] })
  const replies = await pretendPermission(page, { sessionId, ...shown })
  await demo.open(`/s/${sessionId}`)
  return replies
}

const bash = (command: string): Shown => ({ tool: 'bash', args: { command } })

const diff = [
  '@@ -1,200 +1,200 @@',
  ...Array.from({ length: 150 }, (_, at) => `-old line ${at}`),
  ...Array.from({ length: 50 }, (_, at) => `+new line ${at}`),
  '',
].join('\n')
const change = { path: 'src/ink.ts', diff, added: 50, removed: 150 }

/** How many boxes in a card scroll: one at most. */
function scrollers(box: Locator): Promise<number> {
  return box.evaluate(
    (section) =>
      [...section.querySelectorAll('*')].filter(
        (element) =>
          /auto|scroll/.test(getComputedStyle(element).overflowY) &&
          element.scrollHeight > element.clientHeight + 1,
      ).length,
  )
}

/** Whether nothing in a card is wider than its place. */
function fits(box: Locator): Promise<boolean> {
  return box.evaluate((section) =>
    [...section.querySelectorAll('*')].every(
      (element) =>
        element.matches('input, .sr-only, .sr-only *') ||
        element.scrollWidth <= element.clientWidth + 1 ||
        element.clientWidth === 0,
    ),
  )
}

for (const [where, screen] of Object.entries(WIDTHS)) {
  test.describe(where, () => {
    test.use(screen)

    test('PE-8 a command of 80 lines is allowed once the lines between were opened by a press', async ({
      demo,
      page,
      tell,
    }) => {
      const replies = await open({ demo, page, tell }, 'A long command', bash(lines(80)))
      await expect(card(page).getByText('echo step-79')).toBeInViewport({ ratio: 1 })
      await expect(card(page).getByText('echo step-0', { exact: true })).toBeInViewport({ ratio: 1 })
      await expect(card(page).getByRole('button', { name: 'Deny' })).toBeEnabled()
      await expect(once(page)).toBeDisabled()
      await auditBothSchemes(page)
      const before = await once(page).boundingBox()
      await card(page)
        .getByRole('button', { name: /more lines/ })
        .click()
      await expect(once(page)).toBeEnabled()
      expect((await once(page).boundingBox())?.y).toBe(before?.y)
      await expectInside(page, card(page))
      expect(await scrollers(card(page))).toBe(1)
      await card(page).getByText('echo step-79').scrollIntoViewIfNeeded()
      await expect(card(page).getByText('echo step-79')).toBeInViewport({ ratio: 1 })
      await expect(once(page)).toBeInViewport({ ratio: 1 })
      await auditBothSchemes(page)
      await once(page).click()
      await expect(card(page)).toBeHidden()
      expect(replies).toEqual([{ permissionId: 'per_pretended', reply: 'once' }])
    })

    test('PE-8 an act behind 500 blanks is in view, and a change of direction turns nothing', async ({
      demo,
      page,
      tell,
    }) => {
      const command = `ls${' '.repeat(500)}; rm -r notes\necho "\u202Efdp.exe" ${'\n'.repeat(40)}curl evil.example`
      await open({ demo, page, tell }, 'A hidden act', bash(command))
      await expect(card(page).getByText('; rm -r notes')).toBeInViewport({ ratio: 1 })
      await expect(card(page).getByText('500 spaces')).toBeInViewport({ ratio: 1 })
      await expect(card(page).getByText('\\u{202e}')).toBeInViewport({ ratio: 1 })
      await expect(card(page).getByText('39 blank lines')).toBeInViewport({ ratio: 1 })
      await expect(card(page).getByText('curl evil.example')).toBeInViewport({ ratio: 1 })
      await expect(once(page)).toBeEnabled()
      expect(await fits(card(page))).toBe(true)
    })

    test('PE-8 a difference of 200 lines shows lines that it adds, and is allowed once all of it was opened', async ({
      demo,
      page,
      tell,
    }) => {
      const { path } = change
      await open({ demo, page, tell }, 'A long change', { tool: 'edit', args: { path }, change })
      await expect(card(page).getByText('old line 0', { exact: true })).toBeInViewport({ ratio: 1 })
      await expect(card(page).getByText('new line 0', { exact: true })).toBeInViewport({ ratio: 1 })
      await expect(card(page).getByText('new line 49')).toBeInViewport({ ratio: 1 })
      await expect(once(page)).toBeDisabled()
      await card(page)
        .getByRole('button', { name: /more lines/ })
        .first()
        .click()
      await expect(once(page)).toBeEnabled()
      await expect(card(page).getByText('new line 25')).toHaveCount(1)
      expect(await scrollers(card(page))).toBe(1)
      await expectInside(page, card(page))
      expect(await fits(card(page))).toBe(true)
    })
  })
}

test('PE-8 UI-3 by keys alone a folded command is not allowed before it was opened', async ({
  demo,
  page,
  tell,
}) => {
  const replies = await open({ demo, page, tell }, 'A long command', bash(lines(80)))
  await expect(card(page).getByRole('button', { name: 'Deny' })).toBeEnabled()
  await page.keyboard.press('Control+Shift+A')
  for (const key of ['2', '3', '4']) await page.keyboard.press(key)
  await page.keyboard.press('0')
  await expect(once(page)).toBeEnabled()
  expect(replies).toEqual([])
  await page.keyboard.press('3')
  await expect(card(page)).toBeHidden()
  expect(replies).toEqual([{ permissionId: 'per_pretended', reply: 'session', pattern: 'find *' }])
})

test('PE-8 in a low window what is further down has to be seen before it is allowed', async ({
  demo,
  page,
  tell,
}) => {
  await page.setViewportSize({ width: 1024, height: 420 })
  await open({ demo, page, tell }, 'A low window', bash(lines(18)))
  await expect(card(page).getByRole('button', { name: 'Deny' })).toBeEnabled()
  await expect(once(page)).toBeDisabled()
  await card(page)
    .getByRole('button', { name: /More below/ })
    .click()
  await expect(once(page)).toBeEnabled()
  await expect(card(page).getByText('echo step-17')).toBeInViewport({ ratio: 1 })
})
