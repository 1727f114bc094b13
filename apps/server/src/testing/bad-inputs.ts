import fc from 'fast-check'

const MODEL = { providerId: 'lab', modelId: 'm1', variant: 'low' }
const PARTS = [
  { type: 'text', text: 'hi' },
  { type: 'file', mediaType: 'image/png', filename: 'a.png', url: 'data:image/png;base64,AAAA' },
]

/** Input that each procedure's schema accepts, with every field. */
export const SAMPLES: Record<string, object> = {
  'mcp.servers': {},
  'changes.list': { sessionId: 's', runId: 'r' },
  'changes.diff': { sessionId: 's', path: 'a', from: { at: 'start' }, to: { at: 'change', ordinal: 1 } },
  'changes.revert': {
    sessionId: 's',
    runId: 'r',
    paths: ['a'],
    hunks: [{ path: 'a', hunks: [0] }],
    files: [{ path: 'a', choice: 'restore' }],
  },
  'changes.resolve': { sessionId: 's', operationId: 'o', files: [{ path: 'a', choice: 'both' }] },
  'changes.settle': { sessionId: 's', leave: true },
  'changes.patch': { sessionId: 's', runId: 'r', paths: ['a'] },
  'session.locate': { sessionId: 's', messageId: 'm' },
  'mcp.test': { name: 'lab', server: { kind: 'http', url: 'http://127.0.0.1:9/mcp', headers: { A: 'b' } } },
  'mcp.put': { name: 'lab', server: { kind: 'http', url: 'http://127.0.0.1:9/mcp', headers: { A: 'b' } } },
  'mcp.remove': { name: 'lab' },
  'mcp.reconnect': { name: 'lab' },
  'mcp.signIn': { name: 'lab', origin: 'http://127.0.0.1:4000' },
  'mcp.signOut': { name: 'lab' },
  'session.create': {
    id: 'a',
    title: 'T',
    agent: 'assistant',
    model: MODEL,
    workspaceRoot: '/w',
    metadata: { a: 1 },
  },
  'session.list': {
    limit: 5,
    cursor: 'c',
    search: 's',
    archived: false,
    deleted: false,
    ephemeral: false,
    parentId: 'p',
    agent: 'a',
    workspaceRoot: '/w',
  },
  'instruction.list': { sessionId: 's', workspaceRoot: '/w' },
  'skill.list': { sessionId: 's', workspaceRoot: '/w' },
  'command.list': { sessionId: 's', workspaceRoot: '/w' },
  'command.expand': { sessionId: 's', workspaceRoot: '/w', name: 'n', arguments: 'a' },
  'agentFile.list': { sessionId: 's', workspaceRoot: '/w' },
  'trust.list': { sessionId: 's', workspaceRoot: '/w' },
  'trust.grant': { sessionId: 's', workspaceRoot: '/w', digest: 'a'.repeat(64) },
  'trust.revoke': { digest: 'a'.repeat(64) },
  'session.get': { sessionId: 's' },
  'session.messages': { sessionId: 's', limit: 5, cursor: 'c', hidden: true },
  'session.prompts': { sessionId: 's', limit: 5, cursor: 'c' },
  'session.rename': { sessionId: 's', title: 'T' },
  'session.chooseFolder': { sessionId: 's', workspaceRoot: '/w' },
  'session.archive': { sessionId: 's' },
  'session.unarchive': { sessionId: 's' },
  'session.delete': { sessionId: 's', withBranches: true },
  'session.restore': { sessionId: 's' },
  'session.purge': { sessionId: 's' },
  'session.send': {
    sessionId: 's',
    message: { id: 'm', parts: PARTS },
    model: MODEL,
    agent: 'a',
    replaceMessageId: 'r',
    steer: true,
  },
  'session.resend': { sessionId: 's', messageId: 'm', model: MODEL },
  'session.continue': { sessionId: 's' },
  'session.abort': { sessionId: 's', runId: 'r', pauseQueue: true },
  'session.status': { sessionId: 's' },
  'session.content': { sessionId: 's' },
  'session.heaviest': { sessionId: 's' },
  'session.systemPrompt': { sessionId: 's', messageId: 'm' },
  'session.stream': { sessionId: 's', runId: 'r' },
  'session.events': { sessionId: 's' },
  'session.rewind': { sessionId: 's', messageId: 'm', preview: true },
  'session.unrewind': { sessionId: 's', operationId: 'o' },
  'session.versions': { sessionId: 's', messageId: 'm' },
  'session.threadVersions': { sessionId: 's' },
  'session.switchVersion': { sessionId: 's', messageId: 'm', operationId: 'o' },
  'session.restorePoints': { sessionId: 's', limit: 5, before: 'o' },
  'session.preview': { sessionId: 's', pointId: 'o', limit: 5, cursor: '3' },
  'session.restoreTo': { sessionId: 's', pointId: 'o' },
  'session.branch': { sessionId: 's', fromMessageId: 'm', metadata: { a: 1 }, model: MODEL },
  'session.keep': { sessionId: 's' },
  'session.tree': { sessionId: 's' },
  'session.timeline': { sessionId: 's' },
  'session.compact': { sessionId: 's' },
  'session.uncompact': { sessionId: 's' },
  'session.prune': { sessionId: 's' },
  'session.unprune': { sessionId: 's' },
  'session.uncondense': { sessionId: 's', messageId: 'm', toolCallId: 'c' },
  'session.recondense': { sessionId: 's', messageId: 'm', toolCallId: 'c' },
  'session.leaveOut': { sessionId: 's', messageId: 'm' },
  'session.bringBack': { sessionId: 's', messageId: 'm' },
  'session.fit': { sessionId: 's', model: MODEL },
  'session.export': { sessionId: 's', format: 'jsonl' },
  'session.import': { data: '{}' },
  'queue.list': { sessionId: 's' },
  'queue.edit': { sessionId: 's', messageId: 'm', parts: PARTS, model: MODEL, steer: true },
  'queue.cancel': { sessionId: 's', messageId: 'm' },
  'queue.cancelled': { sessionId: 's', limit: 2, cursor: '5' },
  'queue.restore': { sessionId: 's', messageId: 'm' },
  'queue.reorder': { sessionId: 's', messageIds: ['a', 'b'] },
  'queue.promote': { sessionId: 's', messageId: 'm' },
  'settings.get': {},
  'settings.set': { defaultModel: MODEL, instructions: 'Be brief' },
  'provider.list': {},
  'provider.put': {
    id: 'mine',
    kind: 'openai-compatible',
    baseURL: 'http://127.0.0.1:9/v1',
    apiKey: 'k',
    label: 'Mine',
    models: ['m1'],
  },
  'provider.test': { id: 'mine', kind: 'openai-compatible', baseURL: 'http://127.0.0.1:9/v1', apiKey: 'k' },
  'provider.remove': { id: 'mine' },
  'permission.pending': { sessionId: 's' },
  'permission.reply': { permissionId: 'p', reply: 'deny', pattern: 'src/*', reason: 'No' },
  'permission.rules': { sessionId: 's', workspaceRoot: '/w' },
  'permission.revoke': { ruleId: 'r', sessionId: 's', workspaceRoot: '/w' },
  'hook.list': {},
  'inspect.messages': { sessionId: 's', limit: 5, cursor: '3' },
  'inspect.tools': { sessionId: 's', messageId: 'm' },
  'inspect.rows': { sessionId: 's', limit: 5, cursor: '3' },
  'budget.get': { sessionId: 's' },
  'budget.set': { sessionId: 's', limits: { run: { max_tokens: 5 }, session: { max_tool_calls: 1 } } },
  'permission.setMode': { sessionId: 's', mode: 'plan' },
  'question.pending': { sessionId: 's' },
  'question.answer': { questionId: 'q', answers: [['Left'], ['Right', 'Own words']] },
  'model.list': {},
  'usage.report': { since: 0, until: 1 },
  'search.messages': { text: 't', limit: 5, cursor: 'c', sessionId: 's' },
  'workspace.files': { query: 'q', sessionId: 's', workspaceRoot: '/w' },
  'process.list': { sessionId: 's' },
  'process.output': { sessionId: 's', processId: 'p', from: 0 },
  'process.stop': { sessionId: 's', processId: 'p' },
  'system.info': {},
  'system.storage': {},
}

