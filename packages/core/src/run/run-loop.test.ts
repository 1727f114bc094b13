import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { reduceBySdk } from '@palimpsest/testing/reduce-by-sdk.ts'
import { deltas, type ReplyScript, reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { withRuns } from '@palimpsest/testing/with-runs.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { RecordWrite, StepEnding } from '../ports/index.ts'
import { defineTool, ToolError } from '../tool/tool.ts'

const todo = { name: 'todo', input: { todos: [{ content: 'Look', status: 'completed' }] } }

test('RU-3 the user message is on disk before the provider sees it', async () => {
  await using lab = await openCoreLab()
  const { id: sessionId } = await lab.sessions.create({})
  const seen = Promise.withResolvers<string[]>()
  lab.provider.script(() => {
    const stored = lab.sessions.messages({ sessionId })
    seen.resolve(stored.then(({ items }) => items.map(({ role }) => role)))
    return reply({ text: 'Hello' })
  })
  await lab.turn('Hi', sessionId)
  expect(await seen.promise).toEqual(['user'])
})

test('RU-3 the row of the reply appears with its first chunk', async () => {
  await using lab = await openCoreLab()
  const go = Promise.withResolvers<void>()
  lab.provider.script(reply({ text: ['Hel', 'lo'], hold: { before: 1, until: go.promise } }))
  const { sessionId, runId } = await lab.say('Hi')
  for await (const chunks of lab.sessions.stream({ sessionId })) {
    if (chunks.some(({ type }) => type === 'start')) break
  }
  const { items } = await lab.sessions.messages({ sessionId })
  expect(items.map(({ role }) => role)).toEqual(['user', 'assistant'])
  go.resolve()
  await lab.chunksOf(sessionId, runId)
})

test('RU-2 a reply of text is stored as the AI SDK reduces its chunks', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: deltas(200, 'ab ') }))
  const { chunks, messages } = await lab.turn('Hi')
  expect(messages).toHaveLength(2)
  expect(messages[1]).toEqual(await reduceBySdk(chunks))
  expect(messages[1]?.metadata?.finishReason).toBe('stop')
})

test('RU-2 a run of tool steps is stored as the AI SDK reduces its chunks', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'Let me note that.', toolCalls: [todo] }), reply({ text: 'Noted.' }))
  const { chunks, messages } = await lab.turn('Plan')
  expect(messages[1]).toEqual(await reduceBySdk(chunks))
  expect(messages[1]?.parts.map(({ type }) => type)).toEqual([
    'step-start',
    'text',
    'tool-todo',
    'step-start',
    'text',
  ])
  expect(messages[1]?.metadata?.usage?.steps).toBe(2)
})

const words = fc.array(fc.string({ unit: 'grapheme', maxLength: 6 }), { maxLength: 8 })
const call = fc.oneof(
  fc.constant(todo),
  fc.record({ name: fc.constant('todo'), input: fc.constant({ items: 'none' }) }),
  fc.record({ name: fc.constant('read'), input: fc.constant({ path: 'missing.txt' }) }),
  fc.record({ name: fc.constant('unheard-of'), input: fc.dictionary(fc.string(), fc.integer()) }),
)
const script: fc.Arbitrary<ReplyScript> = fc.record({
  reasoning: words,
  text: words,
  toolCalls: fc
    .array(fc.record({ call, pieces: fc.integer({ min: 1, max: 5 }) }), { maxLength: 3 })
    .map((calls) => calls.map(({ call, pieces }, index) => ({ ...call, pieces, id: `call_${index}` }))),
})

test('RU-2 for any stream of a provider, the stored message is the one that the AI SDK makes of the chunks', async () => {
  await using lab = await openCoreLab()
  await fc.assert(
    fc.asyncProperty(fc.array(script, { maxLength: 3 }), async (scripts) => {
      const left = scripts.map((step) => reply(step))
      lab.provider.otherwise(() => left.shift() ?? reply({ text: 'The end' }))
      const { id: sessionId } = await lab.sessions.create({ title: 'Random' })
      const { chunks, messages } = await lab.turn('Go', sessionId)
      expect(messages.at(-1)).toEqual(await reduceBySdk(chunks))
    }),
    { numRuns: 60 },
  )
})

test('RU-4 a run ends with the step that makes no tool call', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'Done' }))
  await lab.turn('Hi')
  expect(lab.steps).toHaveLength(1)
})

test('RU-4 a server that ends a reply of tool calls with stop gets their results all the same', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ toolCalls: [todo], finishReason: 'stop' }), reply({ text: 'Noted' }))
  const { messages } = await lab.turn('Plan')
  expect(messages[1]?.parts.at(-1)).toMatchObject({ type: 'text', text: 'Noted' })
})

test('RU-4 a reply that was cut at its length ends the run', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'And the', finishReason: 'length' }))
  const { messages } = await lab.turn('Tell')
  expect(messages[1]?.metadata?.finishReason).toBe('length')
  expect(lab.steps).toHaveLength(1)
})

