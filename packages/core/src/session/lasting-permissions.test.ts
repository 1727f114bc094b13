import { type CoreLab, openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createMemoryWorkspaces } from '@palimpsest/testing/memory-workspaces.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { isToolPart } from '../domain/message/message.ts'
import type { PermissionRule } from '../domain/permission/permission.ts'
import { defineTool } from '../tool/tool.ts'
import type { CoreSettings } from './core-settings.ts'
import type { CreateSession } from './service.ts'

/** A core whose agent has a tool that touches files, and the files that were touched. */
async function openLab(rules: readonly PermissionRule[] = [], more: Partial<CoreSettings> = {}) {
  const made: string[] = []
  const touch = defineTool({
    id: 'touch',
    description: 'Touches a file',
    input: z.object({ path: z.string() }),
    requires: ({ path }) => [{ permission: 'edit', pattern: path }],
    execute: ({ path }) => {
      made.push(path)
      return Promise.resolve({ text: 'Touched' })
    },
  })
  const workspaces = createMemoryWorkspaces(['/workspace', '/other'])
  const lab = await openCoreLab({ workspaces }, { agent: { tools: [touch], rules }, ...more })
  return Object.assign(lab, { made })
}

const touches = (...paths: string[]) =>
  reply({ toolCalls: paths.map((path) => ({ name: 'touch', input: { path }, id: `call_${path}` })) })

const waits = async (lab: CoreLab, sessionId: string) =>
  await expect.poll(() => lab.sessions.status(sessionId)).toMatchObject({ state: 'waiting' })
const idle = async (lab: CoreLab, sessionId: string) =>
  await expect.poll(() => lab.sessions.status(sessionId)).toEqual({ state: 'idle' })

async function first(lab: CoreLab, sessionId: string): Promise<string> {
  return (await lab.sessions.permissions.pending(sessionId))[0]?.id ?? 'none'
}

async function calls(lab: CoreLab, sessionId: string) {
  const { items } = await lab.sessions.messages({ sessionId })
  return items.flatMap(({ parts }) => parts.filter(isToolPart))
}

test('PE-2 PE-5 a reply for the session allows what its pattern matches from then on, and the calls name the rule', async () => {
  await using lab = await openLab()
  lab.provider.script(touches('src/a'), touches('src/b', 'src/c'), reply({ text: 'Done' }))
  const { sessionId } = await lab.say('Go')
  await waits(lab, sessionId)
  expect(await lab.sessions.permissions.pending(sessionId)).toMatchObject([{ patterns: ['src/a', 'src/*'] }])
  const permissionId = await first(lab, sessionId)
  await lab.sessions.permissions.reply({ permissionId, reply: 'session', pattern: 'src/*' })
  await idle(lab, sessionId)
  expect(lab.made).toEqual(['src/a', 'src/b', 'src/c'])
  const approvals = (await calls(lab, sessionId)).map(({ approval }) => approval)
  expect(approvals).toMatchObject([
    { approved: true, reason: 'session: edit src/*' },
    { approved: true, isAutomatic: true, reason: 'session: edit src/*' },
    { approved: true, isAutomatic: true, reason: 'session: edit src/*' },
  ])
  expect(approvals[0]).not.toHaveProperty('isAutomatic')
  expect(await lab.sessions.permissions.rules({ sessionId })).toMatchObject([
    { permission: 'edit', pattern: 'src/*', action: 'allow', source: 'session', id: expect.any(String) },
  ])
})

test('PE-2 without a pattern the narrowest one counts; another session of the workspace is still asked', async () => {
  await using lab = await openLab()
  lab.provider.script(touches('src/a'), touches('src/b'), touches('src/a'))
  const { sessionId } = await lab.say('Go')
  await waits(lab, sessionId)
  const before = await first(lab, sessionId)
  await lab.sessions.permissions.reply({ permissionId: before, reply: 'session' })
  await expect.poll(() => first(lab, sessionId)).not.toBe(before)
  await waits(lab, sessionId)
  expect(lab.made).toEqual(['src/a'])
  const other = await lab.say('Go')
  await waits(lab, other.sessionId)
})

