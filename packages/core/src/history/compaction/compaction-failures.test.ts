import { createFakeClock, createImpatientClock } from '@palimpsest/testing/fake-clock.ts'
import {
  contentsOf,
  counted,
  type HistoryLab,
  openHistoryLab,
  textOf,
  words,
} from '@palimpsest/testing/history-lab.ts'
import { failure, reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { SessionEvent } from '../../domain/session/event.ts'
import { defineTool } from '../../tool/tool.ts'

const tooLong = () => failure(400, 'The prompt is too long.')
const isFailed = (event: SessionEvent) => event.type === 'compaction-failed'

/** A session of three turns, the first of them long and with a large find in it. */
async function openFull(settings: Parameters<typeof openHistoryLab>[1] = {}) {
  const find = defineTool({
    id: 'find',
    description: 'Finds',
    input: z.object({}),
    requires: () => [],
    execute: () => Promise.resolve({ text: words(900, 'needle') }),
  })
  const lab = await openHistoryLab(
    { clock: createImpatientClock() },
    { agent: { tools: [find] }, ...settings },
  )
  lab.provider.script(
    (request) => counted(request, { toolCalls: [{ name: 'find', input: {} }] }),
    (request) => counted(request, { text: 'Found.' }),
  )
  const { sessionId } = await lab.turn('Beginning. '.repeat(60))
  for (const text of ['Two', 'Three']) await lab.turn(text, sessionId)
  return { lab, sessionId }
}

async function unchangedBy(lab: HistoryLab, sessionId: string, act: () => Promise<unknown>) {
  const before = await lab.everything(sessionId)
  const operations = await lab.sessions.history.timeline(sessionId)
  await act()
  expect(await lab.everything(sessionId)).toEqual(before)
  expect(await lab.sessions.history.timeline(sessionId)).toEqual(operations)
  expect((await lab.session(sessionId)).status.state).toBe('idle')
}

test('CP-5 a transient failure of the summariser is tried twice more', async () => {
  const { lab, sessionId } = await openFull()
  await using _lab = lab
  lab.summarise((_, index) => (index < 2 ? failure(503, 'Overloaded') : reply({ text: 'At last.' })))
  await lab.sessions.history.compact(sessionId)
  expect(lab.summaries).toHaveLength(3)
})

test('CP-5 a summariser that cannot be reached is an error of a requested compaction and changes nothing', async () => {
  const { lab, sessionId } = await openFull()
  await using _lab = lab
  lab.summarise(() => failure(503, 'Overloaded'))
  await unchangedBy(lab, sessionId, () =>
    expect(lab.sessions.history.compact(sessionId)).rejects.toMatchObject({ code: 'COMPACTION_FAILED' }),
  )
  expect(lab.summaries).toHaveLength(3)
  expect(lab.events.filter(isFailed)).toHaveLength(1)
})

test('CP-5 a run whose compaction fails continues without one, and warns', async () => {
  await using lab = await openHistoryLab({ clock: createImpatientClock() })
  const { sessionId } = await lab.turn(words(1_800))
  await lab.turn(words(1_800), sessionId)
  lab.summarise(() => failure(429, 'Slow down'))
  const { messages } = await lab.turn(words(600), sessionId)
  expect(messages.at(-1)?.metadata?.finishReason).toBe('stop')
  expect(messages).toHaveLength(6)
  expect(lab.events.filter(isFailed)).toMatchObject([{ code: 'COMPACTION_FAILED' }])
})

test('CP-5 input that is too large is tried with its tool outputs cut short', async () => {
  const { lab, sessionId } = await openFull()
  await using _lab = lab
  lab.summarise((_, index) => (index < 1 ? tooLong() : reply({ text: 'Short.' })))
  await lab.sessions.history.compact(sessionId)
  const [whole = '', pruned = ''] = lab.summaries.map(({ body }) => JSON.stringify(body))
  expect(pruned.length).toBeLessThan(whole.length - 2_000)
  expect(pruned).toContain('Beginning.')
})

test('CP-5 then it is summarised in pieces that are joined', async () => {
  const { lab, sessionId } = await openFull()
  await using _lab = lab
  lab.ports.models.cheapSibling = ({ providerId }) => Promise.resolve({ providerId, modelId: 'tiny' })
  const piece = 'A piece of it that is summarised in rather many words, which have to be joined. '.repeat(2)
  lab.summarise(({ body }) => {
    const asked = JSON.stringify(body)
    if (asked.includes('consecutive parts')) return reply({ text: 'Joined.' })
    return reply({ text: piece })
  })
  await lab.sessions.history.compact(sessionId)
  expect(lab.summaries.length).toBeGreaterThan(2)
  expect(JSON.stringify(lab.summaries.at(-1)?.body)).toContain('<part number=')
  expect((await lab.visible(sessionId)).at(-1)?.parts[0]).toMatchObject({ data: { summary: 'Joined.' } })
})

test('CP-5 the last rung cuts long texts', async () => {
  const { lab, sessionId } = await openFull({ compaction: { smart_recovery: { chunked_summarize: false } } })
  await using _lab = lab
  lab.ports.models.cheapSibling = ({ providerId }) => Promise.resolve({ providerId, modelId: 'unknown' })
  lab.summarise((_, index) => (index < 3 ? tooLong() : reply({ text: 'Ends.' })))
  await lab.sessions.history.compact(sessionId)
  const last = JSON.stringify(lab.summaries.at(-1)?.body)
  expect(lab.summaries).toHaveLength(4)
  expect(last).toContain('<conversation>')
})

test.for([
  { off: 'prune_tool_outputs', asked: 3 },
  { off: 'drop_middle', asked: 3 },
] as const)('CP-5 the rung $off can be switched off', async ({ off, asked }) => {
  const recovery = { prune_tool_outputs: true, chunked_summarize: false, drop_middle: true, [off]: false }
  const { lab, sessionId } = await openFull({ compaction: { smart_recovery: recovery } })
  await using _lab = lab
  lab.ports.models.cheapSibling = ({ providerId }) => Promise.resolve({ providerId, modelId: 'unknown' })
  lab.summarise(tooLong)
  await expect(lab.sessions.history.compact(sessionId)).rejects.toMatchObject({ code: 'COMPACTION_FAILED' })
  expect(lab.summaries).toHaveLength(off === 'drop_middle' ? 2 : asked)
})

test('CP-5 the end of the ladder in a run is an error that offers a session, a branch or a prune', async () => {
  const compaction = { smart_recovery: { drop_middle: false } }
  await using lab = await openHistoryLab({ clock: createImpatientClock() }, { compaction })
  const { sessionId } = await lab.turn(words(1_800))
  await lab.turn(words(1_800), sessionId)
  lab.summarise(tooLong)
  const { messages } = await lab.turn(words(2_400), sessionId)
  expect(messages.at(-1)?.metadata).toMatchObject({
    finishReason: 'error',
    error: {
      code: 'CONTEXT_EXHAUSTED',
      message: expect.stringMatching(/larger window.*old tool results.*branch.*new chat/),
    },
  })
  expect((await lab.session(sessionId)).status).toMatchObject({ state: 'error', code: 'CONTEXT_EXHAUSTED' })
})

test('CP-5 a cheap model that refuses everything gives way to the model that spoke', async () => {
  const { lab, sessionId } = await openFull()
  await using _lab = lab
  lab.summarise(({ body }) =>
    body['model'] === 'cheap' ? failure(404, 'No such model') : reply({ text: 'By itself.' }),
  )
  await lab.sessions.history.compact(sessionId)
  expect(lab.summaries.map(({ body }) => body['model'])).toEqual(['cheap', 'm1'])
})

test('CP-5 a summariser that never ends is given up after a minute', async () => {
  const { lab, sessionId } = await openFull({ compaction: { retry_on_transient: 0 } })
  await using _lab = lab
  const alarms: number[] = []
  const { clock } = lab.ports
  clock.after = (ms, ring) => {
    alarms.push(ms)
    if (ms === 60_000) setImmediate(ring)
    return { [Symbol.dispose]() {} }
  }
  lab.summarise(() => reply({ text: 'Half', ending: 'stall' }))
  lab.provider.intercept(() => ({ status: 200, headers: {}, steps: [{ stall: true }] }))
  await expect(lab.sessions.history.compact(sessionId)).rejects.toMatchObject({ code: 'COMPACTION_FAILED' })
  expect(alarms).toContain(60_000)
})

test('CP-6 a summary that is not smaller is refused, and nothing has changed', async () => {
  const { lab, sessionId } = await openFull()
  await using _lab = lab
  lab.summarise(() => reply({ text: words(3_000) }))
  await unchangedBy(lab, sessionId, () =>
    expect(lab.sessions.history.compact(sessionId)).rejects.toMatchObject({
      code: 'COMPACTION_FAILED',
      message: expect.stringContaining('smaller'),
    }),
  )
})

test('CP-6 the first turn is never compacted, by request or automatically', async () => {
  await using lab = await openHistoryLab()
  const { sessionId, messages } = await lab.turn(words(3_400))
  expect(messages.at(-1)?.metadata?.finishReason).toBe('stop')
  expect(lab.summaries).toHaveLength(0)
  await expect(lab.sessions.history.compact(sessionId)).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('CP-6 two compactions without a step between them end the run', async () => {
  await using lab = await openHistoryLab({ clock: createImpatientClock() })
  const { sessionId } = await lab.turn(words(1_800))
  await lab.turn(words(1_800), sessionId)
  lab.provider.otherwise(tooLong)
  const { messages } = await lab.turn(words(600), sessionId)
  expect(lab.summaries).toHaveLength(1)
  expect(messages.at(-1)?.metadata).toMatchObject({ finishReason: 'error' })
  expect((await lab.session(sessionId)).status).toMatchObject({
    state: 'error',
    message: expect.stringContaining('Even summarised'),
  })
})

test('CP-8 a prompt that the provider finds too long is compacted, and the step is tried once more', async () => {
  await using lab = await openHistoryLab()
  const { id: sessionId } = await lab.sessions.create({ model: { providerId: 'lab', modelId: 'unknown' } })
  for (const text of [words(500, 'old'), 'Two', 'Three']) await lab.turn(text, sessionId)
  lab.provider.script(tooLong, (request) => counted(request, { text: 'It fits.' }))
  const { messages } = await lab.turn('Four', sessionId)
  expect(lab.summaries).toHaveLength(1)
  expect(textOf(messages.at(-1) ?? { id: '', role: 'user', parts: [] })).toBe('It fits.')
  expect(contentsOf(lab.steps.at(-1)?.body ?? {}).join()).not.toContain('old old')
  expect(messages.at(-1)?.metadata?.finishReason).toBe('stop')
})

test('CP-8 MO-4 a model of unknown size is never compacted by a threshold', async () => {
  await using lab = await openHistoryLab()
  const { id: sessionId } = await lab.sessions.create({ model: { providerId: 'lab', modelId: 'unknown' } })
  for (let turn = 0; turn < 3; turn++) await lab.turn(words(30_000), sessionId)
  expect(lab.summaries).toHaveLength(0)
  expect((await lab.session(sessionId)).contextWindow).toMatchObject({ limit: null, usable: null })
})

test('CP-8 a single turn that is too long loses the outputs of its earlier steps, not those of the last one', async () => {
  const { lab } = await openFull()
  await using _lab = lab
  const { id: sessionId } = await lab.sessions.create({ model: { providerId: 'lab', modelId: 'small' } })
  const find = { name: 'find', input: {} }
  for (const id of ['call_a', 'call_b', 'call_c', 'call_d'])
    lab.provider.script((request) => counted(request, { toolCalls: [{ ...find, id }] }))
  lab.provider.script((request) => counted(request, { text: 'All.' }))
  const { messages } = await lab.turn('Find often', sessionId)
  expect(messages.at(-1)?.metadata?.finishReason).toBe('stop')
  const results = contentsOf(lab.steps.at(-1)?.body ?? {}).filter((line) => line.startsWith('tool: '))
  expect(results[0]).toMatch(/^tool: <output pruned/)
  expect(results.at(-1)).toContain('needle needle')
  await lab.sessions.history.unprune(sessionId)
  await lab.turn('Again', sessionId)
  expect(
    contentsOf(lab.steps.at(-1)?.body ?? {})
      .join('\n')
      .split('<output pruned'),
  ).toHaveLength(1)
})

test('AB-4 an abort during a compaction by hand settles, and nothing has changed', async () => {
  const { lab, sessionId } = await openFull()
  await using _lab = lab
  const asked = Promise.withResolvers<void>()
  lab.summarise(() => {
    asked.resolve()
    return { status: 200, headers: {}, steps: [{ stall: true }] }
  })
  await unchangedBy(lab, sessionId, async () => {
    const compacting = lab.sessions.history.compact(sessionId)
    const refused = expect(compacting).rejects.toMatchObject({ code: 'COMPACTION_FAILED' })
    await asked.promise
    expect(await lab.sessions.abort(sessionId)).toEqual({ aborted: true })
    await refused
  })
  expect(lab.events.filter(isFailed)).toMatchObject([{ message: 'The compaction was stopped.' }])
  expect((await lab.turn('Four', sessionId)).messages.at(-1)?.metadata?.finishReason).toBe('stop')
})

test('AB-4 an abort during the compaction of a run ends the run as aborted', async () => {
  await using lab = await openHistoryLab()
  const { sessionId } = await lab.turn(words(1_800))
  await lab.turn(words(1_800), sessionId)
  const asked = Promise.withResolvers<void>()
  lab.summarise(() => {
    asked.resolve()
    return { status: 200, headers: {}, steps: [{ stall: true }] }
  })
  const { runId } = await lab.say(words(600), sessionId)
  await asked.promise
  await lab.sessions.abort(sessionId, runId)
  const last = (await lab.visible(sessionId)).at(-1)
  expect(last?.metadata?.finishReason).toBe('aborted')
  expect((await lab.session(sessionId)).status.state).toBe('idle')
})

test('AB-4 AB-2 an abort during the wait before a summary is tried again ends the wait', async () => {
  const asleep = Promise.withResolvers<number>()
  const clock = createFakeClock()
  const sleep = (ms: number, signal?: AbortSignal) => {
    asleep.resolve(ms)
    return clock.sleep(ms, signal)
  }
  await using lab = await openHistoryLab({ clock: { ...clock, sleep } })
  const { sessionId } = await lab.turn(words(600))
  for (const text of ['Two', 'Three']) await lab.turn(text, sessionId)
  lab.summarise(() => failure(503, 'Overloaded', { 'retry-after': '600' }))
  await unchangedBy(lab, sessionId, async () => {
    const compacting = lab.sessions.history.compact(sessionId)
    const refused = expect(compacting).rejects.toMatchObject({ code: 'COMPACTION_FAILED' })
    expect(await asleep.promise).toBe(600_000)
    expect(await lab.sessions.abort(sessionId)).toEqual({ aborted: true })
    await refused
  })
  expect(lab.summaries).toHaveLength(1)
})

test('CP-9 agent and session override the host’s settings, key by key', async () => {
  await using lab = await openHistoryLab(
    {},
    { compaction: { tail_turns: 3 }, agent: { compaction: { reserve_tokens: 500 } } },
  )
  const metadata = { compaction: { tail_turns: 1 } }
  const { id: sessionId } = await lab.sessions.create({ metadata })
  expect((await lab.session(sessionId)).contextWindow.usable).toBe(4_800)
  for (const text of [words(500), 'Two', 'Three']) await lab.turn(text, sessionId)
  await lab.sessions.history.compact(sessionId)
  expect((await lab.visible(sessionId)).map(textOf)).toEqual(['Three', 'Well.', ''])
  await expect(lab.sessions.create({ metadata: { compaction: { tail: 1 } } })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    field: 'metadata.compaction',
  })
})
