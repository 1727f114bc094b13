import { type Ask, type GivenRule, LIMITS, sessionMode, sessionRules } from '@palimpsest/core/domain'
import type { Grant, RuleScope, RunLease, Store } from '@palimpsest/core/ports'
import { expect, test } from 'vitest'
import { asks, lease, newSession, type OpenFixture, replyWrite, userMessage } from './fixtures.ts'

const rule = (id: string, source: GivenRule['source'], createdAt = 4_000): GivenRule => ({
  id,
  permission: 'edit',
  pattern: 'src/*',
  action: 'allow',
  source,
  createdAt,
})

function ask({ runId, sessionId }: RunLease, id: string): Ask {
  const request = {
    kind: 'approval',
    tool: 'edit',
    args: {},
    reason: 'No rule.',
    patterns: ['src/*'],
  } as const
  const place = {
    sessionId,
    rootSessionId: sessionId,
    runId,
    messageId: `r_${sessionId}`,
    toolCallId: `call_${id}`,
    step: 1,
  }
  return { id, ...place, request: { ...request, patterns: ['src/*'] }, reply: null, createdAt: 3_000 }
}

/** A session whose run has asked for these. */
async function asking(store: Store, sessionId: string, ids: readonly string[]): Promise<void> {
  const run = lease(sessionId, 1)
  await store.sessions.create(newSession(sessionId))
  await store.runs.begin(run, asks(userMessage(sessionId, `m_${sessionId}`, 'Go')))
  const write = replyWrite(run, `r_${sessionId}`, [{ type: 'text', text: 'May I?' }])
  await store.runs.ask(
    write,
    ids.map((id) => ask(run, id)),
  )
}

function grant(askId: string, scope: RuleScope, ruleId: string, alsoAllowed: string[] = []): Grant {
  const source = 'sessionId' in scope ? 'session' : 'project'
  const reply = { type: 'approved', scope: source, rule: { permission: 'edit', pattern: 'src/*' } } as const
  return { askId, reply, rule: rule(ruleId, source), scope, alsoAllowed, at: 5_000 }
}

const open = async (store: Store) => (await store.asks.open(null)).map(({ id }) => id)
const rulesOf = async (store: Store, id: string) =>
  sessionRules((await store.sessions.get(id))?.permissions ?? [])

export function permissionContract(openFixture: OpenFixture): void {
  test('PE-1 a rule is stored with the reply that gives it, for the session or the workspace, and outlives the host', async () => {
    await using fixture = await openFixture()
    await asking(fixture.store, 'a', ['p1', 'p2', 'p3'])
    const given = await fixture.store.permissions.grant(grant('p1', { sessionId: 'a' }, 'r1', ['p2']))
    expect(given.map(({ id, reply }) => [id, reply?.type])).toEqual([
      ['p1', 'approved'],
      ['p2', 'approved'],
    ])
    await fixture.store.permissions.grant(grant('p3', { workspaceRoot: '/w' }, 'r2'))
    const store = await fixture.restart()
    expect(await open(store)).toEqual([])
    expect(await rulesOf(store, 'a')).toEqual([rule('r1', 'session')])
    expect(await store.permissions.ofWorkspace('/w')).toEqual([rule('r2', 'project')])
    expect(await store.permissions.ofWorkspace('/other')).toEqual([])
    expect(await store.permissions.ofWorkspaces()).toEqual([
      { ...rule('r2', 'project'), workspaceRoot: '/w' },
    ])
  })

  test('PE-2 a reply that comes second gives no rule and answers no other ask', async () => {
    await using fixture = await openFixture()
    const { store } = fixture
    await asking(store, 'a', ['p1', 'p2'])
    await store.asks.reply('p1', { type: 'denied' }, 4_000)
    const late = store.permissions.grant(grant('p1', { sessionId: 'a' }, 'r1', ['p2']))
    await expect(late).rejects.toMatchObject({ code: 'CONFLICT' })
    const unknown = store.permissions.grant(grant('p9', { workspaceRoot: '/w' }, 'r1', ['p2']))
    await expect(unknown).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect(await open(store)).toEqual(['p2'])
    expect(await rulesOf(store, 'a')).toEqual([])
    expect(await store.permissions.ofWorkspaces()).toEqual([])
    // One that was answered meanwhile keeps its reply.
    const given = await store.permissions.grant(grant('p2', { sessionId: 'a' }, 'r1', ['p1']))
    expect(given.map(({ id }) => id)).toEqual(['p2'])
    expect((await store.asks.get('p1'))?.reply).toEqual({ type: 'denied' })
  })

  test('PE-1 a rule is revoked by its id and place, and only there', async () => {
    await using fixture = await openFixture()
    const { store } = fixture
    await asking(store, 'a', ['p1', 'p2'])
    await store.permissions.grant(grant('p1', { sessionId: 'a' }, 'r1'))
    await store.permissions.grant(grant('p2', { workspaceRoot: '/w' }, 'r2'))
    expect(await store.permissions.revoke('r2', { sessionId: 'a' }, 6_000)).toBe(false)
    expect(await store.permissions.revoke('r2', { workspaceRoot: '/other' }, 6_000)).toBe(false)
    expect(await store.permissions.revoke('r1', { sessionId: 'a' }, 6_000)).toBe(true)
    expect(await store.permissions.revoke('r2', { workspaceRoot: '/w' }, 6_000)).toBe(true)
    expect(await rulesOf(store, 'a')).toEqual([])
    expect(await store.permissions.ofWorkspace('/w')).toEqual([])
    await expect(store.permissions.revoke('r1', { sessionId: 'b' }, 6_000)).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
    })
  })

  test('PE-1 a session and a workspace have a bounded number of rules', async () => {
    await using fixture = await openFixture()
    const { store } = fixture
    const ids = Array.from({ length: LIMITS.rules + 1 }, (_, at) => `p${at}`)
    await asking(store, 'a', ids)
    for (const id of ids.slice(0, LIMITS.rules))
      await store.permissions.grant(grant(id, { workspaceRoot: '/w' }, `r_${id}`))
    const last = store.permissions.grant(grant(`p${LIMITS.rules}`, { workspaceRoot: '/w' }, 'r_last'))
    await expect(last).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect(await open(store)).toEqual([`p${LIMITS.rules}`])
  })

  test('PE-6 a session has a mode beside its rules, and begins with ask', async () => {
    await using fixture = await openFixture()
    const { store } = fixture
    await asking(store, 'a', ['p1'])
    await store.permissions.grant(grant('p1', { sessionId: 'a' }, 'r1'))
    expect(sessionMode((await store.sessions.get('a'))?.permissions ?? [])).toBe('ask')
    const set = await store.permissions.setMode('a', 'plan', 6_000)
    expect(sessionMode(set.permissions)).toBe('plan')
    expect(sessionRules(set.permissions)).toEqual([rule('r1', 'session')])
    await store.permissions.revoke('r1', { sessionId: 'a' }, 7_000)
    const left = (await store.sessions.get('a'))?.permissions ?? []
    expect([sessionMode(left), sessionRules(left)]).toEqual(['plan', []])
    expect((await store.permissions.setMode('a', 'ask', 8_000)).permissions).toEqual([])
    await expect(store.permissions.setMode('b', 'plan', 6_000)).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
    })
  })
}
