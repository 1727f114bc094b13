import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { createClient } from '@palimpsest/client'
import { chromium, type Page } from '@playwright/test'
import { ensureChromium } from '../scripts/chromium/ensure.ts'
import { converse } from './fixtures/converse.ts'
import { startServer } from './fixtures/server.ts'

// Takes the pictures of the pages in docs: the built product with the demo model. Build before.
const repository = resolve(import.meta.dirname, '..')
const images = join(repository, 'docs/images')
const mcpProgram = join(repository, 'apps/server/src/testing/mcp/stdio-server.ts')

const REVIEWER = `---
description: Reviews a change and names what is wrong.
mode: subagent
tools: [read, glob, grep, bash]
rules:
  - { permission: command, pattern: "npm test", action: allow }
---
You review changes. Read the difference first.
`

await using server = await startServer({
  keyless: true,
  seed: writeHooks,
  config: {
    mcpServers: {
      notes: { command: process.execPath, args: [mcpProgram] },
      wiki: { url: 'http://127.0.0.1:9/mcp' },
    },
    hooks: [
      {
        event: 'tool.before',
        name: 'no releases',
        command: ['node', 'hooks/no-releases.mjs'],
        tools: ['bash'],
        required: true,
        timeout: 2_000,
      },
      { event: 'message.user', name: 'ticket', module: './hooks/ticket.mjs' },
      { event: 'turn.end', name: 'report', module: './hooks/report.mjs' },
    ],
  },
})
const agents = join(server.workspace, '.agents/agents')
await mkdir(agents, { recursive: true })
await writeFile(join(agents, 'reviewer.md'), REVIEWER)
await writeFile(join(server.workspace, 'README.md'), '# A workspace\n\nThere is not much in it yet.\n')

await using client = createClient({ url: server.url })
await using browser = await chromium.launch({
  executablePath: await ensureChromium(import.meta.dirname, (line) => process.stderr.write(`${line}\n`)),
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--font-render-hinting=none'],
})
const page = await browser.newPage({
  colorScheme: 'light',
  viewport: { width: 1000, height: 640 },
  reducedMotion: 'reduce',
})
page.setDefaultTimeout(20_000)
await mkdir(images, { recursive: true })

const toolsChat = await converse(client, { title: 'A look around', texts: ['Use your tools'] })
await open(`/s/${toolsChat}`)
await page
  .getByRole('log')
  .getByRole('button', { name: /README/ })
  .first()
  .click()
await take('tools')
await open(`/s/${toolsChat}/inspect`)
await page.getByText('Tools in the prompt').waitFor()
await take('inspect')

const spent = await converse(client, { title: 'A small budget', texts: ['Hello'] })
await client.budget.set.mutate({ sessionId: spent, limits: { session: { max_tool_calls: 5 } } })
await open(`/s/${spent}`)
await say('Spend your budget')
await page.getByRole('button', { name: 'Raise and continue' }).waitFor()
await take('budget')

await open('/')
await say('Edit a file')
await page.getByRole('region', { name: /^Allow writing this file/ }).waitFor()
await page.getByRole('button', { name: 'Allow once' }).waitFor()
await take('permissions')

await open('/settings/hooks')
await page.getByRole('article', { name: 'report' }).waitFor()
await take('hooks')
await open('/settings/mcp')
for (const name of ['notes', 'wiki']) await page.getByRole('button', { name: `Connect to ${name}` }).click()
await page.getByText('Connected', { exact: true }).waitFor()
await page.getByText('Not connected').waitFor()
await take('mcp')
await open('/settings/agents')
await page.getByRole('button', { name: /reviewer/ }).click()
await page.getByText('You review changes.').waitFor()
await take('agent')

/** Hooks beside the configuration: one without an objection, and one that fails. */
async function writeHooks(databaseUrl: string): Promise<void> {
  const hooks = join(dirname(new URL(databaseUrl).pathname), 'hooks')
  await mkdir(hooks)
  await writeFile(join(hooks, 'ticket.mjs'), 'export default () => ({})')
  await writeFile(join(hooks, 'report.mjs'), 'export default () => { throw new Error("No network") }')
}

async function open(path: string): Promise<void> {
  await page.goto(server.url + path)
  await page.locator('nav [aria-busy=true]').waitFor({ state: 'detached' })
  await page.evaluate(() => document.fonts.ready)
}

async function say(text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(text)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

/** A picture of the page as it is. */
async function take(name: string): Promise<void> {
  await settled(page)
  await page.screenshot({ path: join(images, `${name}.png`) })
}

/** Waits until nothing more is drawn: two frames after the last request. */
async function settled(shown: Page): Promise<void> {
  await shown.waitForLoadState('networkidle')
  await shown.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))),
  )
}
