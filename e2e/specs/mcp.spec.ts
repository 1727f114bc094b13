import { resolve } from 'node:path'
import { reply } from '@palimpsest/core/testing'
import { auditBothSchemes } from '../fixtures/audit.ts'
import { startServer } from '../fixtures/server.ts'
import { closing, expect, listen, test } from '../fixtures/test.ts'
import { ChatPage } from '../pages/chat-page.ts'

const PROGRAM = resolve(import.meta.dirname, '../../apps/server/src/testing/mcp/chart-server.ts')

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('MC-2 the picture of an MCP tool is shown in its call, fits a phone, and opens', async ({
  page,
  complaints,
}) => {
  listen(page, complaints)
  const charts = { command: process.execPath, args: [PROGRAM] }
  await using server = await startServer({ config: { mcpServers: { charts } } })
  await using _page = closing(page)
  const chat = new ChatPage(page, server.url)
  server.provider.script(
    reply({ toolCalls: [{ name: 'charts_draw', input: {} }] }),
    reply({ text: 'Sales grew.' }),
  )
  // A turn waits three seconds for a server; a busy machine may take longer to start one.
  await page.goto(`${server.url}/settings/mcp`)
  await page.getByRole('button', { name: 'Connect to charts' }).click()
  await expect(page.getByText('Connected', { exact: true })).toBeVisible({ timeout: 30_000 })
  await chat.open()
  await chat.send('Draw the sales')
  const asked = page.getByRole('region', { name: 'Allow the call of charts_draw?' })
  await expect(asked).toContainText('This calls the MCP server charts.')
  await expect(asked.getByRole('button', { name: 'Allow once' })).toBeEnabled()
  await asked.getByRole('button', { name: 'Allow once' }).click()
  await expect(chat.message('Sales grew.')).toBeVisible()
  await chat.thread.getByRole('button', { name: /^charts: draw/ }).click()
  const picture = chat.thread.getByRole('img', { name: 'picture-1.png' })
  await expect(picture).toBeVisible()
  const width = await picture.evaluate((image: HTMLImageElement) =>
    image.decode().then(() => image.naturalWidth),
  )
  expect(width).toBe(640)
  await page.setViewportSize({ width: 390, height: 844 })
  expect((await picture.boundingBox())?.width).toBeLessThan(390)
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  await auditBothSchemes(page)
  await picture.click()
  await expect(page.getByRole('dialog', { name: 'picture-1.png' })).toBeVisible()
})
