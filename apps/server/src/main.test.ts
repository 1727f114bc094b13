import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeDatabase } from '@palimpsest/db/testing'
import { deltas, reply, type ScriptedProvider, startScriptedProvider } from '@palimpsest/testing'
import { expect, test, vi } from 'vitest'
import { startProcess } from './testing/start-process.ts'

// Each of these starts processes, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 })

const CANARY = 'canary-8f1c2d7e'

test.for(['SIGTERM', 'SIGHUP'] as const)(
  'RV-3 %s lets a run finish, keeps its reply, and exits 0',
  async (signal) => {
    await using provider = await startScriptedProvider()
    const rest = Promise.withResolvers<void>()
    provider.otherwise(reply({ text: ['a', 'b'], hold: { before: 1, until: rest.promise } }))
    await using lab = await withLab(provider)
    const { url, kill, exited } = lab.server
    await startRun(url)
    await provider.received(0)
    kill(signal)
    await stopping(url)
    const later = await call(url, 'session.send', { sessionId: 'chat', message: { parts: PARTS } })
    expect(later).toMatchObject({ queued: true })
    rest.resolve()
    expect(await exited).toBe(0)
    expect(await lab.replyAfterRestart()).toMatchObject({ text: 'ab', finishReason: 'stop' })
  },
)

test('RV-3 a message sent to a server that is stopping is answered once after the next start', async () => {
  await using provider = await startScriptedProvider()
  const rest = Promise.withResolvers<void>()
  provider.otherwise(reply({ text: ['a', 'b'], hold: { before: 1, until: rest.promise } }))
  await using lab = await withLab(provider)
  const { url, kill, exited } = lab.server
  await startRun(url)
  await provider.received(0)
  kill('SIGTERM')
  await stopping(url)
  const late = [{ type: 'text', text: 'late' }]
  await call(url, 'session.send', { sessionId: 'chat', message: { parts: late } })
  rest.resolve()
  expect(await exited).toBe(0)
  expect(await lab.answeredAfterRestart(4)).toEqual(['hi', 'ab', 'late', 'ab'])
  expect(await lab.answeredAfterRestart(4)).toHaveLength(4)
})

test('RV-3 a run that outlasts the grace period is stopped and keeps its text', async () => {
  await using provider = await startScriptedProvider()
  provider.otherwise(reply({ text: ['a', 'b'], ending: 'stall' }))
  await using lab = await withLab(provider, { PALIMPSEST_GRACE_MS: '50' })
  await startRun(lab.server.url)
  await provider.received(0)
  lab.server.kill('SIGTERM')
  expect(await lab.server.exited).toBe(0)
  expect(await lab.replyAfterRestart()).toMatchObject({ finishReason: 'aborted' })
})

test('RV-3 the same signal delivered twice counts once, and a later one gives runs no more time', async () => {
  await using provider = await startScriptedProvider()
  provider.otherwise(reply({ text: deltas(2), ending: 'stall' }))
  await using lab = await withLab(provider, { PALIMPSEST_GRACE_MS: '600000' })
  const { url, kill, exited } = lab.server
  await startRun(url)
  await provider.received(0)
  kill('SIGTERM')
  await stopping(url)
  kill('SIGTERM')
  expect(await call(url, 'session.status?input={"sessionId":"chat"}')).toMatchObject({ state: 'busy' })
  const ended = exited.then((code) => ({ code }))
  const hurry = setInterval(() => kill('SIGTERM'), 600)
  expect(await ended).toEqual({ code: 0 })
  clearInterval(hurry)
  expect(await lab.replyAfterRestart()).toMatchObject({ finishReason: 'aborted' })
})

test.skipIf(process.platform !== 'linux')(
  'RV-3 a server whose log cannot be written, as after its terminal closed, goes on and stops in order',
  async () => {
    await using server = await startProcess({ LOG_LEVEL: 'trace' }, [
      'sh',
      '-c',
      'exec "$@" 2>/dev/full',
      'sh',
    ])
    expect((await fetch(`${server.url}/trpc/nothing`)).status).toBe(404)
    server.kill('SIGTERM')
    expect(await server.exited).toBe(0)
  },
)

test('CF-1 a port in use, a wrong variable and a wrong file each end the start with what to do', async () => {
  await using first = await startProcess()
  const port = new URL(first.url).port
  await expect(startProcess({ PORT: port })).rejects.toThrow(`Port ${port} is taken. Set PORT to another one`)
  await expect(startProcess({ LOG_LEVEL: 'loud' })).rejects.toThrow('LOG_LEVEL: takes trace')
  await expect(startProcess({ PALIMPSEST_CONFIG: 'gone.json' })).rejects.toThrow('does not exist')
  await expect(startProcess({ HOST: '0.0.0.0' })).rejects.toThrow('PALIMPSEST_TOKEN')
  await expect(startProcess({ DATABASE_URL: 'mysql://db' })).rejects.toThrow('DATABASE_URL takes a file')
})

