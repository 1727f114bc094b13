import { type CoreLab, openCoreLab, silentLogger } from '@palimpsest/testing/core-lab.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { createMemoryTables } from '@palimpsest/testing/memory-store/tables.ts'
import { createMemoryVault } from '@palimpsest/testing/memory-vault.ts'
import { type ScriptedProvider, startScriptedProvider } from '@palimpsest/testing/scripted-provider.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import type { CorePorts } from '../history/core-ports.ts'
import { systemClock } from '../live/system-clock.ts'
import { providerConfigSchema } from '../model/provider-config.ts'
import { createProviders } from '../model/providers/index.ts'
import type { PutProvider } from './service.ts'

const KEY = 'sk-canary-7f31c2'

/** The real way to providers, beside those that a file and an environment set. */
function providersOf(config: unknown = {}, env: { openaiApiKey?: string } = {}) {
  const redacted: string[] = []
  const providers = createProviders({
    config: providerConfigSchema.parse(config),
    env,
    resolveSecret: () => undefined,
    redactFromLogs: (secrets) => void redacted.push(...secrets),
    clock: systemClock,
  })
  return { providers, redacted }
}

async function openSettings(over: Partial<CorePorts> = {}): Promise<CoreLab & { other: ScriptedProvider }> {
  const other = await startScriptedProvider({ models: [{ id: 'embed-1' }, { id: 'big' }, { id: 'small' }] })
  other.intercept(({ body }) =>
    JSON.stringify(body).includes('Write a title') ? reply({ text: 'A title' }) : null,
  )
  const lab = await openCoreLab({ providers: providersOf().providers, ...over })
  const close = lab[Symbol.asyncDispose].bind(lab)
  return Object.assign(lab, {
    other,
    async [Symbol.asyncDispose]() {
      await close()
      await other[Symbol.asyncDispose]()
    },
  })
}

const compatible = { id: 'mine', kind: 'openai-compatible' as const }
const modelIds = async ({ sessions }: CoreLab) =>
  (await sessions.models()).models.map(({ modelId }) => modelId)

