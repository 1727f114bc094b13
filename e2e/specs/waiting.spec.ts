import { createClient } from '@palimpsest/client'
import type { BrowserContext, Page } from '@playwright/test'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { expectInside } from '../fixtures/screens.ts'
import { expect, test } from '../fixtures/test.ts'
import type { ChatPage } from '../pages/chat-page.ts'

const contextOptions = { reducedMotion: 'reduce' } as const
test.use({ contextOptions })

/** Has a new chat of the demo model ask a question, from elsewhere; returns its id. */
async function askElsewhere(chat: ChatPage, title: string): Promise<string> {
  await using client = createClient({ url: chat.url })
  const { id: sessionId } = await client.session.create.mutate({ title })
  const message = { parts: [{ type: 'text' as const, text: 'Ask me something' }] }
  await client.session.send.mutate({ sessionId, message })
  return sessionId
}

const list = (page: Page) => page.getByRole('dialog', { name: 'Waiting for you' })

for (const [width, viewport] of Object.entries({
  '1440 px': { width: 1440, height: 900 },
  '390 px': { width: 390, height: 844 },
}))
  test(`UI-42 UI-41 what another chat asks is told in the title and answered without leaving the chat, at ${width}`, async ({
    demo: chat,
    page,
    tell,
  }) => {
    await page.setViewportSize(viewport)
    const here = await tell({ title: 'Where I am', texts: ['Hello'] })
    await chat.open(`/s/${here}`)
    const title = `A crossroads at ${width}`
    const other = await askElsewhere(chat, title)
    await expect(page).toHaveTitle(/^\(\d+\) Where I am/)
    await expect(page.locator('link[rel~=icon][type="image/svg+xml"]')).toHaveAttribute('href', /^data:/)
    const opener = page.getByRole('button', { name: 'Open sidebar' })
    if (await opener.isVisible()) await opener.click()
    await auditBothSchemes(page)
    await page.getByRole('button', { name: /^Waiting for you: / }).click()
    await list(page)
      .getByRole('button', { name: new RegExp(`^${title}`) })
      .click()
    const card = list(page).getByRole('region', { name: '2 questions for you' })
    await expect(card).toBeVisible()
    await auditBothSchemes(page)
    await card.getByText('Funny').click()
    await card.getByText('The sea').click()
    await expect(card.getByRole('button', { name: 'Answer' })).toBeEnabled()
    await card.getByRole('button', { name: 'Answer' }).click()
    await expect(list(page).getByRole('button', { name: new RegExp(`^${title}`) })).toBeHidden()
    await expect(page).toHaveURL(new RegExp(`/s/${here}$`))
    await expect.poll(() => stateOf(chat, other)).toBe('idle')
  })

async function stateOf(chat: ChatPage, sessionId: string): Promise<string> {
  await using client = createClient({ url: chat.url })
  return (await client.session.status.query({ sessionId })).state
}

/** Notifications that the page shows, in place of those of the system. */
async function catchNotifications(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const shown: string[] = []
    class Caught {
      static permission: NotificationPermission = 'default'
      static requestPermission() {
        Caught.permission = 'granted'
        return Promise.resolve(Caught.permission)
      }
      onclick: (() => void) | null = null
      constructor(title: string, options?: NotificationOptions) {
        shown.push(`${title}: ${options?.body}`)
      }
      close() {}
    }
    Object.assign(window, { Notification: Caught, shown })
  })
}

test('UI-41 notifications are offered beside a request, and after consent another chat is told of', async ({
  demo: chat,
  page,
  context,
}) => {
  await catchNotifications(context)
  await chat.open()
  await expect(page.getByRole('button', { name: 'Turn on notifications' })).toBeHidden()
  await chat.send('Ask me something')
  const offer = page.getByRole('button', { name: 'Turn on notifications' })
  await expect(offer).toBeVisible()
  await expect(page.getByRole('region', { name: '2 questions for you' })).toBeVisible()
  await expectInside(page, chat.input)
  await auditBothSchemes(page)
  await offer.click()
  await expect(offer).toBeHidden()
  await askElsewhere(chat, 'A second crossroads')
  await expect
    .poll(() => page.evaluate(() => Reflect.get(window, 'shown')))
    .toContain('A second crossroads: Waits for your answer.')
  await page.goto(new URL('/settings/general', chat.url).href)
  await expect(page.getByRole('group', { name: 'Notifications' })).toBeVisible()
})
