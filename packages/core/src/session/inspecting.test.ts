import { openCoreLab, reply } from '@palimpsest/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { INSPECT_LIMITS } from '../domain/session/inspection.ts'
import { defineTool } from '../tool/tool.ts'
import { inspectMessage } from './inspect-message.ts'
import { inspectRows } from './inspect-rows.ts'

const dig = defineTool({
  id: 'dig',
  description: 'Digs',
  input: z.object({ place: z.string() }),
  requires: ({ place }) => [{ permission: 'edit', pattern: place }],
  execute: () => Promise.resolve({ text: 'Sand' }),
})
const RULE = { permission: 'edit', pattern: 'here', action: 'allow', source: 'manifest' } as const
const call = (place: string) => reply({ toolCalls: [{ name: 'dig', input: { place } }] })

async function openDug() {
  const rules = [RULE, { ...RULE, pattern: 'there', action: 'deny' } as const]
  const lab = await openCoreLab({}, { agent: { tools: [dig], rules } })
  lab.provider.script(call('here'), call('there'), reply({ text: 'Done' }))
  const { sessionId, messages } = await lab.turn('Dig twice')
  return Object.assign(lab, { sessionId, replyId: messages[1]?.id ?? '' })
}

test('UI-27 each step of a reply has its figures, its calls, and the rule that decided about each', async () => {
  await using lab = await openDug()
  const { items, nextCursor } = await lab.sessions.inspect.messages({ sessionId: lab.sessionId })
  expect(nextCursor).toBeNull()
  expect(items[0]).toMatchObject({ role: 'user', text: 'Dig twice', steps: [] })
  const tokens = { input: 10, output: expect.any(Number) }
  const decided = (approved: boolean, reason: string) => ({ approved, automatic: true, reason })
  expect(items[1]).toMatchObject({
    id: lab.replyId,
    finishReason: 'stop',
    stepsLeftOut: 0,
    callsLeftOut: 0,
    steps: [
      {
        no: 1,
        tokens,
        finishReason: 'tool-calls',
        durationMs: expect.any(Number),
        calls: [{ tool: 'dig', decision: decided(true, 'manifest: edit here') }],
      },
      { no: 2, tokens, calls: [{ decision: decided(false, expect.stringContaining('there')) }] },
      { no: 3, tokens, finishReason: 'stop', calls: [] },
    ],
  })
  const { usage, steps } = items[1] ?? { usage: null, steps: [] }
  expect(steps.reduce((sum, step) => sum + (step.tokens?.input ?? 0), 0)).toBe(usage?.input)
})

test('UI-27 a reply’s tool catalogue is that of its prompt, and other messages have none', async () => {
  await using lab = await openDug()
  const { sessions, sessionId } = lab
  const tools = await sessions.inspect.tools(sessionId, lab.replyId)
  const { digest } = await sessions.systemPrompt(sessionId, lab.replyId)
  expect(tools).toEqual({ digest, items: [{ id: 'dig', description: 'Digs' }], leftOut: 0 })
  const { items } = await sessions.inspect.messages({ sessionId })
  for (const id of [items[0]?.id ?? '', 'msg_unknown'])
    await expect(sessions.inspect.tools(sessionId, id)).rejects.toMatchObject({ code: 'MESSAGE_NOT_FOUND' })
})

test('UI-27 rows are those of the store, hidden ones too, in pages', async () => {
  await using lab = await openDug()
  const { sessions, sessionId } = lab
  const [question] = (await sessions.inspect.rows({ sessionId })).items
  await sessions.history.rewind({ sessionId, messageId: question?.id ?? '' })
  const newest = await sessions.inspect.rows({ sessionId, limit: 1 })
  expect(newest.items).toMatchObject([{ id: lab.replyId, hiddenBy: expect.stringMatching(/^op_/) }])
  const before = await sessions.inspect.rows({ sessionId, limit: 1, cursor: newest.nextCursor ?? '' })
  expect(before).toMatchObject({ items: [{ id: question?.id, seq: 1 }], nextCursor: null })
  const stored = await lab.ports.store.messages.get(sessionId, lab.replyId)
  const [row] = newest.items
  expect(row?.parts.map(({ json }) => JSON.parse(json))).toEqual(stored?.parts.map(({ data }) => data))
  expect(JSON.parse(row?.metadata.json ?? '')).toMatchObject({
    step_figures: { 1: { tokens: { cache_read: 0 }, finish_reason: 'tool-calls' } },
  })
})

test('UI-27 a page that is too large, and a session that is not there, are refused', async () => {
  await using lab = await openDug()
  const { inspect } = lab.sessions
  for (const limit of [0, 21, 1.5])
    for (const read of [inspect.messages, inspect.rows])
      await expect(read({ sessionId: lab.sessionId, limit })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        field: 'limit',
      })
  for (const refused of [
    inspect.messages({ sessionId: 'none' }),
    inspect.rows({ sessionId: 'none' }),
    inspect.tools('none', lab.replyId),
  ])
    await expect(refused).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
})

const base = {
  sessionId: 's',
  seq: 1,
  hiddenAt: null,
  hiddenBy: null,
  queuedAt: null,
  createdAt: 0,
  updatedAt: 0,
}
const metadata = { schemaVersion: 1, createdAt: 0 } as const

test('UI-27 the JSON of a page is bounded, and each cut one says how long it is', () => {
  const length = fc.integer({ min: 0, max: 20_000 })
  const rows = fc.array(fc.array(length, { maxLength: 8 }), { maxLength: 20 })
  fc.assert(
    fc.property(rows, (lengths) => {
      const messages = lengths.map((parts, row) => ({
        ...base,
        id: `m${row}`,
        role: 'user' as const,
        metadata,
        parts: parts.map((characters, index) => ({
          id: `p${index}`,
          index,
          prunedAt: null,
          data: { type: 'text' as const, text: '𝄞'.repeat(characters / 2) },
        })),
      }))
      const json = inspectRows(messages).flatMap((row) => [row.metadata, ...row.parts])
      const shown = json.reduce((sum, one) => sum + one.json.length, 0)
      expect(shown).toBeLessThanOrEqual(INSPECT_LIMITS.pageCharacters)
      for (const one of json) {
        expect(one.json.length).toBeLessThanOrEqual(Math.min(one.characters, INSPECT_LIMITS.partCharacters))
        expect(one.json.isWellFormed()).toBe(true)
      }
    }),
  )
})

test('UI-27 steps and calls beyond the bounds are counted', () => {
  const step = { type: 'step-start' } as const
  const made = {
    type: 'dynamic-tool',
    toolName: 'dig',
    state: 'output-available',
    input: {},
    output: '',
  } as const
  const steps = Array.from({ length: INSPECT_LIMITS.steps + 3 }, () => step)
  const calls = Array.from({ length: INSPECT_LIMITS.calls + 5 }, (_, index) => ({
    ...made,
    toolCallId: `c${index}`,
  }))
  const parts = [...steps, ...calls].map((data, index) => ({ id: `p${index}`, index, data, prunedAt: null }))
  const inspected = inspectMessage({ ...base, id: 'm', role: 'assistant', metadata, parts }, () => null)
  expect(inspected).toMatchObject({ stepsLeftOut: 3, callsLeftOut: 5, costUsd: null })
  expect(inspected.steps).toHaveLength(INSPECT_LIMITS.steps)
})