test('PE-2 a reply for the project allows it in all sessions of the workspace, and resolves their asks', async () => {
  await using lab = await openLab()
  lab.provider.script(touches('src/a', 'src/b', 'lib/c'))
  const { sessionId } = await lab.say('Go')
  await waits(lab, sessionId)
  lab.provider.script(touches('src/d'))
  const same = await lab.say('Go')
  await waits(lab, same.sessionId)
  lab.provider.script(touches('src/e'))
  const elsewhere = await lab.sessions.create({ workspaceRoot: '/other' })
  await lab.say('Go', elsewhere.id)
  await waits(lab, elsewhere.id)
  lab.provider.script(reply({ text: 'Done' }), reply({ text: 'Done' }))

  const permissionId = await first(lab, sessionId)
  await lab.sessions.permissions.reply({ permissionId, reply: 'project', pattern: 'src/*' })
  await idle(lab, same.sessionId)
  const open = await lab.sessions.permissions.pending(null)
  expect(open.map(({ args }) => args)).toEqual([{ path: 'lib/c' }, { path: 'src/e' }])
  expect(lab.made).toEqual(['src/d'])
  expect(await lab.sessions.permissions.rules({ workspaceRoot: '/workspace' })).toMatchObject([
    { pattern: 'src/*', source: 'project', workspaceRoot: '/workspace' },
  ])
  expect(await lab.sessions.permissions.rules({ sessionId: elsewhere.id })).toEqual([])
  await lab.sessions.permissions.reply({ permissionId: await first(lab, sessionId), reply: 'deny' })
  await expect.poll(() => lab.made.toSorted()).toEqual(['src/a', 'src/b', 'src/d'])
})

test('PE-1 a revoked rule counts no more, and one of the manifest cannot be revoked', async () => {
  const manifest = { permission: 'edit', pattern: 'lib/*', action: 'allow', source: 'manifest' } as const
  await using lab = await openLab([manifest])
  lab.provider.script(touches('src/a'), reply({ text: 'Done' }), touches('src/a'))
  const { sessionId } = await lab.say('Go')
  await waits(lab, sessionId)
  await lab.sessions.permissions.reply({ permissionId: await first(lab, sessionId), reply: 'session' })
  await idle(lab, sessionId)
  const [fixed, given] = await lab.sessions.permissions.rules({ sessionId })
  expect(fixed).toMatchObject({ ...manifest, id: null })
  const gone = lab.sessions.permissions.revoke('rul_none', { sessionId })
  await expect(gone).rejects.toMatchObject({ code: 'INVALID_INPUT', field: 'ruleId' })
  await lab.sessions.permissions.revoke(given?.id ?? '', { sessionId })
  await lab.say('Again', sessionId)
  await waits(lab, sessionId)
  expect(lab.made).toEqual(['src/a'])
})

test('PE-1 a pinned deny holds against a rule of the session, and the model gets the reason', async () => {
  const pinned = {
    permission: 'edit',
    pattern: 'src/*',
    action: 'deny',
    source: 'manifest',
    pinned: true,
  } as const
  await using lab = await openLab([pinned], {
    projectRules: [{ permission: 'edit', pattern: '*', action: 'allow', source: 'project' }],
  })
  lab.provider.script(touches('src/a', 'lib/b'), reply({ text: 'Then not' }))
  const { sessionId, messages } = await lab.turn('Go')
  expect(messages[1]?.parts.filter(isToolPart)).toMatchObject([
    { state: 'output-denied', approval: { approved: false, isAutomatic: true } },
    { state: 'output-available', approval: { reason: 'project: edit *' } },
  ])
  expect(lab.made).toEqual(['lib/b'])
  expect(JSON.stringify(lab.steps[1]?.body['messages'])).toContain('A rule denies this: edit src/a.')
  expect(await lab.sessions.permissions.rules({ sessionId })).toMatchObject([
    { pinned: true },
    { source: 'project' },
  ])
})

test('PE-2 a lasting reply takes only a proposed pattern, and none where none was proposed', async () => {
  await using lab = await openLab()
  lab.provider.script(touches('src/a', 'src/*'))
  const { sessionId } = await lab.say('Go')
  await waits(lab, sessionId)
  const [narrow, star] = await lab.sessions.permissions.pending(sessionId)
  expect(star?.patterns).toEqual([])
  const { permissions } = lab.sessions
  for (const [input, field] of [
    [{ permissionId: narrow?.id ?? '', reply: 'session', pattern: '*' }, 'pattern'],
    [{ permissionId: star?.id ?? '', reply: 'project' }, 'reply'],
  ] as const)
    await expect(permissions.reply(input)).rejects.toMatchObject({ code: 'INVALID_INPUT', field })
  expect(await permissions.pending(sessionId)).toHaveLength(2)
})

test('PE-4 a watchdog looks at each call with its tool, arguments, agent, session and mode', async () => {
  const seen: object[] = []
  await using lab = await openLab([{ permission: '*', pattern: '*', action: 'allow', source: 'manifest' }], {
    watchdog: (call) => {
      seen.push(call)
      return call.toolId === 'touch' && 'path' in call.args && call.args.path === 'src/a'
        ? { action: 'ask', reason: 'It looks odd.' }
        : { action: 'allow', reason: '' }
    },
  })
  lab.provider.script(touches('src/a', 'src/b'))
  const { sessionId } = await lab.say('Go')
  await waits(lab, sessionId)
  expect(lab.made).toEqual(['src/b'])
  expect(await lab.sessions.permissions.pending(sessionId)).toMatchObject([
    { reason: 'It looks odd.', patterns: [] },
  ])
  expect(seen[0]).toEqual({
    sessionId,
    agentId: 'assistant',
    toolId: 'touch',
    args: { path: 'src/a' },
    mode: 'ask',
    workspaceRoot: '/workspace',
  })
})