test('RU-4 a run makes as many model calls as its agent may, and says that it stopped there', async () => {
  await using lab = await openCoreLab({}, { agent: { maxSteps: 2 } })
  lab.provider.otherwise(() => reply({ toolCalls: [todo] }))
  const { messages, chunks } = await lab.turn('Plan for ever')
  expect(lab.steps).toHaveLength(2)
  expect(messages[1]?.metadata?.finishReason).toBe('max-steps')
  expect(chunks.at(-1)).toMatchObject({ type: 'finish', finishReason: 'other' })
})

const handIn = defineTool({
  id: 'hand_in',
  description: 'Submits the work',
  input: z.object({ work: z.string() }),
  requires: () => [],
  final: true,
  execute: ({ work }) => Promise.resolve({ text: `Got ${work}` }),
})

test('RU-4 a call of a tool that declares itself final ends the run', async () => {
  await using lab = await openCoreLab({}, { agent: { tools: [handIn] } })
  lab.provider.script(reply({ toolCalls: [{ name: 'hand_in', input: { work: 'essay' } }] }))
  const { messages } = await lab.turn('Write')
  expect(lab.steps).toHaveLength(1)
  expect(messages[1]?.metadata?.finishReason).toBe('stop')
  expect(messages[1]?.parts.at(-1)).toMatchObject({
    state: 'output-available',
    output: { text: 'Got essay' },
  })
})

const dig = defineTool({
  id: 'dig',
  description: 'Digs',
  input: z.object({ place: z.string() }),
  requires: () => [],
  execute: () => Promise.reject(new ToolError('Nothing there')),
})

test('RU-5 a call made three times in a row is warned of once, and six times end the run', async () => {
  await using lab = await openCoreLab({}, { agent: { tools: [dig] } })
  lab.provider.otherwise(() => reply({ toolCalls: [{ name: 'dig', input: { place: 'here' } }] }))
  const { messages } = await lab.turn('Find it')
  const warned = lab.steps.map(({ body }) => JSON.stringify(body['messages']).includes('same tool call'))
  expect(warned).toEqual([false, false, false, true, false, false])
  expect(messages[1]?.metadata?.finishReason).toBe('doom-loop')
})

test('RU-5 calls that differ in their arguments are no loop', async () => {
  await using lab = await openCoreLab({}, { agent: { tools: [dig] } })
  const places = Array.from({ length: 8 }, (_, index) => `place ${index % 2}`)
  lab.provider.script(
    ...places.map((place) => reply({ toolCalls: [{ name: 'dig', input: { place } }] })),
    reply({ text: 'Nothing anywhere' }),
  )
  const { messages } = await lab.turn('Find it')
  expect(messages[1]?.metadata?.finishReason).toBe('stop')
  expect(JSON.stringify(lab.steps.at(-1)?.body['messages'])).not.toContain('same tool call')
})

test('RU-6 US-1 each step is committed as a whole: its parts, its counts and its prompt in one write, the last one with the end of the run', async () => {
  const commits: (RecordWrite & StepEnding)[] = []
  const store = withRuns(await createMemoryStore(), (runs) => ({
    commitStep(step) {
      commits.push(step)
      return runs.commitStep(step)
    },
    end(run, last, at) {
      if (last?.step !== undefined) commits.push({ ...last, ...last.step })
      return runs.end(run, last, at)
    },
  }))
  await using lab = await openCoreLab({ store })
  lab.provider.script(reply({ text: 'Look', toolCalls: [todo] }), reply({ text: 'Done' }))
  const { messages } = await lab.turn('Plan')
  expect(commits).toHaveLength(2)
  for (const { usage, contextTokens, systemPrompt, metadata } of commits) {
    expect(usage).toMatchObject({ input: 10 })
    expect(contextTokens).toBeGreaterThan(10)
    expect(systemPrompt?.digest).toBe(messages[1]?.metadata?.systemPromptDigest)
    expect(metadata?.systemPromptDigest).toBe(systemPrompt?.digest)
  }
  expect(commits.map(({ metadata }) => metadata?.usage?.steps)).toEqual([1, 2])
})

test('RU-5 SY-6 a warning is given with one call and is no part of the conversation', async () => {
  await using lab = await openCoreLab({}, { agent: { tools: [dig] } })
  const again = Array.from({ length: 3 }, () =>
    reply({ toolCalls: [{ name: 'dig', input: { place: 'here' } }] }),
  )
  lab.provider.script(...again, reply({ text: 'I give up' }), reply({ text: 'Fine' }))
  const { id: sessionId } = await lab.sessions.create({ title: 'Digging' })
  const { messages } = await lab.turn('Find it', sessionId)
  expect(JSON.stringify(messages.map(({ parts }) => parts))).not.toContain('same tool call')
  await lab.turn('Go on', sessionId)
  expect(JSON.stringify(lab.steps.at(-1)?.body['messages'])).not.toContain('same tool call')
})
