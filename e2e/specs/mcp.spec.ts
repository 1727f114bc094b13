import { resolve } from 'node:path'
import { reply } from '@palimpsest/testing'
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

test('MC-2 UI-23 an entry of a directory is pasted, tested, added and removed without a restart', async ({
  page,
  complaints,
}) => {
  listen(page, complaints)
  await using server = await startServer()
  await using _page = closing(page)
  await page.goto(`${server.url}/settings/mcp`)
  await page.getByRole('button', { name: 'Add an MCP server' }).click()
  const form = page.getByRole('form', { name: 'Add an MCP server' })
  const charts = { command: process.execPath, args: [PROGRAM], env: { CHART_KEY: 'canary-key-55d0' } }
  await form.getByLabel('Paste an entry').fill(JSON.stringify({ mcpServers: { charts } }))
  await expect(form.getByLabel('Command')).toHaveValue(process.execPath)
  await form.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(form.getByRole('status')).toContainText('It works: 1 tool.', { timeout: 30_000 })
  await auditBothSchemes(page)
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  const card = page.getByRole('article', { name: 'charts' })
  await expect(card).toContainText('Connected', { timeout: 30_000 })
  await page.reload()
  await expect(card).toContainText(process.execPath)
  expect(await page.content()).not.toContain('canary-key-55d0')
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  await card.getByRole('button', { name: 'Remove charts' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(card).toBeHidden()
})