test('PE-6 a session that is created with a mode has it from its first call on, and another mode is no mode', async () => {
  await using lab = await openLab()
  const id = 'ses_planned'
  const session = await lab.sessions.create({ id, mode: 'plan' })
  expect(session.permissions).toEqual([{ mode: 'plan' }])
  expect(await lab.sessions.create({ id, mode: 'plan' })).toEqual(session)
  await expect(lab.sessions.create({ id, mode: 'full-access' })).rejects.toMatchObject({ code: 'CONFLICT' })
  lab.provider.script(touches('src/a'), reply({ text: 'Then not' }))
  const { messages } = await lab.turn('Go', id)
  expect(messages[1]?.parts.filter(isToolPart)).toMatchObject([{ state: 'output-denied' }])
  expect(lab.made).toEqual([])
  const hostile: unknown = { mode: 'root' }
  await expect(lab.sessions.create(hostile as CreateSession)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    field: 'mode',
  })
})

test('PE-6 a mode counts from the next call on, and a branch begins with ask', async () => {
  await using lab = await openLab()
  const { id } = await lab.sessions.create({})
  const changed = lab.event((event) => event.type === 'session-changed')
  await lab.sessions.permissions.setMode(id, 'full-access')
  expect(await changed).toMatchObject({ session: { permissions: [{ mode: 'full-access' }] } })
  lab.provider.script(
    touches('src/a'),
    reply({ text: 'Done' }),
    touches('src/b'),
    reply({ text: 'Then not' }),
  )
  const { messages } = await lab.turn('Go', id)
  expect(messages[1]?.parts.filter(isToolPart)).toMatchObject([{ approval: { reason: 'mode: full-access' } }])
  await lab.sessions.permissions.setMode(id, 'plan')
  const planned = await lab.turn('Again', id)
  expect(planned.messages[3]?.parts.filter(isToolPart)).toMatchObject([{ state: 'output-denied' }])
  expect(lab.made).toEqual(['src/a'])
  const branch = await lab.sessions.history.branch({ sessionId: id, fromMessageId: messages[0]?.id ?? '' })
  expect(branch.permissions).toEqual([])
})

test('PE-7 a reply that lasts counts where it was given: one for a command in a sandbox is asked about once more without one', async () => {
  const made: string[] = []
  let isBoxed = true
  const make = defineTool({
    id: 'make',
    description: 'Makes a target',
    input: z.object({ target: z.string() }),
    requires: ({ target }) => [
      { permission: 'command', pattern: `make ${target}`, ...(!isBoxed && { unboxed: true as const }) },
    ],
    execute: ({ target }) => {
      made.push(target)
      return Promise.resolve({ text: 'Made' })
    },
  })
  await using lab = await openCoreLab({}, { agent: { tools: [make], rules: [] } })
  const makes = (id: string) => reply({ toolCalls: [{ name: 'make', input: { target: 'check' }, id }] })
  lab.provider.script(makes('a'), reply({ text: 'Done' }), makes('b'), reply({ text: 'Done' }))
  const { sessionId } = await lab.say('Go')
  await waits(lab, sessionId)
  await lab.sessions.permissions.reply({ permissionId: await first(lab, sessionId), reply: 'session' })
  await idle(lab, sessionId)
  expect(await lab.sessions.permissions.rules({ sessionId })).toMatchObject([{ boxed: true }])
  await lab.turn('Again', sessionId)
  expect(made).toHaveLength(2)
  isBoxed = false
  lab.provider.script(makes('c'), reply({ text: 'Done' }), makes('d'), reply({ text: 'Done' }))
  await lab.say('Without', sessionId)
  await waits(lab, sessionId)
  expect(await lab.sessions.permissions.pending(sessionId)).toMatchObject([
    { reason: expect.stringContaining('was given for a sandbox'), patterns: ['make check'] },
  ])
  await lab.sessions.permissions.reply({ permissionId: await first(lab, sessionId), reply: 'session' })
  await idle(lab, sessionId)
  await lab.turn('And again', sessionId)
  expect(made).toHaveLength(4)
  const [, unboxed] = await lab.sessions.permissions.rules({ sessionId })
  expect(unboxed).not.toHaveProperty('boxed')
})
