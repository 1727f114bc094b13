import {
  AppError,
  type Ask,
  type GivenRule,
  LIMITS,
  PERMISSION_MODES,
  type PermissionMode,
  sessionMode,
  sessionRules,
} from '@palimpsest/core/domain'
import type { RuleScope, RunLease, Store } from '@palimpsest/core/ports'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  asks,
  exported,
  given,
  lease,
  newSession,
  type OpenFixture,
  replyWrite,
  userMessage,
} from './fixtures.ts'

const SCOPES: RuleScope[] = [
  { sessionId: 'a' },
  { sessionId: 'b' },
  { workspaceRoot: '/w' },
  { workspaceRoot: '/w/inner' },
  { workspaceRoot: "/it's 100%_東京" },
]
const SESSIONS = ['a', 'b']
const ACTIONS = ['allow', 'deny', 'ask'] as const

type Act =
  | { kind: 'grant'; scope: number; text: string; action: GivenRule['action'] }
  | { kind: 'revoke'; scope: number; pick: number }
  | { kind: 'mode'; scope: number; mode: PermissionMode }

const scope = fc.nat({ max: SCOPES.length - 1 })
const text = fc.oneof(
  fc.string({ maxLength: 10 }),
  fc.constantFrom('*', 'src/*', '', "'; --", '{"mode":"full-access"}', '東京', '\u0000'),
)
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ kind: fc.constant('grant'), scope, text, action: fc.constantFrom(...ACTIONS) }),
  fc.record({ kind: fc.constant('revoke'), scope, pick: fc.nat({ max: 20 }) }),
  fc.record({ kind: fc.constant('mode'), scope, mode: fc.constantFrom(...PERMISSION_MODES) }),
)

/** The rules of each scope, and the mode of each session. */
type Reference = { rules: GivenRule[][]; modes: Map<string, PermissionMode>; made: string[]; asked: string[] }

function ask({ runId, sessionId }: RunLease, id: string): Ask {
  const request: Ask['request'] = {
    kind: 'approval',
    tool: 'edit',
    args: {},
    reason: 'No rule.',
    patterns: [],
  }
  const place = {
    sessionId,
    rootSessionId: sessionId,
    runId,
    messageId: `r_${sessionId}`,
    toolCallId: `call_${id}`,
    step: 1,
  }
  return { id, ...place, request, reply: null, createdAt: 3_000 }
}

/** A session whose run has asked for these. */
async function asking(store: Store, sessionId: string, ids: readonly string[]): Promise<RunLease> {
  const run = lease(sessionId, 1)
  await store.sessions.create(newSession(sessionId))
  await store.runs.begin(run, asks(userMessage(sessionId, `m_${sessionId}`, 'Go')))
  const write = replyWrite(run, `r_${sessionId}`, [{ type: 'text', text: 'May I?' }])
  await store.runs.ask(
    write,
    ids.map((id) => ask(run, id)),
  )
  return run
}

function ruleOf(id: string, scope: RuleScope, over: Partial<GivenRule> = {}): GivenRule {
  const source = 'sessionId' in scope ? 'session' : 'project'
  return { id, permission: 'edit', pattern: 'src/*', action: 'allow', source, createdAt: 4_000, ...over }
}

function granted(askId: string, rule: GivenRule, scope: RuleScope, alsoAllowed: string[] = []) {
  const reply = { type: 'approved', scope: 'session' } as const
  return { askId, reply, rule, scope, alsoAllowed, at: 5_000 }
}

