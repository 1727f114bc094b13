import type { GivenRule } from '@palimpsest/core/domain'
import { sessionMode, sessionRules } from '@palimpsest/core/domain'
import { newSession, turn } from '@palimpsest/testing'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'

/** What is no rule: no JSON, another shape, or an action that is not ours. */
const NO_RULE = [
  '',
  '{',
  'null',
  '5',
  '[]',
  '"allow"',
  '{}',
  '{"id":"r","permission":"edit","pattern":"*"}',
  '{"id":"r","permission":"edit","pattern":"*","action":"permit"}',
  '{"id":"r","permission":"edit","pattern":"*","action":["allow"]}',
  '{"id":7,"permission":"edit","pattern":"*","action":"allow"}',
  '{"id":"r","permission":null,"pattern":"*","action":"allow"}',
  '{"id":"r","permission":"edit","pattern":{},"action":"allow"}',
  '{"__proto__":{"id":"r","permission":"edit","pattern":"*","action":"allow"}}',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
]

const GOOD = { id: 'r_good', permission: 'edit', pattern: 'src/*', action: 'allow', createdAt: 7 }
const READ: GivenRule = { ...GOOD, action: 'allow', source: 'project' }

type RuleRow = { id: string; root: string; json: string; at: number }

function insert(path: string, rows: readonly RuleRow[]): void {
  const database = new Database(path)
  const statement = database.prepare('INSERT INTO project_permissions VALUES (?, ?, ?, ?)')
  for (const { id, root, json, at } of rows) statement.run(id, root, json, at)
  database.close()
}

function stored(path: string): unknown[] {
  const database = new Database(path, { readonly: true })
  const rows = database.prepare('SELECT id, rule_json FROM project_permissions ORDER BY id').all()
  database.close()
  return rows
}

const good: RuleRow = { id: 'r_good', root: '/w', json: JSON.stringify(GOOD), at: 7 }

test('PE-1 DA-11 a damaged rule of a workspace allows nothing, and the others count', async () => {
  await using fixture = await temporaryStore()
  const damaged = NO_RULE.map((json, at) => ({ id: `r${at}`, root: '/w', json, at }))
  insert(fixture.path, [...damaged, good])
  const before = stored(fixture.path)
  expect(await fixture.store.permissions.ofWorkspace('/w')).toEqual([READ])
  expect(await fixture.store.permissions.ofWorkspaces()).toEqual([{ ...READ, workspaceRoot: '/w' }])
  expect(stored(fixture.path)).toEqual(before)
})

test('PE-1 DA-11 a damaged rule is revoked by the id of its row', async () => {
  await using fixture = await temporaryStore()
  insert(fixture.path, [{ id: 'r1', root: '/w', json: '{', at: 1 }, good])
  expect(await fixture.store.permissions.revoke('r1', { workspaceRoot: '/w' }, 1_000)).toBe(true)
  expect(await fixture.store.permissions.revoke('r1', { workspaceRoot: '/w' }, 1_000)).toBe(false)
  expect(stored(fixture.path)).toHaveLength(1)
})

test('PE-1 a stored rule that claims another source or a pin has neither', async () => {
  await using fixture = await temporaryStore()
  const json = JSON.stringify({ ...GOOD, source: 'manifest', pinned: true, workspaceRoot: '/', extra: 1 })
  insert(fixture.path, [{ ...good, json }])
  expect(await fixture.store.permissions.ofWorkspace('/w')).toEqual([READ])
  expect(await fixture.store.permissions.ofWorkspaces()).toEqual([{ ...READ, workspaceRoot: '/w' }])
})

test('PE-1 rules come in the order of their time, and at one time in that of their ids', async () => {
  await using fixture = await temporaryStore()
  const row = (id: string, root: string, at: number) => ({
    id,
    root,
    json: JSON.stringify({ ...GOOD, id, createdAt: at }),
    at,
  })
  insert(fixture.path, [
    row('c', '/w', 5),
    row('b', '/v', 5),
    row('a', '/w', 9),
    row('d', '/w', 1),
    row('e', '/v', 1),
  ])
  const { permissions } = fixture.store
  expect((await permissions.ofWorkspace('/w')).map(({ id }) => id)).toEqual(['d', 'c', 'a'])
  expect((await permissions.ofWorkspaces()).map(({ id }) => id)).toEqual(['d', 'e', 'b', 'c', 'a'])
})

test.for(['/W', '/w/', '/w/inner', '/', '', '%', '_w', "/w' OR '1'='1"])(
  'PE-1 rules of the folder /w are not those of %j',
  async (root) => {
    await using fixture = await temporaryStore()
    insert(fixture.path, [good])
    const { permissions } = fixture.store
    expect(await permissions.ofWorkspace(root)).toEqual([])
    expect(await permissions.revoke('r_good', { workspaceRoot: root }, 1_000)).toBe(false)
    expect(await permissions.ofWorkspace('/w')).toEqual([READ])
  },
)

const entry = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(...NO_RULE.slice(6, 13).map((json): unknown => JSON.parse(json))),
  fc.record({ mode: fc.constantFrom('root', 'FULL-ACCESS', 5, null, ['full-access'], {}) }),
)

test('DA-11 with any entries in the permissions of a session its mode is ask, no rule holds, and it goes on', async () => {
  await using fixture = await temporaryStore()
  const { store } = fixture
  await store.sessions.create(newSession('a'))
  let no = 0
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 5 }), async (entries) => {
      const database = new Database(fixture.path)
      database.prepare('UPDATE chat_sessions SET permissions_json = ?').run(JSON.stringify(entries))
      database.close()
      const permissions = (await store.sessions.get('a'))?.permissions ?? []
      expect([sessionMode(permissions), sessionRules(permissions)]).toEqual(['ask', []])
      await turn(store, 'a', `m${no++}`)
    }),
    { numRuns: 25 },
  )
  const set = await store.permissions.setMode('a', 'plan', 9_000)
  expect(sessionMode(set.permissions)).toBe('plan')
})
