import type { Page } from '@playwright/test'

type Shown = { sessionId: string; tool: string; args: object }

/**
 * Has the page believe that a call of a session waits for an approval, as no built-in tool needs one. Returns the replies
 * that the page has given.
 */
export async function pretendPermission(page: Page, { sessionId, tool, args }: Shown): Promise<unknown[]> {
  const replies: unknown[] = []
  const item = {
    id: 'per_pretended',
    sessionId,
    rootSessionId: sessionId,
    runId: 'run_pretended',
    messageId: 'msg_pretended',
    toolCallId: 'call_pretended',
    tool,
    args,
    reason: 'No rule allows this: command find.',
    patterns: ['find *'],
    createdAt: 0,
  }
  await page.route(/permission\.pending/, (route) =>
    route.fulfill({ json: { result: { data: { items: [item] } } } }),
  )
  await page.route(/permission\.reply/, async (route) => {
    replies.push(route.request().postDataJSON())
    await route.fulfill({ json: { result: { data: null } } })
  })
  return replies
}
