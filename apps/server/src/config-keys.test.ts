import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfigFile } from './config-file.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const CANARY = 'canary-3f9c1d'

const MODEL = {
  label: 'One',
  contextLimit: 8192,
  maxOutput: 1024,
  inputPrice: 0.5,
  outputPrice: 1.5,
  cacheReadPrice: 0,
  cacheWritePrice: 0,
  inputs: ['text'],
  tools: true,
  variants: ['low'],
  cheap: true,
}
const COMPACTION = {
  reserve_tokens: 1000,
  tail_turns: 2,
  tail_budget_pct: 0.25,
  retry_on_transient: 2,
  min_turns_between: 0,
  smart_recovery: { prune_tool_outputs: true, chunked_summarize: true, drop_middle: true },
  precompute: true,
}
/** Every key of the file. */
const WHOLE = {
  $schema: 'x',
  providers: {
    lab: {
      kind: 'openai-compatible',
      label: 'Lab',
      baseURL: 'http://127.0.0.1:8080/v1',
      apiKey: { env: 'LAB_KEY' },
      headers: { 'x-team': 'a' },
      anyModel: true,
      defaults: MODEL,
      models: { m1: MODEL },
    },
    own: { kind: 'openai', api: 'chat' },
  },
  workspaces: ['/srv/work'],
  snapshots: true,
  web: { allowedHosts: ['intranet.example'] },
  mcpServers: {
    files: {
      enabled: true,
      timeoutMs: 5_000,
      command: 'npx',
      args: ['-y', 'files-mcp'],
      env: { MODE: 'fast', KEY: { env: 'FILES_KEY' } },
      cwd: '/srv',
    },
    wiki: { url: 'https://wiki.example/mcp', headers: { Authorization: { env: 'WIKI', prefix: 'Bearer ' } } },
    mail: {
      url: 'https://mail.example/mcp',
      signInServers: ['http://127.0.0.1:9000'],
      signIn: {
        as: 'machine',
        issuer: 'https://auth.example',
        clientId: 'palimpsest',
        scope: 'read',
        privateKey: { env: 'MAIL_KEY' },
        algorithm: 'ES256',
      },
    },
  },
  compaction: COMPACTION,
  agents: { assistant: { maxSteps: 10, compaction: COMPACTION } },
}

type Path = readonly string[]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The path of every nested value, objects and their values. */
function paths(value: unknown, path: Path = []): Path[] {
  const inside = isObject(value) ? Object.keys(value).flatMap((key) => paths(value[key], [...path, key])) : []
  return path.length === 0 ? inside : [path, ...inside]
}

function withValue(path: Path, change: (holder: Record<string, unknown>, key: string) => void): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(WHOLE))
  const holder = path.slice(0, -1).reduce((inner, key) => (isObject(inner) ? inner[key] : undefined), copy)
  if (isObject(holder)) change(holder, path.at(-1) ?? '')
  return copy
}

async function failureOf(content: string): Promise<{ code?: string; field?: string; message: string }> {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'palimpsest.config.json')
  await writeFile(path, content)
  return await readConfigFile(path).then(
    () => ({ message: 'It was accepted.' }),
    (error: unknown) => error as { message: string },
  )
}

test('CF-1 a file with every key is accepted', async () => {
  expect((await failureOf(JSON.stringify(WHOLE))).message).toBe('It was accepted.')
})

const wrong: unknown[] = [null, [[CANARY]], { [CANARY]: 5 }, -1.5]
const everyPath = paths(WHOLE).map((path) => ({ path, name: path.join('.') }))

test.for(everyPath)(
  'CF-1 a wrong value of $name is reported by its key, and not repeated',
  async ({ path, name }) => {
    for (const value of wrong) {
      const refusal = await failureOf(
        JSON.stringify(
          withValue(path, (holder, key) => {
            holder[key] = value
          }),
        ),
      )
      expect(refusal).toMatchObject({ code: 'INVALID_INPUT' })
      expect(refusal.field?.startsWith(name)).toBe(true)
      expect(refusal.message).toContain(name)
    }
  },
)

/** Objects whose keys are names. */
const RECORDS = new Set(['headers', 'models', 'providers', 'mcpServers', 'env'])

const objects = everyPath.filter(({ path }) => {
  const value = path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), WHOLE)
  return isObject(value) && !RECORDS.has(path.at(-1) ?? '')
})