const WRONG: Record<string, unknown[]> = {
  string: [5, true, null, {}, [], 'x'.repeat(20_000)],
  number: ['5', true, null, {}, [], -1, 0.5, 1e300],
  boolean: ['true', 1, null, {}, []],
  object: [5, 'text', true, null, []],
  array: [5, 'text', true, null, {}, Array.from({ length: 200 }, () => 'a')],
}
const WRONG_IDS = ['', 'a b', '../a', 'é', 'a\u0000', 'x'.repeat(129)]
const HUGE = 'x'.repeat(1_500_000)
/** Fields that may be long. */
const LONG = ['text', 'url']
/** Names that providers and calls give, which are not ids of ours. */
const FOREIGN = ['providerId', 'modelId', 'toolCallId']
/** Fields that may hold any JSON. */
const FREE = ['metadata.a']
/** Fields in which null removes what is stored, or asks for no folder. */
const NULLABLE = ['defaultModel', 'baseURL', 'apiKey', 'max_tokens', 'max_tool_calls', 'workspaceRoot']
/** Lists that may have as many names as a wrong one has. */
const LONG_LISTS = ['paths']

type Path = (string | number)[]

/** Input that a procedure must refuse: a valid one with one error. `maxLength` bounds its strings. */
export function badInput(procedure: string, maxLength: number): fc.Arbitrary<unknown> {
  const sample = SAMPLES[procedure] ?? {}
  const fields = pathsOf(sample).filter((path) => !FREE.includes(path.join('.')))
  const wrongWhole = fc.constantFrom<unknown>(null, 5, 'text', true, [], [sample])
  const extra = fc
    .tuple(fc.string({ minLength: 1, maxLength: 20 }), fc.jsonValue({ maxDepth: 2 }))
    .filter(([key]) => !(key in sample) && key !== '__proto__')
    .map(([key, value]) => ({ ...sample, [key]: value }))
  if (fields.length === 0) return fc.oneof(wrongWhole, extra)
  const wrongField = fc.constantFrom(...fields).chain((path) =>
    fc
      .constantFrom(...wrongValues(path, valueAt(sample, path)))
      .filter((value) => typeof value !== 'string' || value.length <= maxLength)
      .map((value) => withValue(sample, path, value)),
  )
  return fc.oneof({ weight: 6, arbitrary: wrongField }, wrongWhole, extra)
}