test('UI-31 the models that a server lists can be chosen as soon as it is entered, and reply', async () => {
  await using lab = await openSettings()
  const { baseURL } = lab.other
  const entered = await lab.sessions.providers.put({
    ...compatible,
    baseURL: `${baseURL}/`,
    apiKey: KEY,
    label: 'Mine',
  })
  expect(entered).toEqual({
    id: 'mine',
    kind: 'openai-compatible',
    label: 'Mine',
    baseURL,
    hasKey: true,
    source: 'settings',
    models: [],
    listed: ['big', 'small', 'embed-1'],
    problem: null,
    test: { ok: true, models: ['big', 'small', 'embed-1'] },
  })
  expect(await modelIds(lab)).toEqual(['m1', 'big', 'small', 'embed-1'])
  lab.other.script(reply({ text: 'From the entered server' }))
  const { id } = await lab.sessions.create({ model: { providerId: 'mine', modelId: 'big' } })
  const { messages } = await lab.turn('Hello', id)
  expect(messages.at(-1)?.parts.at(-1)).toMatchObject({ text: 'From the entered server' })
  expect(lab.other.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  await lab.sessions.providers.remove('mine')
  expect(await modelIds(lab)).toEqual(['m1'])
})

test('UI-31 where a server lists nothing, ids that a person typed can be chosen', async () => {
  await using lab = await openSettings()
  const gone = await startScriptedProvider()
  await gone[Symbol.asyncDispose]()
  const entered = await lab.sessions.providers.put({
    ...compatible,
    baseURL: gone.baseURL,
    models: [' typed ', 'typed', 'other'],
  })
  expect(entered).toMatchObject({
    models: ['typed', 'other'],
    listed: [],
    test: { ok: false, message: 'Nothing answers at this address: the connection was refused.' },
  })
  expect(await modelIds(lab)).toEqual(['m1', 'typed', 'other'])
})

test('UI-31 a run keeps the model that it began with when its provider is removed', async () => {
  await using lab = await openSettings()
  await lab.sessions.providers.put({ ...compatible, baseURL: lab.other.baseURL })
  const go = Promise.withResolvers<void>()
  const todos = [{ content: 'Look', status: 'completed' }]
  lab.other.script(
    reply({ toolCalls: [{ name: 'todo', input: { todos } }], hold: { before: 2, until: go.promise } }),
    reply({ text: 'Still here' }),
  )
  const { id } = await lab.sessions.create({ model: { providerId: 'mine', modelId: 'big' } })
  const { runId } = await lab.say('Go', id)
  await lab.other.received(0)
  await lab.sessions.providers.remove('mine')
  go.resolve()
  await lab.chunksOf(id, runId)
  const { items: messages } = await lab.sessions.messages({ sessionId: id })
  expect(messages.at(-1)?.parts.at(-1)).toMatchObject({ text: 'Still here' })
  await expect(lab.sessions.create({ model: { providerId: 'mine', modelId: 'big' } })).rejects.toMatchObject({
    code: 'MODEL_NOT_FOUND',
  })
})

test('SX-5 a stored key is in no answer, event, export or stored row, and is removed from logs', async () => {
  const { providers, redacted } = providersOf()
  const tables = createMemoryTables()
  await using lab = await openSettings({ providers, store: await createMemoryStore(tables) })
  const { baseURL } = lab.other
  const said: unknown[] = []
  lab.ports.events.subscribe(null, (event) => void said.push(event))
  said.push(await lab.sessions.providers.put({ ...compatible, baseURL, apiKey: KEY }))
  said.push(await lab.sessions.providers.list(), await lab.sessions.models())
  said.push(await lab.sessions.providers.test({ id: 'mine' }))
  said.push(await lab.sessions.settings.set({ instructions: 'Be brief' }), await lab.sessions.settings.get())
  lab.other.script(reply({ text: 'Yes' }))
  const { id } = await lab.sessions.create({ model: { providerId: 'mine', modelId: 'big' } })
  said.push(await lab.turn('Hello', id))
  said.push(await Array.fromAsync(lab.sessions.history.export({ sessionId: id })))
  said.push([...tables.providers.values()])
  expect(JSON.stringify(said)).not.toContain(KEY)
  expect(redacted).toContain(KEY)
})

test('MO-6 a stored key is sent to no other address than the one that it was entered for', async () => {
  await using lab = await openSettings()
  await using stranger = await startScriptedProvider()
  const { providers } = lab.sessions
  await providers.put({ ...compatible, baseURL: lab.other.baseURL, apiKey: KEY })
  const moved = { ...compatible, baseURL: stranger.baseURL }
  const refusal = { code: 'INVALID_INPUT', field: 'apiKey' }
  await expect(providers.put(moved)).rejects.toMatchObject(refusal)
  await expect(providers.test(moved)).rejects.toMatchObject(refusal)
  await expect(providers.put({ ...moved, kind: 'openai' })).rejects.toMatchObject(refusal)
  expect(await providers.put({ ...compatible, baseURL: lab.other.baseURL, label: 'New name' })).toMatchObject(
    {
      hasKey: true,
      label: 'New name',
    },
  )
  expect(await providers.put({ ...moved, apiKey: null })).toMatchObject({ hasKey: false })
})

test.for([
  ['id', { ...compatible, id: 'demo', baseURL: 'http://127.0.0.1:9' }],
  ['id', { ...compatible, id: 'Not an id', baseURL: 'http://127.0.0.1:9' }],
  ['id', { ...compatible, id: 'lab', baseURL: 'http://127.0.0.1:9' }],
  ['id', { ...compatible, id: 'openai', baseURL: 'http://127.0.0.1:9' }],
  ['baseURL', compatible],
  ['baseURL', { ...compatible, baseURL: 'localhost:8080' }],
  ['baseURL', { ...compatible, baseURL: 'ftp://127.0.0.1' }],
  ['baseURL', { ...compatible, baseURL: `http://me:${KEY}@127.0.0.1:9` }],
  ['baseURL', { ...compatible, baseURL: `http://127.0.0.1:9/v1?key=${KEY}` }],
  ['apiKey', { id: 'mine', kind: 'anthropic' as const }],
  ['apiKey', { ...compatible, baseURL: 'http://127.0.0.1:9', apiKey: `two\n${KEY}` }],
  ['apiKey', { ...compatible, baseURL: 'http://127.0.0.1:9', apiKey: ' ' }],
  ['label', { ...compatible, baseURL: 'http://127.0.0.1:9', label: 'x'.repeat(101) }],
  ['models.1', { ...compatible, baseURL: 'http://127.0.0.1:9', models: ['a', ' '] }],
] satisfies [string, PutProvider][])(
  'UI-31 an invalid %s of a provider is refused by its name: %j',
  async ([field, input]) => {
    const lab = { kind: 'openai-compatible', baseURL: 'http://127.0.0.1:9' }
    await using opened = await openSettings({
      providers: providersOf({ lab }, { openaiApiKey: 'o' }).providers,
    })
    const refused = await opened.sessions.providers.put(input).then(
      () => null,
      (error: unknown) => error,
    )
    expect(refused).toMatchObject({ code: 'INVALID_INPUT', field })
    expect(String(refused)).not.toContain(KEY)
    expect(await opened.sessions.providers.list()).toHaveLength(2)
  },
)

test('UI-31 what the environment and the file set is listed as set there, and cannot be changed', async () => {
  const config = {
    gateway: {
      kind: 'anthropic',
      baseURL: 'https://me:secret@gateway.example/v1?key=secret',
      headers: { 'x-key': 'secret' },
    },
    work: { kind: 'openai', label: 'Work', apiKey: { env: 'WORK_KEY' }, models: { m7: {} } },
  }
  await using lab = await openSettings({
    providers: providersOf(config, { openaiApiKey: 'secret-o' }).providers,
  })
  const list = await lab.sessions.providers.list()
  expect(
    list.map(({ id, source, hasKey, baseURL, problem }) => [id, source, hasKey, baseURL, problem]),
  ).toEqual([
    ['gateway', 'file', false, 'https://gateway.example/v1', null],
    ['work', 'file', false, null, 'key-missing'],
    ['openai', 'environment', true, null, null],
  ])
  expect(JSON.stringify(list)).not.toContain('secret')
  await expect(lab.sessions.providers.remove('openai')).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    field: 'id',
  })
  await expect(lab.sessions.providers.remove('none')).rejects.toMatchObject({
    code: 'MODEL_NOT_FOUND',
    field: 'id',
  })
  expect(await lab.sessions.providers.test({ id: 'work' })).toEqual({
    ok: false,
    message: 'The key of this provider is not set.',
  })
})