test('CF-1 a start without settings serves the demo model and writes into ./data only', async () => {
  await using server = await startProcess()
  const { models, defaultModel } = await call(server.url, 'model.list')
  expect(defaultModel).toMatchObject({ providerId: 'demo' })
  expect(models.length).toBeGreaterThan(0)
  expect((await fetch(`${server.url}/`)).status).toBe(404)
})

test('SX-5 keys of the environment and the file are found nowhere', async () => {
  await using provider = await startScriptedProvider()
  provider.otherwise((request) => {
    throw new Error(`refused ${request.headers.authorization}`)
  })
  await using lab = await withLab(provider, { PALIMPSEST_TOKEN: CANARY, LOG_LEVEL: 'trace' }, CANARY)
  const { url } = lab.server
  const headers = { authorization: `Bearer ${CANARY}` }
  await call(url, 'session.create', { id: 'chat' }, headers)
  await call(url, 'session.send', { sessionId: 'chat', message: { parts: PARTS } }, headers)
  await provider.received(0)
  const answers = ['system.info', 'model.list', 'session.messages?input={"sessionId":"chat"}'].map((path) =>
    fetch(`${url}/trpc/${path}`, { headers }).then((answer) => answer.text()),
  )
  expect((await Promise.all(answers)).join()).not.toContain(CANARY)
  await fetch(`${url}/login?token=${CANARY}`, { redirect: 'manual' })
  lab.server.kill('SIGTERM')
  await lab.server.exited
  expect(lab.server.output).not.toContain(CANARY)
})

const PARTS = [{ type: 'text', text: 'hi' }]

async function withLab(
  provider: ScriptedProvider,
  environment: Record<string, string> = {},
  key = 'none-at-all',
) {
  provider.intercept(({ body }) =>
    JSON.stringify(body).includes('Write a title') ? reply({ text: 'T' }) : null,
  )
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-lab-'))
  opened.defer(() => rm(folder, { recursive: true }))
  const config = join(folder, 'palimpsest.config.json')
  const lab = {
    kind: 'openai-compatible',
    baseURL: provider.baseURL,
    apiKey: { env: 'LAB_KEY' },
    models: { m1: {} },
  }
  await writeFile(config, JSON.stringify({ providers: { lab } }))
  const database = join(folder, 'lab.db')
  await writeDatabase(database)
  const settings = {
    PALIMPSEST_CONFIG: config,
    DATABASE_URL: `file:${database}`,
    LAB_KEY: key,
    ...environment,
  }
  const server = opened.use(await startProcess(settings))
  const held = opened.move()
  return {
    server,
    async replyAfterRestart() {
      await using again = await startProcess(settings)
      const { items } = await call(again.url, 'session.messages?input={"sessionId":"chat"}')
      const { parts, metadata } = items[1]
      const text = parts.map((part: { text?: string }) => part.text ?? '').join('')
      return { text, finishReason: metadata.finishReason }
    },
    /** The messages of the chat once there are `count` of them and no run is in progress. */
    async answeredAfterRestart(count: number): Promise<string[]> {
      await using again = await startProcess(settings)
      return await vi.waitFor(async () => {
        const { state } = await call(again.url, 'session.status?input={"sessionId":"chat"}')
        const { items } = await call(again.url, 'session.messages?input={"sessionId":"chat"}')
        expect([state, items.length]).toEqual(['idle', count])
        return items.map(({ parts }: { parts: { text?: string }[] }) =>
          parts.map(({ text = '' }) => text).join(''),
        )
      }, 20_000)
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

async function startRun(url: string): Promise<void> {
  await call(url, 'session.create', { id: 'chat' })
  await call(url, 'session.send', { sessionId: 'chat', message: { parts: PARTS } })
}

/** Resolves once the signal has arrived. */
async function stopping(url: string): Promise<void> {
  while ((await fetch(`${url}/readyz`)).status === 200);
}

async function call(url: string, path: string, input?: object, headers: Record<string, string> = {}) {
  const body = input === undefined ? {} : { method: 'POST', body: JSON.stringify(input) }
  const answer = await fetch(`${url}/trpc/${path}`, {
    ...body,
    headers: { 'content-type': 'application/json', ...headers },
  })
  const { result, error } = await answer.json()
  if (error) throw new Error(error.message)
  return result.data
}
