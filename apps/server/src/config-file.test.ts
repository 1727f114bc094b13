import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EMPTY_CONFIG, readConfigFile } from './config-file.ts'

async function withFile(content: string) {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-config-'))
  const path = join(folder, 'palimpsest.config.json')
  await writeFile(path, content)
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

const LAB = {
  kind: 'openai-compatible',
  baseURL: 'http://127.0.0.1:8080/v1',
  apiKey: { env: 'LAB_KEY' },
  anyModel: true,
  models: { m1: { contextLimit: 8192, maxOutput: 1024, inputPrice: 0.5, outputPrice: 1.5, cheap: true } },
}

test('CF-1 without a file everything runs', () => {
  expect(EMPTY_CONFIG).toEqual({
    providers: {},
    workspaces: [],
    skills: [],
    budget: {},
    web: { allowedHosts: [] },
    hooks: [],
    mcpServers: {},
    compaction: {},
    agents: {},
    permissions: [],
  })
})

test('CF-1 providers are read from the file', async () => {
  await using file = await withFile(JSON.stringify({ providers: { lab: LAB } }))
  expect((await readConfigFile(file.path)).providers['lab']).toMatchObject(LAB)
})

test('CF-1 compaction settings are read from the file, for all agents and for one', async () => {
  const compaction = { reserve_tokens: 1_000, tail_turns: 3, smart_recovery: { drop_middle: false } }
  const agents = { assistant: { maxSteps: 9, compaction: { tail_turns: 1 } } }
  await using file = await withFile(JSON.stringify({ compaction, agents }))
  expect(await readConfigFile(file.path)).toEqual({
    providers: {},
    workspaces: [],
    skills: [],
    budget: {},
    web: { allowedHosts: [] },
    hooks: [],
    mcpServers: {},
    compaction,
    agents,
    permissions: [],
  })
})

test.each([
  ['an unknown key', { provider: {} }, 'provider: is not a known key'],
  [
    'an unknown key inside',
    { providers: { lab: { ...LAB, url: 'x' } } },
    'providers.lab.url: is not a known key',
  ],
  ['a switch that is none', { snapshots: 'on' }, 'snapshots: '],
  ['a wrong number', { compaction: { tail_turns: 0 } }, 'compaction.tail_turns:'],
  ['an unknown agent', { agents: { other: {} } }, 'agents.other: is not a known key'],
  ['a wrong value', { providers: { lab: { ...LAB, kind: 'other' } } }, 'providers.lab.kind: takes one of'],
  [
    'a key in plain text',
    { providers: { lab: { ...LAB, apiKey: 'sk-1' } } },
    'providers.lab.apiKey: takes {"env"',
  ],
])('CF-1 %s is named', async (_what, content, message) => {
  await using file = await withFile(JSON.stringify(content))
  await expect(readConfigFile(file.path)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining(message),
  })
})

test('CF-1 a file that is not JSON, and a named file that is missing, are reported', async () => {
  await using file = await withFile('{ providers')
  await expect(readConfigFile(file.path)).rejects.toThrow('is not valid JSON')
  await expect(readConfigFile(`${file.path}.gone`)).rejects.toThrow('PALIMPSEST_CONFIG names')
})

test('TO-5 hosts that may be anywhere are names or addresses, in any case', async () => {
  await using file = await withFile(JSON.stringify({ web: { allowedHosts: ['Wiki.Intern', '::1'] } }))
  expect((await readConfigFile(file.path)).web.allowedHosts).toEqual(['wiki.intern', '::1'])
  await using wrong = await withFile(JSON.stringify({ web: { allowedHosts: ['http://wiki/'] } }))
  await expect(readConfigFile(wrong.path)).rejects.toMatchObject({ field: 'web.allowedHosts.0' })
})
