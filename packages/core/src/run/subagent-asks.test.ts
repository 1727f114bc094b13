import {
  childrenOf,
  newestOf,
  openSubagentLab,
  type Plans,
  runs,
  type SubagentLab,
  task,
} from '@palimpsest/testing/subagent-lab.ts'
import { expect, test } from 'vitest'
import type { SessionEvent } from '../domain/session/event.ts'

const ASKS: Plans = {
  Go: [{ toolCalls: [task('Work')] }, { text: 'Done' }],
  Work: [{ toolCalls: [runs('ls')] }, { text: 'Worked' }],
}

const waits = async (lab: SubagentLab, sessionId: string) =>
  await expect.poll(() => lab.sessions.status(sessionId)).toMatchObject({ state: 'waiting' })
const idle = async (lab: SubagentLab, sessionId: string) =>
  await expect.poll(() => lab.sessions.status(sessionId)).toEqual({ state: 'idle' })
const pending = async (lab: SubagentLab, sessionId: string | null) =>
  await lab.sessions.permissions.pending(sessionId)

test('SA-1 what a subagent asks is shown at its root, which waits for it, and answered there', async () => {
  await using lab = await openSubagentLab(ASKS)
  const asked = lab.event((event) => event.type === 'permission-asked')
  const { sessionId } = await lab.say('Go')
  const atRoot = lab.event(
    (event): event is Extract<SessionEvent, { type: 'permission-asked' }> =>
      event.type === 'permission-asked' && event.sessionId === sessionId,
  )
  await waits(lab, sessionId)
  const [child] = await childrenOf(lab.sessions, sessionId)
  expect(await lab.sessions.status(sessionId)).toMatchObject({ waitingOn: 'approval' })
  expect(await lab.sessions.status(child?.id ?? '')).toMatchObject({ waitingOn: 'approval' })
  const expected = { sessionId: child?.id, rootSessionId: sessionId, tool: 'run', subagent: 'general' }
  expect(await pending(lab, sessionId)).toMatchObject([expected])
  expect(await asked).toMatchObject({ sessionId: child?.id, permission: expected })
  expect(await atRoot).toMatchObject({ permission: expected })
  const [first] = await Array.fromAsync(firstAsk(lab, sessionId))
  expect(first).toMatchObject({ type: 'permission-asked', sessionId, permission: expected })

  const resolved = lab.event(
    (event): event is Extract<SessionEvent, { type: 'permission-resolved' }> =>
      event.type === 'permission-resolved' && event.sessionId === sessionId,
  )
  const [ask] = await pending(lab, sessionId)
  await lab.sessions.permissions.reply({ permissionId: ask?.id ?? '', reply: 'once' })
  expect(await resolved).toMatchObject({ permissionId: ask?.id, reply: 'approved' })
  await idle(lab, sessionId)
  expect(lab.made).toEqual(['ls'])
  expect((await newestOf(lab.sessions, sessionId)).text).toBe('Done')
})

/** The first event about a permission that a new subscriber gets. */
async function* firstAsk(lab: SubagentLab, sessionId: string) {
  for await (const event of lab.sessions.events(sessionId)) {
    if (event.type !== 'permission-asked') continue
    yield event
    return
  }
}

test('SA-1 a root is busy again once its subagent works on, and idle for those in the background', async () => {
  await using lab = await openSubagentLab({
    Go: [{ toolCalls: [task('Work', { background: true })] }, { text: 'Later' }],
    Work: [{ toolCalls: [runs('ls')] }, { text: 'Worked' }],
  })
  const { sessionId } = await lab.turn('Go')
  await expect.poll(() => pending(lab, sessionId)).toHaveLength(1)
  expect(await lab.sessions.status(sessionId)).toEqual({ state: 'idle' })
})

test('SA-1 a rule for the chat that is given to a subagent counts for the root and its other subagents', async () => {
  await using lab = await openSubagentLab({
    Go: [{ toolCalls: [task('Work'), task('Other')] }, { toolCalls: [runs('ls')] }, { text: 'Done' }],
    Work: [{ toolCalls: [runs('ls')] }, { text: 'Worked' }],
    Other: [{ toolCalls: [runs('ls')] }, { text: 'Worked too' }],
  })
  const { sessionId } = await lab.say('Go')
  await expect.poll(() => pending(lab, sessionId)).toHaveLength(2)
  const [ask] = await pending(lab, sessionId)
  await lab.sessions.permissions.reply({ permissionId: ask?.id ?? '', reply: 'session' })
  await idle(lab, sessionId)
  expect(lab.made).toEqual(['ls', 'ls', 'ls'])
  expect((await lab.sessions.get(sessionId)).permissions).toMatchObject([{ pattern: 'ls', action: 'allow' }])
  const [child] = await childrenOf(lab.sessions, sessionId)
  expect(child?.permissions).toEqual([])
  expect(await lab.sessions.permissions.rules({ sessionId: child?.id ?? '' })).toContainEqual(
    expect.objectContaining({ pattern: 'ls', source: 'session' }),
  )
})

test('SA-1 what the agent of the caller denies is denied in its subagent', async () => {
  await using strict = await openSubagentLab(
    ASKS,
    undefined,
    [],
    {},
    { projectRules: [{ permission: 'command', pattern: 'ls', action: 'deny', source: 'project' }] },
  )
  const { sessionId } = await strict.turn('Go')
  const [child] = await childrenOf(strict.sessions, sessionId)
  expect((await newestOf(strict.sessions, child?.id ?? '')).calls).toMatchObject([{ state: 'output-denied' }])
  expect(strict.made).toEqual([])
})

test('SA-1 the mode of a subagent is that of its root now', async () => {
  await using lab = await openSubagentLab({
    Go: [{ toolCalls: [task('Work')] }, { text: 'Done' }],
    Work: [{ toolCalls: [runs('ls')] }, { toolCalls: [runs('pwd')] }, { text: 'Worked' }],
  })
  const { sessionId } = await lab.say('Go')
  await waits(lab, sessionId)
  const [child] = await childrenOf(lab.sessions, sessionId)
  await expect(lab.sessions.permissions.setMode(child?.id ?? '', 'full-access')).rejects.toMatchObject({
    code: 'CONFLICT',
  })
  await lab.sessions.permissions.setMode(sessionId, 'plan')
  const [ask] = await pending(lab, sessionId)
  await lab.sessions.permissions.reply({ permissionId: ask?.id ?? '', reply: 'once' })
  await idle(lab, sessionId)
  // The call that waited is not made either.
  expect(lab.made).toEqual([])
  expect((await newestOf(lab.sessions, child?.id ?? '')).calls).toMatchObject([
    { state: 'output-error', errorText: expect.stringContaining('Plan mode is on') },
    { state: 'output-denied' },
  ])
})

test('SA-6 explore only reads, even with full access', async () => {
  await using lab = await openSubagentLab({
    Go: [{ toolCalls: [task('Work', { subagent_type: 'explore' })] }, { text: 'Done' }],
    Work: [{ text: 'Looked' }],
  })
  const { id: sessionId } = await lab.sessions.create({})
  await lab.sessions.permissions.setMode(sessionId, 'full-access')
  await lab.turn('Go', sessionId)
  const ofChild = lab.steps[1]?.body
  expect(ofChild?.['tools'] ?? []).toEqual([])
  expect(JSON.stringify(ofChild)).toContain('change nothing')
})
