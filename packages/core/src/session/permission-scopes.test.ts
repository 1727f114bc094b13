import { type CoreLab, openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { createMemoryTables } from '@palimpsest/testing/memory-store/tables.ts'
import { createMemoryWorkspaces } from '@palimpsest/testing/memory-workspaces.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { PermissionRule } from '../domain/permission/permission.ts'
import { defineTool } from '../tool/tool.ts'

const CONFIGURED: PermissionRule = {
  permission: 'read',
  pattern: 'docs/*',
  action: 'allow',
  source: 'project',
}

type Tables = ReturnType<typeof createMemoryTables>

async function open(tables: Tables): Promise<CoreLab> {
  const touch = defineTool({
    id: 'touch',
    description: 'Touches a file',
    input: z.object({ path: z.string() }),
    requires: ({ path }) => [{ permission: 'edit', pattern: path }],
    execute: () => Promise.resolve({ text: 'Touched' }),
  })
  const workspaces = createMemoryWorkspaces(['/workspace', '/other'])
  return await openCoreLab(
    { store: createMemoryStore(tables), workspaces },
    { agent: { tools: [touch], rules: [] }, projectRules: [CONFIGURED] },
  )
}

/** Sends a message whose answer touches a file; returns the ask for it, or null where none was needed. Nothing waits afterwards. */
async function ask(lab: CoreLab, sessionId: string, path: string, then: 'deny' | Reply = 'deny') {
  lab.provider.script(
    reply({ toolCalls: [{ name: 'touch', input: { path }, id: `call_${path}` }] }),
    reply({ text: 'Done' }),
  )
  await lab.say('Go', sessionId)
  await expect
    .poll(async () => (await lab.sessions.status(sessionId)).state, { interval: 5 })
    .toSatisfy((state) => state === 'waiting' || state === 'idle')
  const [pending] = await lab.sessions.permissions.pending(sessionId)
  if (pending === undefined) return null
  await lab.sessions.permissions.reply({
    permissionId: pending.id,
    ...(then === 'deny' ? { reply: 'deny' } : then),
  })
  await expect.poll(() => lab.sessions.status(sessionId), { interval: 5 }).toEqual({ state: 'idle' })
  return pending
}

type Reply = { reply: 'once' | 'session' | 'project'; pattern?: string }

/** Where a file is touched after the reply, and whether a person is asked again there. */
const PLACES = [
  'same file',
  'same folder',
  'folder below',
  'other folder',
  'sibling',
  'other session',
  'other workspace',
] as const

const EXPECTED: [Reply, Record<(typeof PLACES)[number], boolean>][] = [
  [{ reply: 'once' }, asked()],
  [{ reply: 'session' }, asked('same file')],
  [{ reply: 'session', pattern: 'src/*' }, asked('same file', 'same folder', 'folder below')],
  [{ reply: 'project' }, asked('same file', 'other session')],
  [
    { reply: 'project', pattern: 'src/*' },
    asked('same file', 'same folder', 'folder below', 'other session'),
  ],
]

/** A person is asked again everywhere but there. */
function asked(...free: string[]) {
  return Object.fromEntries(PLACES.map((place) => [place, !free.includes(place)])) as Record<
    (typeof PLACES)[number],
    boolean
  >
}

async function askedIn(lab: CoreLab, sessionId: string) {
  const other = await lab.sessions.create({})
  const elsewhere = await lab.sessions.create({ workspaceRoot: '/other' })
  const isAsked = async (id: string, path: string) => (await ask(lab, id, path)) !== null
  return {
    'same file': await isAsked(sessionId, 'src/a'),
    'same folder': await isAsked(sessionId, 'src/b'),
    'folder below': await isAsked(sessionId, 'src/deep/c'),
    'other folder': await isAsked(sessionId, 'lib/a'),
    sibling: await isAsked(sessionId, 'src2/a'),
    'other session': await isAsked(other.id, 'src/a'),
    'other workspace': await isAsked(elsewhere.id, 'src/a'),
  }
}

test.for(EXPECTED)(
  'PE-2 a reply %j counts where it was given for, in the next runs and after a restart',
  async ([given, expected]) => {
    const tables = createMemoryTables()
    let sessionId = ''
    {
      await using lab = await open(tables)
      sessionId = (await lab.sessions.create({})).id
      const pending = await ask(lab, sessionId, 'src/a', given)
      expect(pending?.patterns).toEqual(['src/a', 'src/*'])
      expect(await askedIn(lab, sessionId)).toEqual(expected)
    }
    await using lab = await open(tables)
    expect(await askedIn(lab, sessionId)).toEqual(expected)
  },
)

/** The patterns of rules with their sources. */
async function listed(lab: CoreLab, scope: Parameters<CoreLab['sessions']['permissions']['rules']>[0]) {
  const rules = await lab.sessions.permissions.rules(scope)
  return rules.map(({ source, pattern, workspaceRoot }) => [source, pattern, workspaceRoot])
}

test('PE-1 rules are listed for a session, a folder and everything, and only where they count', async () => {
  const tables = createMemoryTables()
  const CONFIG = ['project', 'docs/*', null]
  const OWN = ['session', 'own/a', null]
  const FOLDER = ['project', 'all/a', '/workspace']
  const OTHER = ['project', 'else/a', '/other']
  const ids: string[] = []
  const check = async (lab: CoreLab) => {
    const [own, same, elsewhere] = ids.map((sessionId) => ({ sessionId }))
    if (own === undefined || same === undefined || elsewhere === undefined) throw new Error('No sessions')
    expect(await listed(lab, own)).toEqual([CONFIG, FOLDER, OWN])
    expect(await listed(lab, same)).toEqual([CONFIG, FOLDER])
    expect(await listed(lab, elsewhere)).toEqual([CONFIG, OTHER])
    expect(await listed(lab, { workspaceRoot: '/workspace' })).toEqual([CONFIG, FOLDER])
    expect(await listed(lab, { workspaceRoot: '/other' })).toEqual([CONFIG, OTHER])
    expect(await listed(lab, { workspaceRoot: '/gone' })).toEqual([CONFIG])
    const all = await listed(lab, null)
    expect(all.slice(0, 1)).toEqual([CONFIG])
    expect(new Set(all.slice(1).map((one) => JSON.stringify(one)))).toEqual(
      new Set([FOLDER, OTHER].map((one) => JSON.stringify(one))),
    )
  }
  {
    await using lab = await open(tables)
    for (const workspaceRoot of ['/workspace', '/workspace', '/other'])
      ids.push((await lab.sessions.create({ workspaceRoot })).id)
    const [own = '', , elsewhere = ''] = ids
    await ask(lab, own, 'own/a', { reply: 'session' })
    await ask(lab, own, 'all/a', { reply: 'project' })
    await ask(lab, elsewhere, 'else/a', { reply: 'project' })
    await check(lab)
  }
  await using lab = await open(tables)
  await check(lab)
})

test('PE-1 a rule is revoked in its own scope only, and then a person is asked again', async () => {
  await using lab = await open(createMemoryTables())
  const { id } = await lab.sessions.create({})
  const other = await lab.sessions.create({})
  await ask(lab, id, 'own/a', { reply: 'session' })
  await ask(lab, id, 'all/a', { reply: 'project' })
  const rules = await lab.sessions.permissions.rules({ sessionId: id })
  const own = rules.find(({ source }) => source === 'session')?.id ?? ''
  const all = rules.find(({ id: ruleId, source }) => source === 'project' && ruleId !== null)?.id ?? ''
  const { revoke } = lab.sessions.permissions
  for (const [ruleId, scope] of [
    [own, { sessionId: other.id }],
    [own, { workspaceRoot: '/workspace' }],
    [all, { sessionId: id }],
    [all, { workspaceRoot: '/other' }],
  ] as const)
    await expect(revoke(ruleId, scope)).rejects.toMatchObject({ code: 'INVALID_INPUT', field: 'ruleId' })
  expect(await ask(lab, id, 'own/a')).toBeNull()
  expect(await ask(lab, other.id, 'all/a')).toBeNull()
  await revoke(own, { sessionId: id })
  await revoke(all, { workspaceRoot: '/workspace' })
  expect(await ask(lab, id, 'own/a')).not.toBeNull()
  expect(await ask(lab, id, 'all/a')).not.toBeNull()
  expect(await ask(lab, other.id, 'all/a')).not.toBeNull()
})
