import type { Logger } from '@palimpsest/core/ports'
import { reply } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { callProcedure } from '../testing/call-procedure.ts'
import { startTestServer, type TestServer } from '../testing/index.ts'
import { createLogSecrets } from './log-secrets.ts'
import { createLogger } from './logger.ts'

const WORDS = 'private words of a person'

test('OB-3 a finished run is counted with its tokens, duration and outcome', async () => {
  await using server = await startTestServer()
  server.provider.script(reply({ text: 'Hello', usage: { prompt_tokens: 7, completion_tokens: 5 } }))
  await talk(server)
  const text = await metricsOf(server)
  expect(text).toContain('palimpsest_tokens_total{provider="lab",model="m1",kind="input"} 7')
  expect(text).toContain('palimpsest_tokens_total{provider="lab",model="m1",kind="output"} 5')
  expect(text).toContain('palimpsest_run_seconds_count{finish="stop"} 1')
  expect(text).toContain('palimpsest_active_runs 0')
  expect(text).toMatch(/palimpsest_http_request_seconds_count\{method="POST",group="trpc",status="200"\} 2/)
})

test('OB-3 metrics hold no id and no address, so that their number is bounded', async () => {
  await using server = await startTestServer()
  await fetch(`${server.url}/s/ses_123456`)
  await fetch(`${server.url}/trpc/session.get?input={"sessionId":"ses_123456"}`)
  expect(await metricsOf(server)).not.toContain('ses_123456')
})

test('OB-3 metrics require the token where there is one', async () => {
  await using server = await startTestServer({ settings: { token: 'correct-horse' } })
  const ask = (headers: Record<string, string>) => fetch(`${server.url}/metrics`, { headers })
  expect((await ask({})).status).toBe(401)
  expect((await ask({ 'x-forwarded-for': '203.0.113.9' })).status).toBe(401)
  const headers = { 'x-forwarded-for': '203.0.113.9', authorization: 'Bearer correct-horse' }
  expect((await ask(headers)).status).toBe(200)
})

test('OB-3 health reports the process, readiness its store', async () => {
  await using server = await startTestServer()
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ status: 'ready' })
})

test('OB-3 a store that fails makes the server unready, and is logged with its cause', async () => {
  const { logger, lines } = openLog()
  await using server = await startTestServer({ ports: { logger } })
  server.ports.store.sessions.get = () => Promise.reject(new Error('disk on fire'))
  const answer = await fetch(`${server.url}/readyz`)
  expect(answer.status).toBe(500)
  expect(await answer.text()).not.toContain('disk on fire')
  const { status, body } = await callProcedure(
    server.url,
    { path: 'session.get', type: 'query' },
    { sessionId: 's' },
  )
  expect(status).toBe(500)
  expect(body).not.toContain('disk on fire')
  expect(lines.join('')).toContain('disk on fire')
})

test('OB-3 logs carry run and session ids, and no content', async () => {
  const { logger, lines } = openLog()
  await using server = await startTestServer({ ports: { logger } })
  server.provider.script(reply({ text: WORDS }))
  await talk(server)
  await callProcedure(
    server.url,
    { path: 'session.send', type: 'mutation' },
    { sessionId: 'chat', text: WORDS },
  )
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.join('')).not.toContain(WORDS)
})

function openLog(): { logger: Logger; lines: string[] } {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  return { lines, logger: createLogger({ level: 'trace', secrets: createLogSecrets([]), destination }) }
}

async function talk(server: TestServer): Promise<void> {
  const message = { parts: [{ type: 'text', text: WORDS }] }
  const send = { path: 'session.send', type: 'mutation' } as const
  await callProcedure(server.url, { path: 'session.create', type: 'mutation' }, { id: 'chat' })
  const { body } = await callProcedure(server.url, send, { sessionId: 'chat', message })
  const { runId } = JSON.parse(body).result.data
  await callProcedure(
    server.url,
    { path: 'session.stream', type: 'subscription' },
    { sessionId: 'chat', runId },
  )
}

async function metricsOf(server: TestServer): Promise<string> {
  return await (await fetch(`${server.url}/metrics`)).text()
}
