import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '@palimpsest/core'
import { openStore } from '@palimpsest/db'
import { reply, startScriptedProvider } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { createVault } from '../adapters/vault/vault.ts'
import { callProcedure, PROCEDURES } from '../testing/call-procedure.ts'
import { startTestServer } from '../testing/start-test-server.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const KEY = 'canary-key-90fd1c'

async function call(url: string, path: string, input: object = {}) {
  const procedure = PROCEDURES.find((one) => one.path === path)
  if (procedure === undefined) throw new Error(`There is no ${path}`)
  const { status, failure, body } = await callProcedure(url, procedure, input)
  return { status, failure, body, data: failure === null ? JSON.parse(body).result.data : null }
}

test('UI-31 a server is entered, tested, used and removed by calls, while the host runs', async () => {
  await using other = await startScriptedProvider({ models: [{ id: 'big' }] })
  await using server = await startTestServer()
  const draft = { kind: 'openai-compatible', baseURL: other.baseURL }
  expect((await call(server.url, 'provider.test', draft)).data).toEqual({ ok: true, models: ['big'] })
  const { data } = await call(server.url, 'provider.put', { id: 'mine', ...draft, label: 'Mine' })
  expect(data).toMatchObject({
    id: 'mine',
    hasKey: false,
    source: 'settings',
    listed: ['big'],
    test: { ok: true },
  })
  expect((await call(server.url, 'provider.list')).data.items).toMatchObject([{ id: 'mine', label: 'Mine' }])
  const chosen = { providerId: 'mine', modelId: 'big' }
  expect((await call(server.url, 'settings.set', { defaultModel: chosen })).data).toEqual({
    defaultModel: chosen,
    instructions: '',
    proposeMemories: false,
  })
  expect((await call(server.url, 'model.list')).data).toMatchObject({ defaultModel: chosen, chosen: true })
  expect((await call(server.url, 'session.create')).data.model).toEqual(chosen)
  expect((await call(server.url, 'provider.remove', { id: 'mine' })).data).toEqual({ removed: true })
  expect((await call(server.url, 'provider.list')).data.items).toEqual([])
})

test('SX-5 a key goes in and is in no answer of any procedure, no event, no export, and not in the file', async () => {
  await using folder = await temporaryFolder()
  await using other = await startScriptedProvider({ models: [{ id: 'big' }] })
  const file = join(folder.path, 'test.db')
  const store = await openStore({ url: `file:${file}`, clock: systemClock })
  const vault = createVault({ file: `${file}.key` })
  await using server = await startTestServer({ store, ports: { vault } })
  other.otherwise(reply({ text: 'Yes' }))
  const entered = { id: 'mine', kind: 'openai-compatible', baseURL: other.baseURL, apiKey: KEY }
  const said = [(await call(server.url, 'provider.put', entered)).body]
  const { data: session } = await call(server.url, 'session.create', {
    model: { providerId: 'mine', modelId: 'big' },
  })
  const message = { parts: [{ type: 'text', text: 'Hello' }] }
  const { data: sent } = await call(server.url, 'session.send', { sessionId: session.id, message })
  const stream = { path: 'session.stream', type: 'subscription' } as const
  said.push((await callProcedure(server.url, stream, { sessionId: session.id, runId: sent.runId })).body)
  expect(other.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  const input = { id: 'mine', sessionId: session.id, messageId: sent.messageId, text: 'canary' }
  for (const { path, type } of PROCEDURES) {
    if (type === 'subscription' || path === 'session.delete') continue
    for (const some of [{}, { id: 'mine' }, { sessionId: session.id }, input])
      said.push((await callProcedure(server.url, { path, type }, some)).body)
  }
  said.push(await (await fetch(`${server.url}/api/v1/sessions/${session.id}/export`)).text())
  expect(said.join('\n')).not.toContain(KEY)
  for (const suffix of ['', '-wal']) {
    const bytes = await readFile(`${file}${suffix}`, 'latin1').catch(() => '')
    expect(bytes).not.toContain(KEY)
  }
})

test('AP-1 what is wrong with a provider or a setting is a 400 that names the field, and repeats no key', async () => {
  await using server = await startTestServer()
  const wrong: [path: string, field: string, input: object][] = [
    ['provider.put', 'kind', { id: 'a', kind: 'wizard', apiKey: KEY }],
    ['provider.put', 'baseURL', { id: 'a', kind: 'openai-compatible', apiKey: KEY }],
    [
      'provider.put',
      'baseURL',
      { id: 'a', kind: 'openai', baseURL: `https://${KEY}@x.example`, apiKey: KEY },
    ],
    ['provider.put', 'apiKey', { id: 'a', kind: 'openai', apiKey: `${KEY}\n${KEY}` }],
    ['provider.put', 'apiKey', { id: 'a', kind: 'openai', apiKey: 7 }],
    ['provider.put', 'models.0', { id: 'a', kind: 'openai', apiKey: KEY, models: [7] }],
    ['provider.put', 'key', { id: 'a', kind: 'openai', key: KEY }],
    ['provider.test', 'id', { apiKey: KEY }],
    ['provider.remove', 'id', { id: 'demo' }],
    ['settings.set', 'instructions', { instructions: 'x'.repeat(16_001) }],
    ['settings.set', 'defaultModel.modelId', { defaultModel: { providerId: 'lab' } }],
  ]
  for (const [path, field, input] of wrong) {
    const { status, failure, body } = await call(server.url, path, input)
    expect([path, status, failure?.data.field]).toEqual([path, 400, field])
    expect(body).not.toContain(KEY)
  }
  expect((await call(server.url, 'provider.remove', { id: 'none' })).status).toBe(404)
})