const PERFORM = {
  async grant(store: Store, reference: Reference, next: Extract<Act, { kind: 'grant' }>) {
    const place = SCOPES[next.scope] ?? { sessionId: 'a' }
    const no = reference.made.length
    const rule = ruleOf(`r${no}`, place, {
      permission: next.text,
      pattern: next.text,
      action: next.action,
      createdAt: 4_000 + no,
    })
    const askId = reference.asked[no] ?? ''
    reference.made.push(rule.id)
    reference.rules[next.scope]?.push(rule)
    const answered = await store.permissions.grant(granted(askId, rule, place))
    expect(answered.map(({ id }) => id)).toEqual([askId])
  },
  async revoke(store: Store, reference: Reference, next: Extract<Act, { kind: 'revoke' }>) {
    const place = SCOPES[next.scope] ?? { sessionId: 'a' }
    const id = `r${next.pick}`
    const rules = reference.rules[next.scope] ?? []
    const left = rules.filter((rule) => rule.id !== id)
    reference.rules[next.scope] = left
    expect(await store.permissions.revoke(id, place, 6_000)).toBe(left.length < rules.length)
  },
  async mode(store: Store, { modes }: Reference, next: Extract<Act, { kind: 'mode' }>) {
    const session = SESSIONS[next.scope % SESSIONS.length] ?? ''
    modes.set(session, next.mode)
    const changed = await store.permissions.setMode(session, next.mode, 6_000)
    expect(sessionMode(changed.permissions)).toBe(next.mode)
  },
}

async function perform(store: Store, reference: Reference, next: Act): Promise<void> {
  if (next.kind === 'grant') await PERFORM.grant(store, reference, next)
  else if (next.kind === 'revoke') await PERFORM.revoke(store, reference, next)
  else await PERFORM.mode(store, reference, next)
}

async function rulesIn(store: Store, scope: RuleScope): Promise<GivenRule[]> {
  if ('workspaceRoot' in scope) return await store.permissions.ofWorkspace(scope.workspaceRoot)
  return sessionRules((await store.sessions.get(scope.sessionId))?.permissions ?? [])
}

async function expectAll(store: Store, { rules, modes }: Reference): Promise<void> {
  expect(await Promise.all(SCOPES.map((scope) => rulesIn(store, scope)))).toEqual(rules)
  for (const [id, mode] of modes)
    expect(sessionMode((await store.sessions.get(id))?.permissions ?? [])).toBe(mode)
  const ofAll = SCOPES.flatMap((scope, at) =>
    'workspaceRoot' in scope ? (rules[at] ?? []).map((rule) => ({ ...rule, ...scope })) : [],
  )
  const oldestFirst = ofAll.toSorted((one, other) => one.createdAt - other.createdAt)
  expect(await store.permissions.ofWorkspaces()).toEqual(oldestFirst)
}

