import { silentLogger } from '@palimpsest/testing/core-lab.ts'
import { findTool } from '@palimpsest/testing/find-tool.ts'
import {
  contentsOf,
  counted,
  type HistoryLab,
  late,
  openHistoryLab,
  trueMeter,
  words,
} from '@palimpsest/testing/history-lab.ts'
import { failure, reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import type { CondensedOutput } from '../../domain/message/condensed-output.ts'
import type { ChatMessage, MessageMetadata } from '../../domain/message/message.ts'
import type { Logger } from '../../ports/index.ts'
import type { CoreSettings } from '../../session/core-settings.ts'
import { todoTool } from '../../tool/todo.ts'

const ROOMY = { providerId: 'lab', modelId: 'roomy' }

type Line = { message: string; fields: Record<string, unknown> }

/** What a core logs, and a way to wait for it. */
function createLog() {
  const lines: Line[] = []
  const waiting = new Map<string, () => void>()
  const note = (fields: object, message: string) => {
    lines.push({ message, fields: { ...fields } })
    waiting.get(message)?.()
  }
  const logger: Logger = { ...silentLogger, info: note, warn: note }
  return {
    logger,
    lines,
    named: (message: string) => lines.filter((line) => line.message === message).map(({ fields }) => fields),
    next: (message: string) => new Promise<void>((resolve) => waiting.set(message, resolve)),
  }
}

async function openLab(settings: Partial<CoreSettings> = {}) {
  const log = createLog()
  const lab = await openHistoryLab(
    { logger: log.logger },
    { agent: { tools: [findTool, todoTool] }, compaction: { condense_above: 4_000 }, ...settings },
  )
  const { id: sessionId } = await lab.sessions.create({ title: 'Finds', model: ROOMY, workspaceRoot: null })
  return { lab, log, sessionId, [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose]() }
}

const finds = (tokens: number, id = 'call_a') => ({ toolCalls: [{ id, name: 'find', input: { tokens } }] })

function sentResults(lab: HistoryLab, step = -1): string[] {
  return contentsOf(lab.steps.at(step)?.body ?? {}).filter((line) => line.startsWith('tool: '))
}

const formsOf = (message: ChatMessage | undefined): MessageMetadata['condensed'] =>
  message?.metadata?.condensed

/** Index of the first such request among all of them. */
function placeOf({ provider, condensations: [first] }: HistoryLab): number {
  return first === undefined ? -1 : provider.requests.indexOf(first)
}

const CONDENSED = /^tool: <output condensed, 2\d{3} tokens>\n\nCondensed 1\.$/

test('PR-4 a large output is condensed while the run continues, and its later steps see that form', async () => {
  await using open = await openLab()
  const { lab, log, sessionId } = open
  const condensed = log.next('Condensed an output')
  const goneOn = Promise.withResolvers<void>()
  lab.condense(() => late(goneOn.promise, { text: 'Condensed 1.' }))
  lab.provider.script(
    (request) => counted(request, finds(2_500)),
    (request) => {
      goneOn.resolve()
      return counted(request, { ...finds(10, 'call_b'), hold: { before: 0, until: condensed } })
    },
    (request) => counted(request, { text: 'Found.' }),
  )
  const { messages } = await lab.turn('Find it', sessionId)
  // No step has waited for it.
  expect(sentResults(lab, 1)).toEqual([expect.stringMatching(/^tool: needle needle/)])
  expect(sentResults(lab, 2)).toEqual([expect.stringMatching(CONDENSED), expect.stringContaining('needle')])

  const [request] = lab.condensations
  expect(request?.body).toMatchObject({ model: 'cheap', temperature: 0.2, max_tokens: 1_024 })
  expect(request?.body['tools']).toBeUndefined()
  expect(JSON.stringify(request?.body)).toContain('<call>\\nfind {\\"tokens\\":2500}\\n</call>')
  const call = messages[1]?.parts.find((part) => part.type === 'tool-find')
  expect(call).toMatchObject({ output: { text: words(2_500, 'needle') } })
  expect(formsOf(messages[1])).toEqual({
    call_a: {
      text: 'Condensed 1.',
      model: { providerId: 'lab', modelId: 'cheap' },
      ofCharacters: words(2_500, 'needle').length,
      beforeTokens: expect.any(Number),
      afterTokens: expect.any(Number),
      spentTokens: expect.any(Number),
    },
  })
  expect(log.named('Condensed outputs used')).toEqual([
    { sessionId, runId: messages[1]?.metadata?.runId, hits: 1, total: 1 },
  ])
  const used = await trueMeter(lab, sessionId)
  expect(used).toBeLessThan(1_000)
  expect((await lab.session(sessionId)).contextWindow.estimated).toBe(false)
})

test('PR-4 a form that is completed after the run is stored, and the window follows', async () => {
  await using open = await openLab()
  const { lab, sessionId } = open
  const gate = Promise.withResolvers<void>()
  lab.condense(() => late(gate.promise, { text: 'Condensed 1.' }))
  lab.provider.script(
    (request) => counted(request, finds(2_500)),
    (request) => counted(request, { text: 'Found.' }),
  )
  const { messages } = await lab.turn('Find it', sessionId)
  expect(formsOf(messages[1])).toBeUndefined()
  const before = await trueMeter(lab, sessionId)
  const published = lab.event((event) => event.type === 'message-changed')
  const measured = lab.event((event) => event.type === 'usage')
  gate.resolve()
  expect(await published).toMatchObject({ message: { metadata: { condensed: { call_a: {} } } } })
  await measured
  const after = await trueMeter(lab, sessionId)
  expect(before - after).toBeGreaterThan(2_000)
  expect((await lab.visible(sessionId)).map(({ parts }) => parts)).toEqual(messages.map(({ parts }) => parts))

  await lab.turn('And now?', sessionId)
  expect(sentResults(lab)).toEqual([expect.stringMatching(CONDENSED)])
  await trueMeter(lab, sessionId)
  expect((await lab.session(sessionId)).contextWindow.estimated).toBe(false)
})

test('PR-4 an output is condensed once: neither a call of the same id nor a restart asks again', async () => {
  await using open = await openLab()
  const { lab, log, sessionId } = open
  const condensed = log.next('Condensed an output')
  lab.provider.script(
    (request) => counted(request, finds(2_500)),
    (request) => counted(request, { ...finds(2_500), hold: { before: 0, until: condensed } }),
    (request) => counted(request, { text: 'Found.' }),
  )
  await lab.turn('Find it twice', sessionId)
  expect(lab.condensations).toHaveLength(1)
  await using restarted = await openHistoryLab(
    { store: lab.ports.store },
    { agent: { tools: [findTool] }, compaction: { condense_above: 4_000 } },
  )
  await restarted.turn('And now?', sessionId)
  expect(restarted.condensations).toEqual([])
  expect(sentResults(restarted)).toContainEqual(expect.stringMatching(CONDENSED))
})

const STOPS = {
  'a stop of the run': (lab: HistoryLab, sessionId: string) => lab.sessions.abort(sessionId),
  'the end of the session': (lab: HistoryLab, sessionId: string) => lab.sessions.delete(sessionId),
  'the end of the host': (lab: HistoryLab) => lab.core.shutdown(0),
}

test.for(Object.keys(STOPS) as (keyof typeof STOPS)[])('PR-4 %s aborts the condensing', async (stop) => {
  await using open = await openLab()
  const { lab, log, sessionId } = open
  const asked = Promise.withResolvers<void>()
  lab.condense(() => {
    asked.resolve()
    return late(new Promise(() => undefined), { text: 'Never' })
  })
  lab.provider.script(
    (request) => counted(request, finds(2_500)),
    (request) =>
      counted(request, { text: 'Found it', hold: { before: 0, until: new Promise(() => undefined) } }),
  )
  const { runId } = await lab.say('Find it', sessionId)
  await asked.promise
  const index = placeOf(lab)
  await STOPS[stop](lab, sessionId)
  expect(await lab.provider.closed(index)).toMatchObject({ by: 'client' })
  await lab.chunksOf(sessionId, runId).catch(() => [])
  expect(log.named('An output could not be condensed')).toEqual([])
})

test('PR-4 an abort after the run aborts the condensing', async () => {
  await using open = await openLab()
  const { lab, sessionId } = open
  lab.condense(() => late(new Promise(() => undefined), { text: 'Never' }))
  lab.provider.script(
    (request) => counted(request, finds(2_500)),
    (request) => counted(request, { text: 'Found.' }),
  )
  await lab.turn('Find it', sessionId)
  const index = placeOf(lab)
  expect(await lab.sessions.abort(sessionId)).toEqual({ aborted: false })
  expect(await lab.provider.closed(index)).toMatchObject({ by: 'client' })
})

test('PR-4 a condensed form that cannot be had is logged, and the conversation continues', async () => {
  await using open = await openLab()
  const { lab, log, sessionId } = open
  lab.condense(() => failure(400, 'No'))
  const failed = log.next('An output could not be condensed')
  lab.provider.script(
    (request) => counted(request, finds(2_500)),
    (request) => counted(request, { text: 'Found.', hold: { before: 0, until: failed } }),
  )
  const { messages } = await lab.turn('Find it', sessionId)
  expect(messages[1]?.metadata).toMatchObject({ finishReason: 'stop' })
  expect(formsOf(messages[1])).toBeUndefined()
  // The cheap model could not be used, so its own was asked.
  expect(lab.condensations.map(({ body }) => body['model'])).toEqual(['cheap', 'roomy'])
  expect(log.named('An output could not be condensed')).toMatchObject([{ sessionId, toolCallId: 'call_a' }])
})

test('PR-4 only large outputs are condensed, no state, and nothing that would not be shorter', async () => {
  await using open = await openLab({ compaction: { condense_above: 1_000 } })
  const { lab, log, sessionId } = open
  const todos = Array.from({ length: 90 }, (_, at) => ({ content: `${words(10)} ${at}`, status: 'pending' }))
  lab.condense((_, index) => reply({ text: words(index === 0 ? 700 : 10, 'same') }))
  lab.provider.script(
    (request) => counted(request, finds(240, 'small')),
    (request) => counted(request, { toolCalls: [{ id: 'state', name: 'todo', input: { todos } }] }),
    (request) => counted(request, finds(600, 'long')),
    (request) => counted(request, { text: 'Found.' }),
  )
  const { messages } = await lab.turn('Find it', sessionId)
  expect(messages[1]?.parts.filter((part) => 'output' in part)).toHaveLength(3)
  await expect.poll(() => lab.condensations.length).toBe(1)
  expect(JSON.stringify(lab.condensations[0]?.body)).toContain('600')
  expect(log.named('Condensed an output')).toEqual([])
})

test('PR-4 condensing is off by default, and a session can enable it for itself', async () => {
  await using open = await openLab({ compaction: {} })
  const { lab, sessionId } = open
  const own = await lab.sessions.create({
    title: 'Own',
    model: ROOMY,
    metadata: { compaction: { condense_above: 4_000 } },
  })
  for (const id of [sessionId, own.id]) {
    lab.provider.script(
      (request) => counted(request, finds(2_500)),
      (request) => counted(request, { text: 'Found.' }),
    )
    await lab.turn('Find it', id)
  }
  await expect.poll(() => lab.condensations.length).toBe(1)
})

test('PR-4 a few of many large outputs are condensed at once, the others after them', async () => {
  await using open = await openLab()
  const { lab, log, sessionId } = open
  const gate = Promise.withResolvers<void>()
  lab.condense((_, index) => late(gate.promise, { text: `Condensed ${index + 1}.` }))
  const calls = Array.from({ length: 7 }, (_, index) => finds(1_200 + index, `call_${index}`).toolCalls[0])
  lab.provider.script(
    (request) => counted(request, { toolCalls: calls.flatMap((call) => call ?? []) }),
    (request) => counted(request, { text: 'Found.' }),
  )
  const before = lab.provider.requests.length
  const { runId } = await lab.say('Find all of it', sessionId)
  await lab.chunksOf(sessionId, runId)
  await lab.provider.received(before + 5)
  expect(lab.condensations).toHaveLength(4)
  gate.resolve()
  while (log.named('Condensed an output').length < 7) await log.next('Condensed an output')
  expect(lab.condensations).toHaveLength(7)
})

test('PR-4 an abort drops the outputs that wait, and those of other sessions are condensed after it', async () => {
  await using open = await openLab()
  const { lab, log, sessionId } = open
  lab.condense((_, index) =>
    index < 4 ? late(new Promise(() => undefined), { text: 'Never' }) : reply({ text: 'Condensed.' }),
  )
  const calls = Array.from({ length: 7 }, (_, index) => finds(1_200 + index, `call_${index}`).toolCalls[0])
  lab.provider.script(
    (request) => counted(request, { toolCalls: calls.flatMap((call) => call ?? []) }),
    (request) => counted(request, { text: 'Found.' }),
  )
  await lab.turn('Find all of it', sessionId)
  await expect.poll(() => lab.condensations.length).toBe(4)
  await lab.sessions.abort(sessionId)

  const other = await lab.sessions.create({ title: 'Others', model: ROOMY })
  lab.provider.script(
    (request) => counted(request, finds(2_500, 'call_other')),
    (request) => counted(request, { text: 'Found.' }),
  )
  const condensed = log.next('Condensed an output')
  await lab.turn('Find it', other.id)
  await condensed
  expect(lab.condensations).toHaveLength(5)
})

/** A session in which one output was condensed; with its reply. */
async function openCondensed(settings: Partial<CoreSettings> = {}) {
  const open = await openLab(settings)
  const { lab, log, sessionId } = open
  const condensed = log.next('Condensed an output')
  lab.provider.script(
    (request) => counted(request, finds(2_500)),
    (request) => counted(request, { text: 'Found.', hold: { before: 0, until: condensed } }),
  )
  const messageId = (await lab.turn('Find it', sessionId)).messages.at(-1)?.id ?? ''
  const call = { sessionId, messageId, toolCallId: 'call_a' }
  const form = async () => formsOf((await lab.everything(sessionId)).find(({ id }) => id === messageId))
  return { ...open, call, form, timeline: () => lab.sessions.history.timeline(sessionId) }
}

const WHOLE = /^tool: needle needle/

test('PR-4 a condensed output is seen whole again by one call, and by its condensed form by another', async () => {
  await using open = await openCondensed()
  const { lab, sessionId, call, form } = open
  const { uncondense, recondense } = lab.sessions.history
  const [stored, condensed] = [await form(), await trueMeter(lab, sessionId)]
  const published = lab.event((event) => event.type === 'message-changed')
  const measured = lab.event((event) => event.type === 'usage')
  const done = await uncondense(call)
  expect(await published).toMatchObject({
    message: { metadata: { condensed: { call_a: { unused: true } } } },
  })
  const whole = await trueMeter(lab, sessionId)
  // Its last step was counted when nothing was condensed yet, so that count holds again.
  expect(await measured).toMatchObject({ contextWindow: { used: whole, estimated: false } })
  expect(done).toEqual({ operationId: expect.stringMatching(/^op_/), tokens: whole - condensed })
  expect(done.tokens).toBeGreaterThan(2_000)
  expect(await uncondense(call)).toEqual({ operationId: null, tokens: 0 })

  await lab.turn('And now?', sessionId)
  expect(sentResults(lab)).toEqual([expect.stringMatching(WHOLE)])
  expect(await form()).toEqual({ call_a: { ...stored?.['call_a'], unused: true } })
  expect(lab.condensations).toHaveLength(1)
  expect((await lab.session(sessionId)).contextWindow.estimated).toBe(false)
  const before = await trueMeter(lab, sessionId)

  const back = await recondense(call)
  expect(await form()).toEqual(stored)
  expect(before - back.tokens).toBe(await trueMeter(lab, sessionId))
  expect(await recondense(call)).toEqual({ operationId: null, tokens: 0 })
  await lab.turn('And then?', sessionId)
  expect(sentResults(lab)).toEqual([expect.stringMatching(CONDENSED)])
  await trueMeter(lab, sessionId)
})

test('PR-4 an output that was uncondensed stays whole, through late forms and a restart', async () => {
  await using open = await openCondensed()
  const { lab, sessionId, call, form } = open
  await lab.sessions.history.uncondense(call)
  const again = { ...(await form())?.['call_a'], text: 'Another.' } as CondensedOutput
  const context = { contextTokens: 9, contextEstimated: true, at: lab.ports.clock.now() }
  const { unused: _, ...used } = again
  await lab.ports.store.history.keepCondensed({ ...call, condensed: { call_a: used }, ...context })
  expect(await form()).toMatchObject({ call_a: { text: 'Condensed 1.', unused: true } })
  await using restarted = await openHistoryLab(
    { store: lab.ports.store },
    { agent: { tools: [findTool] }, compaction: { condense_above: 4_000 } },
  )
  await restarted.turn('And now?', sessionId)
  expect(restarted.condensations).toEqual([])
  expect(sentResults(restarted)).toEqual([expect.stringMatching(WHOLE)])
})

test('PR-4 a continued reply sees the stopped reply’s output whole after an uncondense', async () => {
  await using open = await openLab()
  const { lab, log, sessionId } = open
  const condensed = log.next('Condensed an output')
  lab.provider.script(
    (request) => counted(request, finds(2_500)),
    (request) => counted(request, { text: 'Half', hold: { before: 0, until: new Promise(() => undefined) } }),
    (request) => counted(request, finds(10, 'call_b')),
    (request) => counted(request, { text: 'Found.' }),
  )
  const { runId } = await lab.say('Find it', sessionId)
  await condensed
  await lab.sessions.abort(sessionId, runId)
  const messageId = (await lab.visible(sessionId)).at(-1)?.id ?? ''
  await lab.sessions.history.uncondense({ sessionId, messageId, toolCallId: 'call_a' })
  const { runId: next } = await lab.sessions.continue(sessionId)
  await lab.chunksOf(sessionId, next)
  for (const step of [-2, -1]) expect(sentResults(lab, step)[0]).toMatch(WHOLE)
  const [, reply] = await lab.visible(sessionId)
  expect(reply?.metadata).toMatchObject({ finishReason: 'aborted', condensed: { call_a: { unused: true } } })
  await trueMeter(lab, sessionId)
  await lab.sessions.history.recondense({ sessionId, messageId, toolCallId: 'call_a' })
  await trueMeter(lab, sessionId)
  await lab.turn('And now?', sessionId)
  expect(sentResults(lab)[0]).toMatch(CONDENSED)
})

test('PR-4 an uncondense or recondense that is not possible changes nothing and fails with the reason', async () => {
  await using open = await openCondensed()
  const { lab, sessionId, call, timeline } = open
  const { uncondense } = lab.sessions.history
  const codeOf = (given: Partial<typeof call>) =>
    uncondense({ ...call, ...given }).then(
      () => 'done',
      ({ code }) => code,
    )
  const [question] = await lab.visible(sessionId)
  expect(await codeOf({ sessionId: 'none' })).toBe('SESSION_NOT_FOUND')
  expect(await codeOf({ messageId: 'none' })).toBe('MESSAGE_NOT_FOUND')
  expect(await codeOf({ messageId: question?.id ?? '' })).toBe('INVALID_INPUT')
  expect(await codeOf({ toolCallId: 'constructor' })).toBe('INVALID_INPUT')
  const gate = Promise.withResolvers<void>()
  lab.provider.script((request) =>
    counted(request, { text: 'Well.', hold: { before: 0, until: gate.promise } }),
  )
  const { runId } = await lab.say('Wait', sessionId)
  expect(await codeOf({})).toBe('SESSION_BUSY')
  gate.resolve()
  await lab.chunksOf(sessionId, runId)
  expect(await timeline()).toEqual([])
  expect(sentResults(lab)).toEqual([expect.stringMatching(CONDENSED)])
})

test('PR-4 the timeline marks the last visibility change of an output as undoable', async () => {
  await using open = await openCondensed()
  const { lab, call, timeline } = open
  const { uncondense, recondense } = lab.sessions.history
  for (const act of [uncondense, recondense, uncondense]) await act(call)
  expect((await timeline()).map(({ kind, canUndo }) => [kind, canUndo])).toEqual([
    ['uncondense', true],
    ['recondense', false],
    ['uncondense', false],
  ])
  const [{ detail } = { detail: undefined }] = await timeline()
  expect(detail).toMatchObject({
    targetMessageId: call.messageId,
    toolCallId: 'call_a',
    hidden: [],
    shown: [],
  })
  expect((detail?.afterTokens ?? 0) - (detail?.beforeTokens ?? 0)).toBeGreaterThan(2_000)
})

test('PR-4 an uncondensed output is pruned like any other, and an un-prune restores it in full', async () => {
  await using open = await openCondensed()
  const { lab, sessionId, call } = open
  const { uncondense, prune, unprune } = lab.sessions.history
  lab.condense(() => failure(400, 'No'))
  for (const tokens of [15_000, 15_000, 15_000, 15_000, 15_000, 15_000]) {
    lab.provider.script(
      (request) => counted(request, finds(tokens, `call_${lab.steps.length}`)),
      (request) => counted(request, { text: 'Found.' }),
    )
    await lab.turn('Find more', sessionId)
  }
  await uncondense(call)
  const whole = await trueMeter(lab, sessionId)
  await prune(sessionId)
  await trueMeter(lab, sessionId)
  await lab.turn('And now?', sessionId)
  expect(sentResults(lab)[0]).toMatch(/^tool: <output pruned, 2\d{3} tokens>$/)
  await unprune(sessionId)
  expect(await trueMeter(lab, sessionId)).toBeGreaterThan(whole)
  await lab.turn('And then?', sessionId)
  expect(sentResults(lab)[0]).toMatch(WHOLE)
})

test('PR-4 a branch and a copy see an output as their original did, and go their own ways from there', async () => {
  await using open = await openCondensed()
  const { lab, sessionId, call, form } = open
  const { history } = lab.sessions
  await history.uncondense(call)
  const branch = await history.branch({ sessionId, fromMessageId: call.messageId })
  const lines = await Array.fromAsync(history.export({ sessionId }))
  const copy = await history.import(lines)
  for (const { id } of [branch, copy]) {
    const [, reply] = await lab.visible(id)
    expect(formsOf(reply)).toEqual(await form())
    await trueMeter(lab, id)
    await lab.turn('And now?', id)
    expect(sentResults(lab)).toEqual([expect.stringMatching(WHOLE)])
    const { operationId } = await history.recondense({ ...call, sessionId: id, messageId: reply?.id ?? '' })
    expect(operationId).not.toBeNull()
    await trueMeter(lab, id)
  }
  const [entry] = (await history.timeline(copy.id)).slice(-1)
  expect(entry).toMatchObject({ kind: 'uncondense', canUndo: false })
  expect(entry?.detail.targetMessageId).toBe((await lab.visible(copy.id))[1]?.id)
  expect((await form())?.['call_a']?.unused).toBe(true)
  await lab.turn('And here?', sessionId)
  expect(sentResults(lab)).toEqual([expect.stringMatching(WHOLE)])

  await using elsewhere = await openHistoryLab()
  await elsewhere.sessions.history.import(lines)
  const carried = await Array.fromAsync(elsewhere.sessions.history.export({ sessionId }))
  expect(lines.join('')).toContain('\\"unused\\":true')
  expect(carried.join('')).toBe(lines.join(''))
})
