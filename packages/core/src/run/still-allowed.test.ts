import { type CoreLab, openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { createMemoryTables } from '@palimpsest/testing/memory-store/tables.ts'
import { createMemoryWorkspaces } from '@palimpsest/testing/memory-workspaces.ts'
import { createScriptedMcp } from '@palimpsest/testing/scripted-mcp.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { isToolPart } from '../domain/message/message.ts'
import type { PermissionRule, Requirement } from '../domain/permission/permission.ts'
import type { CoreSettings } from '../session/core-settings.ts'
import { defineTool } from '../tool/tool.ts'

/** A tool that changes a file, whose path a test can lead elsewhere while a call waits. */
function createPlace() {
  const state = { made: 0, required: [{ permission: 'edit', pattern: 'a' }] as Requirement[] }
  const place = Object.assign(state, {
    tables: createMemoryTables(),
    tool: defineTool({
      id: 'change',
      description: 'Changes a file',
      input: z.object({}),
      requires: (): Requirement[] => state.required,
      execute: () => {
        state.made += 1
        return Promise.resolve({ text: 'Changed' })
      },
    }),
  })
  return place
}

type Place = ReturnType<typeof createPlace>

const rule = (permission: string, pattern: string, action: PermissionRule['action']): PermissionRule => ({
  permission,
  pattern,
  action,
  source: 'project',
})
const PINNED: PermissionRule = { ...rule('edit', 'a', 'deny'), pinned: true }

type Restart = Partial<CoreSettings> & { rules?: readonly PermissionRule[]; folders?: readonly string[] }

async function open({ tool, tables }: Place, { rules = [], folders, ...settings }: Restart = {}) {
  const store = createMemoryStore(tables)
  const workspaces = createMemoryWorkspaces(folders)
  const lab = await openCoreLab({ store, workspaces }, { agent: { tools: [tool], rules }, ...settings })
  await lab.core.recover()
  await lab.core.continueQueues()
  return lab
}

const waits = async (lab: CoreLab, sessionId: string) =>
  await expect.poll(() => lab.sessions.status(sessionId)).toMatchObject({ state: 'waiting' })
const pending = async (lab: CoreLab) => (await lab.sessions.permissions.pending(null))[0]?.id ?? 'none'

/** The call of a session that waits for a reply; the host that asked is gone. */
async function asked(place: Place): Promise<string> {
  await using lab = await open(place)
  lab.provider.script(reply({ toolCalls: [{ name: 'change', input: {}, id: 'call' }] }))
  const { sessionId } = await lab.say('Go')
  await waits(lab, sessionId)
  return sessionId
}

/** Allows the call once, and returns it as it is then, with what the model got. */
async function allow(lab: CoreLab, sessionId: string) {
  lab.provider.script(reply({ text: 'Done' }))
  await lab.sessions.permissions.reply({ permissionId: await pending(lab), reply: 'once' })
  await expect.poll(() => lab.sessions.status(sessionId)).toEqual({ state: 'idle' })
  const { items } = await lab.sessions.messages({ sessionId })
  const [part] = items.at(-1)?.parts.filter(isToolPart) ?? []
  return { part, told: JSON.stringify(lab.steps.at(-1)?.body['messages']) }
}

test.for<[string, Restart]>([
  ['a pinned rule of the configuration', { projectRules: [PINNED] }],
  ['a rule of the configuration', { projectRules: [rule('edit', '*', 'deny')] }],
  ['a rule of the manifest', { rules: [{ ...PINNED, source: 'manifest' }] }],
  ['the watchdog', { watchdog: () => ({ action: 'deny', reason: 'Not today.' }) }],
])(
  'PE-8 a call that was allowed is not made where %s has come to deny it, and the model gets the reason',
  async ([, restart]) => {
    const place = createPlace()
    const sessionId = await asked(place)
    await using lab = await open(place, restart)
    const { part, told } = await allow(lab, sessionId)
    expect(place.made).toBe(0)
    expect(part).toMatchObject({ state: 'output-error', errorText: expect.stringContaining('denied') })
    expect(told).toContain('since then it is denied')
  },
)

test.for<[string, Restart]>([
  ['nothing has changed', {}],
  ['a rule asks', { projectRules: [rule('edit', 'a', 'ask')] }],
  ['a rule denies another file', { projectRules: [{ ...PINNED, pattern: 'b' }] }],
  ['the watchdog asks', { watchdog: () => ({ action: 'ask', reason: 'Odd.' }) }],
])('PE-8 a call that was allowed is made where %s', async ([, restart]) => {
  const place = createPlace()
  const sessionId = await asked(place)
  await using lab = await open(place, restart)
  const { part } = await allow(lab, sessionId)
  expect(place.made).toBe(1)
  expect(part).toMatchObject({ state: 'output-available' })
})

test('PE-8 a call that was allowed is not made once the chat is in plan mode', async () => {
  const place = createPlace()
  const sessionId = await asked(place)
  await using lab = await open(place)
  await lab.sessions.permissions.setMode(sessionId, 'plan')
  const { part } = await allow(lab, sessionId)
  expect(place.made).toBe(0)
  expect(part).toMatchObject({ errorText: expect.stringContaining('Plan mode is on') })
})

test.for<[string, Requirement[]]>([
  ['another file', [{ permission: 'edit', pattern: 'b' }]],
  [
    'one more file',
    [
      { permission: 'edit', pattern: 'a' },
      { permission: 'edit', pattern: 'b' },
    ],
  ],
  [
    'a reading that no rule allows',
    [
      { permission: 'edit', pattern: 'a' },
      { permission: 'read', pattern: 'b' },
    ],
  ],
])('PE-8 a call that would act on %s than was shown is not made', async ([, required]) => {
  const place = createPlace()
  const sessionId = await asked(place)
  place.required = required
  await using lab = await open(place)
  const { part } = await allow(lab, sessionId)
  expect(place.made).toBe(0)
  expect(part).toMatchObject({ errorText: expect.stringMatching(/something else than was shown.* b\.$/) })
})

test('PE-8 a change is not made on another file than was shown where that one needs no question either', async () => {
  const place = createPlace()
  const sessionId = await asked(place)
  place.required = [{ permission: 'edit', pattern: 'b' }]
  await using lab = await open(place)
  await lab.sessions.permissions.setMode(sessionId, 'full-access')
  await allow(lab, sessionId)
  expect(place.made).toBe(0)
})

test('PE-8 one more reading that is allowed unasked does not hold up a call, nor does one less', async () => {
  const place = createPlace()
  place.required = [
    { permission: 'edit', pattern: 'a' },
    { permission: 'read', pattern: 'c' },
  ]
  const sessionId = await asked(place)
  place.required = [
    { permission: 'edit', pattern: 'a' },
    { permission: 'read', pattern: 'b' },
  ]
  await using lab = await open(place, { rules: [rule('read', 'b', 'allow')] })
  await allow(lab, sessionId)
  expect(place.made).toBe(1)
})

test('PE-8 a command that was shown as one that reads is not made once it may do more', async () => {
  const place = createPlace()
  const reads: Requirement = { permission: 'command', pattern: 'git log', readOnly: true }
  place.required = [...place.required, reads]
  const sessionId = await asked(place)
  place.required = [...place.required.slice(0, 1), { permission: 'command', pattern: 'git log' }]
  await using lab = await open(place)
  await allow(lab, sessionId)
  expect(place.made).toBe(0)
})

test.for([
  [false, true, 0],
  [true, false, 1],
  [true, true, 1],
] as const)(
  'PE-8 a command that was shown with a sandbox is not made without one, and the other way round it is',
  async ([before, after, made]) => {
    const place = createPlace()
    const command = (unboxed: boolean): Requirement[] => [
      { permission: 'command', pattern: 'touch a', ...(unboxed && { unboxed }) },
    ]
    place.required = command(before)
    const sessionId = await asked(place)
    place.required = command(after)
    await using lab = await open(place)
    await allow(lab, sessionId)
    expect(place.made).toBe(made)
  },
)

test('PE-8 a call of a server that has asked in its middle does not go on where it is denied by now', async () => {
  const place = createPlace()
  const mcp = createScriptedMcp({ lab: [{ tools: ['look'] }] }, (_tool, _args, _signal, resumed) =>
    Promise.resolve(
      resumed === undefined
        ? {
            elicitation: {
              message: 'Which?',
              schema: { type: 'object', properties: { name: { type: 'string' } } },
            },
            state: { held: 1 },
          }
        : { text: 'Went on' },
    ),
  )
  let isDenied = false
  const store = createMemoryStore(place.tables)
  await using lab = await openCoreLab(
    { store, mcp },
    {
      agent: { tools: [], rules: [{ ...rule('mcp', '*', 'allow'), source: 'manifest' }] },
      watchdog: () => (isDenied ? { action: 'deny', reason: 'Not today.' } : null),
    },
  )
  lab.provider.script(
    reply({ toolCalls: [{ name: 'lab_look', input: {}, id: 'call' }] }),
    reply({ text: 'Done' }),
  )
  const { sessionId } = await lab.say('Go')
  await waits(lab, sessionId)
  isDenied = true
  const [question] = await lab.sessions.questions.pending(sessionId)
  await lab.sessions.questions.answer(question?.id ?? '', [['x']])
  await expect.poll(() => lab.sessions.status(sessionId)).toEqual({ state: 'idle' })
  expect(mcp.connections.flatMap(({ calls }) => calls)).toHaveLength(1)
  expect(mcp.abandoned).toEqual([{ held: 1 }])
  const { items } = await lab.sessions.messages({ sessionId })
  expect(items.at(-1)?.parts.filter(isToolPart)).toMatchObject([
    { state: 'output-error', errorText: expect.stringContaining('Not today.') },
  ])
})