export function permissionsAnyOrderContract(open: OpenFixture): void {
  test('PE-1 PE-6 after any sequence of grants, revocations and modes each place has its own rules, and each session its mode', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 20 }), async (acts) => {
        await using fixture = await open()
        const { store } = fixture
        const asked = acts.map((_, at) => `p${at}`)
        await asking(store, 'a', asked)
        await asking(store, 'b', [])
        const reference: Reference = { rules: SCOPES.map(() => []), modes: new Map(), made: [], asked }
        for (const next of acts) await perform(store, reference, next)
        await expectAll(store, reference)
        await expectAll(await fixture.restart(), reference)
      }),
      { numRuns: 15 },
    )
  }, 60_000)

  test('PE-2 a rule that does not fit any more leaves its ask and all others open', async () => {
    await using fixture = await open()
    const { store } = fixture
    await asking(store, 'a', ['p1', 'p2', 'p3'])
    const full = Array.from({ length: LIMITS.rules }, (_, at) => `p_${at}`)
    const run = await asking(store, 'b', full)
    for (const id of full)
      await store.permissions.grant(granted(id, ruleOf(`r${id}`, { sessionId: 'b' }), { sessionId: 'b' }))
    const late = granted('p1', ruleOf('late', { sessionId: 'b' }), { sessionId: 'b' }, ['p2'])
    await expect(store.permissions.grant(late)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect((await store.asks.open('a')).map(({ id }) => id)).toEqual(['p1', 'p2', 'p3'])
    await store.permissions.revoke(`r${full[0]}`, { sessionId: 'b' }, 6_000)
    expect(await store.permissions.grant(late)).toHaveLength(2)
    await store.runs.end(run, null, 7_000)
  }, 30_000)

  test('PE-1 a rule for a session that does not exist is given to none, and its ask stays open', async () => {
    await using fixture = await open()
    const { store } = fixture
    await asking(store, 'a', ['p1'])
    const scope = { sessionId: 'none' }
    const refused = store.permissions.grant(granted('p1', ruleOf('r1', scope), scope))
    await expect(refused).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    expect((await store.asks.get('p1'))?.reply).toBeNull()
    expect((await store.sessions.get('a'))?.permissions).toEqual([])
  })

  test('PE-2 of simultaneous grants to one ask one is stored, with its rule', async () => {
    await using fixture = await open()
    const { store } = fixture
    await asking(store, 'a', ['p1'])
    const grants = ['r1', 'r2', 'r3'].map((id) =>
      store.permissions.grant(granted('p1', ruleOf(id, { sessionId: 'a' }), { sessionId: 'a' })),
    )
    const settled = await Promise.allSettled(grants)
    const codes = settled.map((one) =>
      one.status === 'fulfilled' ? 'done' : one.reason instanceof AppError && one.reason.code,
    )
    expect(codes.toSorted()).toEqual(['CONFLICT', 'CONFLICT', 'done'])
    const winner = ['r1', 'r2', 'r3'][codes.indexOf('done')]
    expect((await rulesIn(store, { sessionId: 'a' })).map(({ id }) => id)).toEqual([winner])
  })

  test('PE-2 an ask that is named twice, is unknown or is the grant’s own is answered once', async () => {
    await using fixture = await open()
    const { store } = fixture
    await asking(store, 'a', ['p1', 'p2'])
    const scope = { workspaceRoot: '/w' }
    const answered = await store.permissions.grant(
      granted('p1', ruleOf('r1', scope), scope, ['p2', 'p1', 'p2', 'none']),
    )
    expect(answered.map(({ id }) => id)).toEqual(['p1', 'p2'])
    expect(await store.asks.open(null)).toEqual([])
  })

  test('PE-1 PE-6 a change of rules or mode makes the revision grow, and one that changes nothing does not', async () => {
    await using fixture = await open()
    const { store } = fixture
    await asking(store, 'a', ['p1', 'p2'])
    const revision = async () => (await store.sessions.get('a'))?.revision ?? 0
    const before = await revision()
    const scope = { sessionId: 'a' }
    await store.permissions.grant(granted('p1', ruleOf('r1', scope), scope))
    const withRule = await revision()
    expect(withRule).toBeGreaterThan(before)
    expect(await store.permissions.revoke('none', scope, 6_000)).toBe(false)
    await store.permissions.grant(granted('p2', ruleOf('r2', scope), { workspaceRoot: '/w' }))
    expect(await revision()).toBe(withRule)
    await store.permissions.setMode('a', 'plan', 7_000)
    const withMode = await revision()
    expect(withMode).toBeGreaterThan(withRule)
    await store.permissions.revoke('r1', scope, 8_000)
    expect(await revision()).toBeGreaterThan(withMode)
    expect((await store.sessions.get('a'))?.updatedAt).toBe(8_000)
  })

  test('PE-1 SX-12 an import brings no rule and no mode', async () => {
    await using fixture = await open()
    const { store } = fixture
    const run = await asking(store, 'a', ['p1'])
    const scope = { sessionId: 'a' }
    await store.permissions.grant(granted('p1', ruleOf('r1', scope), scope))
    await store.permissions.setMode('a', 'full-access', 6_000)
    await store.runs.end(run, null, 7_000)
    const copy = await store.history.importRows(given(await exported(store, 'a')))
    expect([sessionMode(copy.permissions), sessionRules(copy.permissions)]).toEqual(['ask', []])
  })
}
