import type { Page } from '@playwright/test'

type Change = { path: string; diff: string; added: number; removed: number }

type Shown = { sessionId: string; tool: string; args: object; change?: Change }

/**
 * Has the page believe that a call of a session waits for an approval, as no built-in tool needs one. Returns the replies
 * that the page has given.
 */
export async function pretendPermission(
  page: Page,
  { sessionId, tool, args, change }: Shown,
): Promise<unknown[]> {
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
    ...(change && { change }),
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
