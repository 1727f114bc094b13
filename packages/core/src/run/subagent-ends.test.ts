import { createMemoryTables } from '@palimpsest/testing/memory-store/tables.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
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

const ASKS: Plans = {
  Go: [{ toolCalls: [task('Work')] }, { text: 'Done' }],
  Work: [{ toolCalls: [runs('ls')] }, { text: 'Worked' }],
}
/** A subagent of a subagent that works until it is stopped. */
const NESTED: Plans = {
  Go: [{ toolCalls: [task('Work')] }, { text: 'Done' }],
  Work: [{ toolCalls: [task('Deep')] }, { text: 'Worked' }],
  Deep: [{ text: ['Well', 'then'], ending: 'stall' }],
}
const BACKGROUND: Plans = {
  Go: [{ toolCalls: [task('Work', { background: true })] }, { text: 'It works' }],
  Work: [{ text: 'Worked' }],
  And: [{ text: 'Yes' }],
}

const waits = async (lab: SubagentLab, sessionId: string) =>
  await expect.poll(() => lab.sessions.status(sessionId)).toMatchObject({ state: 'waiting' })
const idle = async (lab: SubagentLab, sessionId: string) =>
  await expect.poll(() => lab.sessions.status(sessionId)).toEqual({ state: 'idle' })
const statusOf = async (lab: SubagentLab, sessionId: string | undefined) =>
  await lab.sessions.status(sessionId ?? '')

/** The session of the deepest subagent, and those above it. */
async function lineOf(lab: SubagentLab, sessionId: string): Promise<string[]> {
  const [child] = await childrenOf(lab.sessions, sessionId)
  return child === undefined ? [sessionId] : [sessionId, ...(await lineOf(lab, child.id))]
}

test('SA-4 aborting a run aborts all below it before it settles, and the calls read that', async () => {
  await using lab = await openSubagentLab(NESTED)
  const { sessionId } = await lab.say('Go')
  await lab.provider.received(2)
  const settled: string[] = []
  lab.ports.events.subscribe(null, (event) => {
    if (event.type === 'message-settled') settled.push(event.sessionId)
  })
  expect(await statusOf(lab, sessionId)).toMatchObject({ state: 'busy' })
  expect(await lab.sessions.abort(sessionId)).toEqual({ aborted: true })
  const [root = '', child = '', deepest = ''] = await lineOf(lab, sessionId)
  expect(settled).toEqual([deepest, child, root])
  for (const id of [root, child, deepest]) {
    expect(await statusOf(lab, id)).toEqual({ state: 'idle' })
    expect((await newestOf(lab.sessions, id)).message?.metadata?.finishReason).toBe('aborted')
  }
  for (const id of [root, child])
    expect((await newestOf(lab.sessions, id)).calls).toMatchObject([
      { state: 'output-error', errorText: 'aborted by parent' },
    ])
  expect(await lab.ports.store.asks.open(null)).toEqual([])
  expect((await lab.turn('And', sessionId)).messages.at(-1)?.role).toBe('assistant')
})

test('SA-4 aborting a run whose subagent waits for a person cancels what it asked', async () => {
  await using lab = await openSubagentLab(ASKS)
  const { sessionId, runId } = await lab.say('Go')
  await waits(lab, sessionId)
  expect(await lab.sessions.abort(sessionId, runId)).toEqual({ aborted: true })
  expect(await lab.sessions.permissions.pending(null)).toEqual([])
  expect((await newestOf(lab.sessions, sessionId)).calls).toMatchObject([
    { state: 'output-error', errorText: 'aborted by parent' },
  ])
  expect(lab.made).toEqual([])
})

test('SA-4 a subagent that is stopped by itself is an error for the model, and its caller goes on', async () => {
  await using lab = await openSubagentLab({ ...ASKS, Work: [{ text: 'Well', ending: 'stall' }] })
  const { sessionId } = await lab.say('Go')
  await lab.provider.received(1)
  const [child] = await childrenOf(lab.sessions, sessionId)
  await lab.sessions.abort(child?.id ?? '')
  await idle(lab, sessionId)
  const { calls, text } = await newestOf(lab.sessions, sessionId)
  expect(calls).toMatchObject([{ state: 'output-error', errorText: expect.stringContaining('was stopped') }])
  expect(text).toBe('Done')
})

