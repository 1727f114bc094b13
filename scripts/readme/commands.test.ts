import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { startProcess } from '../../apps/server/src/testing/start-process.ts'
import { freePort } from '../lib/free-port.ts'
import { temporaryRepository } from '../lib/temporary-repository.ts'
import { codeBlocks } from './markdown.ts'
import { page, pagePaths, root } from './pages.ts'
import { runCommand } from './running-command.ts'

// Each starts real processes, and the first may build the pages.
vi.setConfig({ testTimeout: 300_000 })

const COMMANDS = {
  start: 'npx pnpm@12 start',
  config: 'PALIMPSEST_CONFIG=palimpsest.config.json npx pnpm@12 start',
  test: 'npx pnpm@12 test',
  quickstart: 'npx pnpm@12 quickstart',
  studio: 'npx pnpm@12 studio',
  backup: 'npx pnpm@12 run backup data/backup.db',
  open: 'export PALIMPSEST_TOKEN=$(node -p "crypto.randomUUID()")\nHOST=0.0.0.0 npx pnpm@12 start',
  growth: 'npx pnpm@12 exec node scripts/growth.ts data/palimpsest.db',
}

const run = (command: string, env: Readonly<Record<string, string>> = {}) =>
  runCommand(command, { cwd: root, env })

test('QA-1 every command that a page shows is run by a test', () => {
  const shown = pagePaths()
    .filter((path) => path !== 'docs/performance.md')
    .flatMap((path) => codeBlocks(page(path), 'sh'))
  expect([...new Set(shown)].toSorted()).toEqual(Object.values(COMMANDS).toSorted())
})

test('QA-1 the start command serves a page, and ends at a signal', async () => {
  using folder = temporaryRepository({})
  await using start = run(COMMANDS.start, {
    PORT: '0',
    DATABASE_URL: `file:${join(folder.root, 'start.db')}`,
    PALIMPSEST_DISCOVER: 'off',
  })
  const [, url] = await start.says(/Palimpsest is at (\S+)/)
  const answer = await fetch(`${url}/`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(await answer.text()).toContain('Palimpsest')
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  await start.interrupt()
  await expect(fetch(`${url}/healthz`)).rejects.toThrow()
})

test('QA-1 the command that names a configuration starts a server with it', async () => {
  using folder = temporaryRepository({})
  const file = join(folder.root, 'palimpsest.config.json')
  const lab = { kind: 'openai-compatible', baseURL: 'http://127.0.0.1:9/v1', models: { m1: {} } }
  writeFileSync(file, JSON.stringify({ providers: { lab } }))
  await using start = run(COMMANDS.config.replace('palimpsest.config.json', file), {
    PORT: '0',
    DATABASE_URL: `file:${join(folder.root, 'config.db')}`,
    PALIMPSEST_DISCOVER: 'off',
    PALIMPSEST_WEB: 'off',
  })
  const [, url] = await start.says(/Palimpsest is at (\S+)/)
  expect(await (await fetch(`${url}/trpc/model.list`)).text()).toContain('"lab"')
})

test('QA-1 the test command is the one that continuous integration runs, and runs every stage', () => {
  expect(page('.ci/run')).toContain(`\n${COMMANDS.test} `)
  expect(JSON.parse(page('package.json')).scripts.test).toBe('node scripts/test.ts')
})

test('SX-1 the command that opens the server to other machines refuses every request without the token', async () => {
  using folder = temporaryRepository({})
  await using start = run(COMMANDS.open, {
    PORT: '0',
    DATABASE_URL: `file:${join(folder.root, 'open.db')}`,
    PALIMPSEST_DISCOVER: 'off',
    PALIMPSEST_WEB: 'off',
  })
  const [, url] = await start.says(/Palimpsest is at (\S+) \(open \/login\?token=/)
  const statuses = ['/', '/trpc/session.list', '/login?token=guess', '/healthz'].map((path) =>
    fetch(`${url}${path}`).then(({ status }) => status),
  )
  expect(await Promise.all(statuses)).toEqual([401, 401, 401, 200])
})

test('CL-2 the quickstart command streams a reply, stops another and branches, against a running server', async () => {
  await using server = await startProcess({ PALIMPSEST_DEMO_SPEED: '20' })
  await using quickstart = run(COMMANDS.quickstart, { PALIMPSEST_URL: server.url })
  const said = await quickstart.finished
  expect(said).toContain('I am the **demo model**')
  expect(said).toContain('Stopped the second reply: true')
  expect(said).toMatch(/in a branch: ses_\w+/)
})

test('DA-9 the studio command answers while the server runs', async () => {
  await using server = await startProcess()
  await using studio = run(`${COMMANDS.studio} --port ${await freePort()} --browser none`, storeOf(server))
  const [, url] = await studio.says(/running at: (\S+)/)
  expect((await fetch(url ?? '')).status).toBe(200)
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
})

test('DA-12 the backup command copies what a running server has acknowledged, and the copy opens', async () => {
  using folder = temporaryRepository({})
  await using server = await startProcess()
  await createSession(server.url, 'kept')
  const target = join(folder.root, 'backup.db')
  await using backup = run(COMMANDS.backup.replace('data/backup.db', target), storeOf(server))
  expect(await backup.finished).toContain(target)
  await using copy = await startProcess({ DATABASE_URL: `file:${target}` })
  const answer = await fetch(`${copy.url}/trpc/session.get?input={"sessionId":"kept"}`)
  expect(await answer.json()).toMatchObject({ result: { data: { id: 'kept' } } })
})

test('DA-13 the growth command prints the sizes of a running server’s file', async () => {
  await using server = await startProcess()
  await createSession(server.url, 'any')
  const path = join(server.folder, 'data/palimpsest.db')
  await using growth = run(COMMANDS.growth.replace('data/palimpsest.db', path))
  expect(await growth.finished).toMatch(/chat_parts.*\d+ bytes of parts, \d+ bytes of file/s)
})

const storeOf = ({ folder }: { folder: string }) => ({
  DATABASE_URL: `file:${join(folder, 'data/palimpsest.db')}`,
})

async function createSession(url: string, id: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/trpc/session.create`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ id }),
  })
  expect(answer.status).toBe(200)
}