test.for(objects)('CF-1 an unknown key in $name is reported with its path', async ({ path, name }) => {
  const refusal = await failureOf(
    JSON.stringify(
      withValue([...path, 'colour'], (holder, key) => {
        holder[key] = CANARY
      }),
    ),
  )
  expect(refusal).toMatchObject({ code: 'INVALID_INPUT', field: `${name}.colour` })
  expect(refusal.message).toContain(`${name}.colour: is not a known key`)
  expect(refusal.message).not.toContain(CANARY)
})

test.for([
  ['providers', 'Lab'],
  ['providers', 'demo'],
  ['providers', ''],
  ['providers', 'constructor!'],
  ['providers', 'x'.repeat(41)],
] as const)('CF-1 %s may not hold an entry named %j', async ([where, id]) => {
  const content = JSON.stringify({ [where]: { PLACE: { kind: 'openai' } } }).replace('PLACE', id)
  const refusal = await failureOf(content)
  expect(refusal).toMatchObject({ code: 'INVALID_INPUT' })
  expect(refusal.message).toContain(where)
})

test.for([
  ['providers.__proto__', '{"providers": {"__proto__": {"kind": "openai"}}}'],
  [
    'providers.lab.models.__proto__',
    '{"providers": {"lab": {"kind": "openai", "models": {"__proto__": {"maxOutput": 5}}}}}',
  ],
  [
    'providers.lab.headers.__proto__',
    `{"providers": {"lab": {"kind": "openai", "headers": {"__proto__": "${CANARY}"}}}}`,
  ],
  ['agents.assistant.__proto__', '{"agents": {"assistant": {"__proto__": {"maxSteps": 5}}}}'],
  ['__proto__', '{"__proto__": {"snapshots": true}}'],
] as const)('CF-1 %s is refused by its name instead of dropped', async ([field, content]) => {
  const refusal = await failureOf(content)
  expect(refusal).toMatchObject({ code: 'INVALID_INPUT', field })
  expect(refusal.message).toContain(`${field}: `)
  expect(refusal.message).not.toContain(CANARY)
})

test.for([
  ['a line break in a value', { 'x-team': `a\n${CANARY}` }, 'providers.lab.headers.x-team'],
  ['a value that no header can carry', { 'x-team': '東京' }, 'providers.lab.headers.x-team'],
  ['a name that no header can have', { 'x team': CANARY }, 'providers.lab.headers.x team'],
  ['an empty name', { '': CANARY }, 'providers.lab.headers'],
] as const)('CF-1 invalid headers with %s are reported at the start', async ([, headers, field]) => {
  const refusal = await failureOf(
    JSON.stringify(
      withValue(['providers', 'lab', 'headers'], (holder, key) => {
        holder[key] = headers
      }),
    ),
  )
  expect(refusal).toMatchObject({ code: 'INVALID_INPUT' })
  expect(refusal.message).toContain(field)
  expect(refusal.message).not.toContain(CANARY)
})

test.for(['[]', 'null', '"text"', '7', 'true'])(
  'CF-1 a file that holds %s is refused as settings',
  async (content) => {
    const refusal = await failureOf(content)
    expect(refusal).toMatchObject({ code: 'INVALID_INPUT' })
    expect(refusal.message).toMatch(/palimpsest\.config\.json is not right/)
  },
)

test.for([
  `{"providers": {"lab": {"apiKey": ${CANARY}}}}`,
  `{"providers": {"lab": {"apiKey": "${CANARY}}}}`,
  `${CANARY}`,
  `{"a": "${CANARY}" "b"}`,
  `{"a": '${CANARY}'}`,
])('SX-5 the error about a file that is not JSON repeats nothing of its content: %s', async (content) => {
  const refusal = await failureOf(content)
  expect(refusal.message).toContain('is not valid JSON')
  expect(refusal.message).not.toContain(CANARY.slice(0, 6))
})

test('CF-1 a byte order mark at the start of the file is ignored', async () => {
  expect((await failureOf(`\uFEFF${JSON.stringify(WHOLE)}`)).message).toBe('It was accepted.')
})

test('CF-1 an empty file, and a folder in its place, are reported', async () => {
  expect((await failureOf('')).message).toContain('is not valid JSON')
  await using folder = await temporaryFolder()
  await expect(readConfigFile(folder.path)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('cannot be read'),
  })
})