test('SA-3 the result of a subagent in the background lands between turns, once, and is no reply', async () => {
  const worked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  await using lab = await openSubagentLab({
    ...BACKGROUND,
    Go: [BACKGROUND['Go']?.[0] ?? {}, { text: 'It works', hold: { before: 0, until: answered.promise } }],
    Work: [{ text: 'Worked', hold: { before: 0, until: worked.promise } }],
  })
  const { sessionId } = await lab.say('Go')
  await lab.provider.received(2)
  const [child] = await childrenOf(lab.sessions, sessionId)
  worked.resolve()
  await expect.poll(() => statusOf(lab, child?.id)).toEqual({ state: 'idle' })
  expect(await lab.ports.store.subagents.undelivered(sessionId)).toHaveLength(1)
  const added = lab.event((event) => event.type === 'message-added')
  answered.resolve()
  expect(await added).toMatchObject({
    sessionId,
    message: { metadata: { subagentResult: { sessionId: child?.id, outcome: 'finished' } } },
  })
  const { items } = await lab.sessions.messages({ sessionId })
  expect(items.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant'])
  expect(items[2]?.parts).toMatchObject([{ type: 'text', text: expect.stringContaining('Worked') }])
  expect(items[1]?.parts.find(({ type }) => type === 'tool-task')).toMatchObject({
    output: { data: { sessionId: child?.id, background: true } },
  })
  expect(await lab.ports.store.subagents.undelivered(null)).toEqual([])
  await lab.turn('And', sessionId)
  expect(JSON.stringify(lab.steps.at(-1)?.body)).toContain('Worked')
})

test('SA-3 a subagent in the background that is aborted with its parent lands as a failure', async () => {
  await using lab = await openSubagentLab({ ...BACKGROUND, Work: [{ text: 'Well', ending: 'stall' }] })
  const { sessionId } = await lab.turn('Go')
  await lab.provider.received(2)
  expect(await lab.sessions.abort(sessionId)).toEqual({ aborted: true })
  await expect
    .poll(async () => (await newestOf(lab.sessions, sessionId)).message?.metadata?.subagentResult)
    .toMatchObject({ outcome: 'failed' })
})

test('SA-3 a subagent in the background that a restart has ended lands as a failure, once', async () => {
  const tables = createMemoryTables()
  await using killed = await openSubagentLab(
    { ...BACKGROUND, Work: [{ text: 'Well', ending: 'stall' }] },
    tables,
  )
  const { sessionId } = await killed.turn('Go')
  await killed.provider.received(2)

  await using lab = await openSubagentLab(BACKGROUND, tables)
  await lab.core.recover()
  await lab.core.continueQueues()
  await expect.poll(() => lab.ports.store.subagents.undelivered(null)).toEqual([])
  await lab.core.continueQueues()
  const { items } = await lab.sessions.messages({ sessionId })
  expect(items).toHaveLength(3)
  expect(items[2]).toMatchObject({
    metadata: { synthetic: true, subagentResult: { outcome: 'failed' } },
    parts: [{ text: expect.stringContaining('aborted by host restart') }],
  })
})

test('SA-1 PE-3 what a subagent asked survives a restart at its root, and its end reaches the call', async () => {
  const tables = createMemoryTables()
  await using killed = await openSubagentLab(ASKS, tables)
  const { sessionId, runId } = await killed.say('Go')
  await waits(killed, sessionId)

  await using lab = await openSubagentLab(ASKS, tables, killed.made)
  await lab.core.recover()
  await lab.core.continueQueues()
  expect(await statusOf(lab, sessionId)).toMatchObject({ state: 'waiting', runId, waitingOn: 'approval' })
  const [ask] = await lab.sessions.permissions.pending(sessionId)
  await lab.sessions.permissions.reply({ permissionId: ask?.id ?? '', reply: 'once' })
  await idle(lab, sessionId)
  expect(lab.made).toEqual(['ls'])
  const { message, calls, text } = await newestOf(lab.sessions, sessionId)
  expect(message?.metadata).toMatchObject({ runId, finishReason: 'stop' })
  expect(calls).toMatchObject([{ state: 'output-available' }])
  expect(text).toBe('Done')
})

test('SA-3 RV-2 a restart interrupts a run with the subagent that worked for it, and continue goes on', async () => {
  const tables = createMemoryTables()
  await using killed = await openSubagentLab(NESTED, tables)
  const { sessionId } = await killed.say('Go')
  await killed.provider.received(2)
  await expect.poll(() => killed.ports.store.runs.waiting()).toHaveLength(2)
  const deepest = (await lineOf(killed, sessionId)).at(-1) ?? ''
  await expect.poll(async () => (await newestOf(killed.sessions, deepest)).text).toBe('Wellthen')

  await using lab = await openSubagentLab(NESTED, tables)
  await lab.core.recover()
  await lab.core.continueQueues()
  for (const id of await lineOf(lab, sessionId)) {
    expect(await statusOf(lab, id)).toEqual({ state: 'idle' })
    expect((await newestOf(lab.sessions, id)).message?.metadata?.finishReason).toBe('interrupted')
  }
  expect((await newestOf(lab.sessions, sessionId)).calls).toMatchObject([
    { state: 'output-error', errorText: expect.stringContaining('aborted by host restart') },
  ])
  expect(lab.steps).toEqual([])
  lab.provider.script(reply({ text: 'On we go' }))
  await lab.sessions.continue(sessionId)
  await idle(lab, sessionId)
  expect((await newestOf(lab.sessions, sessionId)).text).toBe('On we go')
})

test('SA-3 RV-2 of two subagents the result of the one that had ended is kept when a restart ends the other', async () => {
  const tables = createMemoryTables()
  await using killed = await openSubagentLab(
    {
      Go: [{ toolCalls: [task('Quick'), task('Slow')] }],
      Quick: [{ text: 'I am done' }],
      Slow: [{ text: 'Well', ending: 'stall' }],
    },
    tables,
  )
  const { sessionId } = await killed.say('Go')
  await expect.poll(() => killed.ports.store.runs.waiting()).toHaveLength(1)
  await expect.poll(async () => await killed.ports.store.asks.open(null)).toHaveLength(1)

  await using lab = await openSubagentLab({}, tables)
  await lab.core.recover()
  expect((await newestOf(lab.sessions, sessionId)).calls).toMatchObject([
    { state: 'output-available', output: { text: expect.stringContaining('I am done') } },
    { state: 'output-error' },
  ])
})