function wrongValues(path: Path, value: unknown): unknown[] {
  const name = path.at(-1)
  const ofType = WRONG[Array.isArray(value) ? 'array' : typeof value] ?? []
  const wrong = NULLABLE.includes(String(name)) ? ofType.filter((one) => one !== null) : ofType
  if (LONG_LISTS.includes(String(name))) return wrong.filter((one) => !Array.isArray(one))
  if (LONG.includes(String(name))) return [...wrong.filter((one) => typeof one !== 'string'), HUGE]
  const isId = typeof value === 'string' && typeof name === 'string' && /(^id|Id)$/.test(name)
  return isId && !FOREIGN.includes(name) ? [...wrong, ...WRONG_IDS] : wrong
}

function pathsOf(value: unknown, path: Path = []): Path[] {
  const own = path.length === 0 ? [] : [path]
  if (Array.isArray(value))
    return [...own, ...value.flatMap((item, index) => pathsOf(item, [...path, index]))]
  if (typeof value !== 'object' || value === null) return own
  return [...own, ...Object.entries(value).flatMap(([key, item]) => pathsOf(item, [...path, key]))]
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => Object(value)[key], root)
}

function withValue(root: unknown, path: Path, value: unknown): unknown {
  const copy = structuredClone(root)
  const holder = valueAt(copy, path.slice(0, -1))
  Object(holder)[path.at(-1) ?? ''] = value
  return copy
}