test('UI-31 a key that cannot be decrypted is reported, and everything else works', async () => {
  const tables = createMemoryTables()
  const store = await createMemoryStore(tables)
  const warnings: object[] = []
  await using first = await openSettings({ store })
  await first.sessions.providers.put({ ...compatible, baseURL: first.other.baseURL, apiKey: KEY })
  await first.sessions.providers.put({ ...compatible, id: 'plain', baseURL: first.other.baseURL })
  await using lab = await openSettings({
    store: await createMemoryStore(tables),
    vault: createMemoryVault('another'),
    logger: { ...silentLogger, warn: (fields) => void warnings.push(fields) },
  })
  expect(await lab.sessions.providers.list()).toMatchObject([
    { id: 'mine', hasKey: true, problem: 'key-unreadable' },
    { id: 'plain', problem: null },
  ])
  expect(warnings).toContainEqual({ providerId: 'mine' })
  expect(new Set((await lab.sessions.models()).models.map(({ providerId }) => providerId))).toEqual(
    new Set(['lab', 'plain']),
  )
  expect(await lab.sessions.providers.test({ id: 'mine' })).toMatchObject({
    ok: false,
    message: expect.stringContaining('Enter it again'),
  })
  lab.provider.script(reply({ text: 'Fine' }))
  expect((await lab.turn('Hello')).messages.at(-1)?.parts.at(-1)).toMatchObject({ text: 'Fine' })
  await lab.sessions.providers.put({ ...compatible, baseURL: first.other.baseURL, apiKey: KEY })
  expect(await modelIds(lab)).toContain('big')
})

test('UI-31 new sessions start with the chosen model while a provider offers it', async () => {
  await using lab = await openSettings()
  await lab.sessions.providers.put({ ...compatible, baseURL: lab.other.baseURL })
  const small = { providerId: 'mine', modelId: 'small' }
  expect(await lab.sessions.models()).toMatchObject({ defaultModel: { modelId: 'm1' }, chosen: false })
  await expect(
    lab.sessions.settings.set({ defaultModel: { providerId: 'none', modelId: 'x' } }),
  ).rejects.toMatchObject({
    code: 'MODEL_NOT_FOUND',
  })
  expect(await lab.sessions.settings.set({ defaultModel: small })).toEqual({
    defaultModel: small,
    instructions: '',
    proposeMemories: false,
  })
  expect(await lab.sessions.models()).toMatchObject({ defaultModel: small, chosen: true })
  expect((await lab.sessions.create({})).model).toEqual(small)
  await lab.sessions.providers.remove('mine')
  expect(await lab.sessions.models()).toMatchObject({ defaultModel: { modelId: 'm1' }, chosen: false })
  expect((await lab.sessions.settings.set({ defaultModel: null })).defaultModel).toBeNull()
})

test('SY-3 a person’s instructions are part of the prompt from the next turn on', async () => {
  await using lab = await openSettings()
  lab.provider.otherwise(reply({ text: 'Yes' }))
  const { sessionId } = await lab.turn('One')
  await lab.sessions.settings.set({ instructions: 'Answer in Latin.' })
  const { messages } = await lab.turn('Two', sessionId)
  const prompts = lab.steps.map(({ body }) => JSON.stringify(body['messages']))
  expect(prompts[0]).not.toContain('Latin')
  expect(prompts[1]).toContain('# Instructions of the user\\nAnswer in Latin.\\n\\n# Environment')
  const { body } = await lab.sessions.systemPrompt(sessionId, messages.at(-1)?.id ?? '')
  expect(body).toContain('Answer in Latin.')
  await expect(lab.sessions.settings.set({ instructions: 'x'.repeat(16_001) })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    field: 'instructions',
  })
})
