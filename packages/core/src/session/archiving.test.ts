import { createMemoryTables } from '@palimpsest/testing/memory-store/tables.ts'
import { createScriptedProcesses, wrapNothing } from '@palimpsest/testing/scripted-processes.ts'
import {
  childrenOf,
  newestOf,
  openSubagentLab,
  type Plans,
  runs,
  task,
} from '@palimpsest/testing/subagent-lab.ts'
import { expect, test } from 'vitest'
import type { Sandbox } from '../ports/index.ts'

const idle = { state: 'idle' }
const say = (text: string) => ({ parts: [{ type: 'text' as const, text }] })

test('SV-7 an archived chat that waits for a person is stopped, its ask is cancelled, and its queue waits', async () => {
  const plans: Plans = { Go: [{ toolCalls: [runs('ls')] }, { text: 'Done' }], Next: [{ text: 'Never' }] }
  await using lab = await openSubagentLab(plans)
  const { sessionId } = await lab.say('Go')
  await expect.poll(() => lab.sessions.status(sessionId)).toMatchObject({ state: 'waiting' })
  await lab.sessions.send({ sessionId, message: say('Next') })
  const resolved = lab.event((event) => event.type === 'permission-resolved')
  await lab.sessions.archive(sessionId)
  expect(await resolved).toMatchObject({ reply: 'cancelled' })
  expect(await lab.sessions.status(sessionId)).toEqual(idle)
  expect(await lab.sessions.permissions.pending(null)).toEqual([])
  const { message } = await newestOf(lab.sessions, sessionId)
  expect(message?.metadata?.finishReason).toBe('aborted')
  expect(await lab.sessions.queue.list(sessionId)).toHaveLength(1)
  expect(lab.core.activeRuns).toBe(0)
})

test('SV-7 a turn that works when its chat is archived ends first, and with it the subagents in the background', async () => {
  const gate = Promise.withResolvers<void>()
  const plans: Plans = {
    Go: [
      { toolCalls: [task('Back', { background: true })] },
      { text: ['One', ' two'], hold: { before: 1, until: gate.promise } },
    ],
    Back: [{ toolCalls: [runs('ls')] }, { text: 'Never' }],
    Next: [{ text: 'Never' }],
  }
  await using lab = await openSubagentLab(plans)
  const { sessionId, runId } = await lab.say('Go')
  await expect.poll(() => lab.sessions.permissions.pending(sessionId)).toHaveLength(1)
  await lab.sessions.send({ sessionId, message: say('Next') })
  await lab.sessions.archive(sessionId)
  expect(await lab.sessions.status(sessionId)).toMatchObject({ state: 'busy' })
  const ended = lab.event((event) => event.type === 'permission-resolved')
  gate.resolve()
  await lab.chunksOf(sessionId, runId)
  await ended
  await expect.poll(() => lab.sessions.permissions.pending(null)).toEqual([])
  const { text } = await newestOf(lab.sessions, sessionId)
  expect(text).toBe('One two')
  expect(await lab.sessions.queue.list(sessionId)).toHaveLength(1)
  const [child] = await childrenOf(lab.sessions, sessionId)
  expect((await newestOf(lab.sessions, child?.id ?? '')).message?.metadata?.finishReason).toBe('aborted')

  const landed = lab.event((event) => event.type === 'message-added')
  await lab.sessions.unarchive(sessionId)
  expect(await landed).toMatchObject({ message: { metadata: { subagentResult: { outcome: 'failed' } } } })
})

test('SV-7 a run that begins to wait for a person in an archived chat is stopped, in a subagent too', async () => {
  const gate = Promise.withResolvers<void>()
  const plans: Plans = {
    Go: [{ toolCalls: [task('Work')] }, { text: 'Done' }],
    Work: [
      { text: ['One', ' two'], hold: { before: 1, until: gate.promise }, toolCalls: [runs('ls')] },
      { text: 'Never' },
    ],
  }
  await using lab = await openSubagentLab(plans)
  const { sessionId, runId } = await lab.say('Go')
  await expect.poll(() => childrenOf(lab.sessions, sessionId)).toHaveLength(1)
  await lab.sessions.archive(sessionId)
  gate.resolve()
  await lab.chunksOf(sessionId, runId)
  expect((await newestOf(lab.sessions, sessionId)).text).toBe('Done')
  expect(await lab.sessions.permissions.pending(null)).toEqual([])
  expect(lab.made).toEqual([])
})

test('TO-4 SV-7 the commands that a subagent has left in the background are listed, stopped and ended with its chat', async () => {
  const plans: Plans = {
    Go: [{ toolCalls: [task('Work')] }, { text: 'Done' }],
    Work: [{ toolCalls: [runs('serve'), { ...runs('serve'), id: 'again' }] }, { text: 'Done' }],
  }
  const { processes, started } = createScriptedProcesses()
  const info = { kind: 'none' } as const
  const sandbox: Sandbox = { info, probe: async () => info, wrap: wrapNothing }
  await using lab = await openSubagentLab(plans, undefined, [], { processes, sandbox })
  const { sessionId } = await lab.turn('Go')
  const [child] = await childrenOf(lab.sessions, sessionId)
  const listed = await lab.sessions.processes.list(sessionId)
  expect(listed).toMatchObject([
    { sessionId, exit: null },
    { sessionId, exit: null },
  ])
  expect(await lab.sessions.processes.list(child?.id ?? '')).toEqual(listed)
  const processId = listed[0]?.id ?? ''
  expect(await lab.sessions.processes.stop({ sessionId, processId })).toEqual({ stopped: true })
  await lab.sessions.archive(sessionId)
  expect(started.map(({ ends }) => ends > 0)).toEqual([true, true])
  expect(await lab.sessions.processes.list(null)).toEqual([])
})

test('SV-7 nothing is written to an archived chat, whose runs, subagents and children have ended', async () => {
  const plans: Plans = {
    Go: [{ toolCalls: [task('Back', { background: true })] }, { text: 'Done' }],
    Back: [{ text: ['One', ' two'], ending: 'stall' }],
  }
  const tables = createMemoryTables()
  await using lab = await openSubagentLab(plans, tables)
  const { sessionId } = await lab.turn('Go')
  await lab.sessions.archive(sessionId)
  expect(lab.core.activeRuns).toBe(0)
  const before = structuredClone([...tables.messages.values()])
  await lab.core.shutdown(0)
  expect([...tables.messages.values()]).toEqual(before)
})
