import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CondensedOutput } from '../domain/message/condensed-output.ts'
import { isToolPart, type StoredMessage, type StoredPart } from '../domain/message/message.ts'
import { prunableOutputs } from '../history/plan/prunable-outputs.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { buildModelView, leftOut, modelViewOf } from './model-view.ts'

function toModelView(message: StoredMessage) {
  const building = buildModelView()
  building.add(message)
  return building.view()
}

type Call = { id: string; output: string; condensed: string | null; stale: boolean; pruned: boolean }

const form = (text: string, ofCharacters: number): CondensedOutput => ({
  text,
  model: { providerId: 'lab', modelId: 'cheap' },
  ofCharacters,
  beforeTokens: 1,
  afterTokens: 1,
  spentTokens: 1,
})

const part = ({ id, output, pruned }: Call, index: number): StoredPart => ({
  id: `prt_${index}`,
  index,
  data: {
    type: 'tool-find',
    toolCallId: id,
    state: 'output-available',
    input: {},
    output: { type: 'output', text: output },
  },
  prunedAt: pruned ? 1 : null,
})

function replyWith(calls: readonly Call[]): StoredMessage {
  const forms = calls.flatMap(({ id, output, condensed, stale }) =>
    condensed === null ? [] : [[id, form(condensed, output.length + (stale ? 1 : 0))] as const],
  )
  return {
    id: 'msg_1',
    sessionId: 'ses_1',
    seq: 1,
    role: 'assistant',
    metadata: { schemaVersion: 1, createdAt: 1, condensed: Object.fromEntries(forms) },
    parts: calls.map(part),
    hiddenAt: null,
    hiddenBy: null,
    queuedAt: null,
    createdAt: 1,
    updatedAt: 1,
  }
}

/** Ids that are names of an object's own things included. */
const calls = fc.uniqueArray(
  fc.record({
    id: fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('__proto__', 'constructor', 'toString')),
    output: fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.nat(120_000).map((length) => 'x'.repeat(length)),
    ),
    condensed: fc.option(fc.string({ minLength: 1, maxLength: 60 })),
    stale: fc.boolean(),
    pruned: fc.boolean(),
  }),
  { selector: ({ id }) => id, maxLength: 8 },
)

test('PR-4 a view loses no call and no result, and what it leaves out is what the window saves', () => {
  fc.assert(
    fc.property(calls, (made) => {
      const message = replyWith(made)
      const { messages, pruned, condensed } = toModelView(message)
      const seen = messages[0]?.parts.filter(isToolPart) ?? []
      expect(seen.map(({ toolCallId, state }) => [toolCallId, state])).toEqual(
        made.map(({ id }) => [id, 'output-available']),
      )
      const texts = seen.map(({ output }) => (output as { text: string }).text)
      for (const [index, call] of made.entries()) {
        const applies = call.condensed !== null && !call.stale
        if (call.pruned) expect(texts[index]).toMatch(/<output pruned|characters pruned>/)
        else
          expect(texts[index]).toEqual(applies ? expect.stringContaining(call.condensed ?? '') : call.output)
      }
      const lengthOf = (all: readonly string[]) => all.reduce((sum, text) => sum + text.length, 0)
      expect(pruned).toBe(lengthOf(made.map(({ output }) => output)) - lengthOf(texts))
      expect(leftOut([message])).toEqual({ pruned, condensed })
      const whole = { id: message.id, role: message.role, parts: message.parts.map(({ data }) => data) }
      const saved = estimateTokens([whole], 'openai') - estimateTokens([modelViewOf(message)], 'openai')
      expect(Math.abs(saved - pruned / 4)).toBeLessThanOrEqual(1)
    }),
  )
})

test('PR-4 PR-3 a condensed output is not trimmed, and pruning it gains only its condensed form', () => {
  const call: Call = { id: 'a', output: 'x'.repeat(80_000), condensed: null, stale: false, pruned: false }
  const gain = (more: Partial<Call>) =>
    prunableOutputs([replyWith([{ ...call, ...more }])], { providerId: 'openai', scale: 1 })[0]?.tokens
  expect(gain({})).toBeGreaterThan(19_000)
  expect(gain({ condensed: 'y'.repeat(4_000) })).toBeLessThan(1_100)
  const stub = modelViewOf(replyWith([{ ...call, condensed: 'Short', pruned: true }])).parts[0]
  expect(stub).toMatchObject({ output: { text: '<output pruned, 20000 tokens>' } })
})
