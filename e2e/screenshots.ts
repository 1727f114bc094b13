import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Client, createClient, readRun } from '@palimpsest/client'
import { chromium, type Page } from '@playwright/test'
import { type ServerProcess, startProcess } from '../apps/server/src/testing/start-process.ts'
import { ensureChromium } from '../scripts/chromium/ensure.ts'

// Takes the screenshots of the README: the built product with the demo model. Build before.
const repository = resolve(import.meta.dirname, '..')
const images = resolve(repository, 'docs/images')

/** Chats in the sidebar, oldest first. */
const others = {
  'First steps': 'Show me around.',
  'The way of a message': 'Draw a diagram of how a message travels.',
  'The sum of the squares': 'Show me some math.',
  'Waiting for a provider': 'Hit a rate limit and recover.',
}
const conversation = [
  'Think it through: how often do the hands of a clock meet in a day?',
  'Count the letters of each author, in TypeScript and in SQL.',
  'And a table of what people have written on, please.',
]

await using past = await startProcess({ PALIMPSEST_DEMO_SPEED: '50' })
const shown = await tellThePast(past)

// Then the same store at a pace that lets both pictures be taken before the next words, on a slow machine too.
await using server = await startProcess({
  DATABASE_URL: `file:${join(past.folder, 'data/palimpsest.db')}`,
  PALIMPSEST_WEB: 'on',
  PALIMPSEST_DEMO_SPEED: '0.2',
  PALIMPSEST_WORKSPACE: repository,
})
await using client = createClient({ url: server.url })
await using browser = await chromium.launch({
  executablePath: await ensureChromium(import.meta.dirname, (line) => process.stderr.write(`${line}\n`)),
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--font-render-hinting=none'],
})
mkdirSync(images, { recursive: true })
const light = await openWindow('light')
const dark = await openWindow('dark')

// Another chat is streaming as well.
await send(client, (await client.session.create.mutate({ title: 'A minute of words' })).id, 'Slowly, please.')
await send(client, shown, 'Now use your tools to look around this workspace.')
await Promise.all([picture(light, 'conversation.png'), picture(dark, 'conversation-dark.png')])

async function openWindow(colorScheme: 'light' | 'dark') {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1440, height: 900 } })
  const answer = await page.goto(`${server.url}/s/${shown}`)
  if (answer?.ok() !== true) throw new Error(await answer?.text())
  await page.getByRole('table').waitFor()
  await page.evaluate(() => document.fonts.ready)
  return page
}

/** In the middle of the answer, when its tools are done. */
async function picture(page: Page, name: string): Promise<void> {
  await page.getByText('you can read them in the card').waitFor({ timeout: 120_000 })
  await page.screenshot({ path: join(images, name) })
}

/** Creates all the chats, stops the server, and returns the id of the one that is shown. */
async function tellThePast({ url, kill, exited }: ServerProcess): Promise<string> {
  await using narrator = createClient({ url })
  for (const [title, text] of Object.entries(others)) await converse(narrator, title, [text])
  const sessionId = await converse(narrator, 'What a palimpsest is', conversation)
  kill('SIGTERM')
  await exited
  return sessionId
}

/** Runs a chat with the demo model to the end of its last reply. */
async function converse(narrator: Client, title: string, texts: readonly string[]): Promise<string> {
  const { id: sessionId } = await narrator.session.create.mutate({ title })
  for (const text of texts) {
    const runId = await send(narrator, sessionId, text)
    for await (const { type } of readRun(narrator, { sessionId, runId })) if (type === 'finish') break
  }
  return sessionId
}

async function send(speaker: Client, sessionId: string, text: string): Promise<string | undefined> {
  const message = { parts: [{ type: 'text' as const, text }] }
  return (await speaker.session.send.mutate({ sessionId, message })).runId
}
