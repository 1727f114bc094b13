import { type CoreLab, openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { reduceBySdk } from '@palimpsest/testing/reduce-by-sdk.ts'
import { deltas, reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { withRuns } from '@palimpsest/testing/with-runs.ts'
import { expect, test } from 'vitest'
import { AppError } from '../domain/errors.ts'
import type { ChatChunk } from '../domain/message/message.ts'
import { initialReduction, reduceChunk } from '../domain/stream/message-reducer.ts'

const isEnd = ({ type }: ChatChunk) => type === 'finish' || type === 'abort' || type === 'error'
const textOf = (chunks: readonly ChatChunk[]) =>
  chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('')
/** The text of the session's reply as the store has it. */
async function storedText(lab: CoreLab, sessionId: string): Promise<string> {
  const { items } = await lab.sessions.messages({ sessionId })
  return (items[1]?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')
}

test('LS-1 RE-1 viewers attach and detach, and the run continues and is stored whole without any', async () => {
  await using lab = await openCoreLab()
  const gate = Promise.withResolvers<void>()
  lab.provider.script(reply({ text: deltas(300, 'a '), hold: { before: 10, until: gate.promise } }))
  const { sessionId, runId } = await lab.say('Go')
  for await (const _ of lab.sessions.stream({ sessionId })) break
  const leave = new AbortController()
  const leaving = Array.fromAsync(lab.sessions.stream({ sessionId }, leave.signal))
  leave.abort()
  await leaving
  gate.resolve()
  await lab.chunksOf(sessionId, runId)
  expect(await storedText(lab, sessionId)).toBe('a '.repeat(300))
  expect((await lab.provider.closed(0)).by).toBe('provider')
})

test('LS-2 RU-2 viewers who attach at any moment of a run all make the message that is stored', async () => {
  await using lab = await openCoreLab()
  const todos = [{ content: 'Look', status: 'completed' }]
  lab.provider.script(
    reply({
      reasoning: deltas(40, 'h'),
      text: deltas(400, 'b '),
      toolCalls: [{ name: 'todo', input: { todos } }],
    }),
    reply({ text: deltas(200, 'c ') }),
  )
  const { sessionId, runId } = await lab.say('Go')
  const views: Promise<ChatChunk[]>[] = []
  for await (const _ of lab.sessions.stream({ sessionId, runId })) views.push(lab.chunksOf(sessionId, runId))
  views.push(lab.chunksOf(sessionId, runId))
  const stored = (await lab.sessions.messages({ sessionId })).items[1]
  expect(views.length).toBeGreaterThan(3)
  for (const chunks of await Promise.all(views)) {
    expect(await reduceBySdk(chunks)).toEqual(stored)
    expect(chunks.filter(isEnd)).toHaveLength(1)
  }
})

test('RE-5 at every moment of a burst, the chunks that a viewer has received are stored', async () => {
  const store = await createMemoryStore()
  await using lab = await openCoreLab({ store })
  lab.provider.script(reply({ text: deltas(1_000, 'ab ') }))
  const { sessionId } = await lab.say('Go')
  let state = initialReduction('')
  let seen = ''
  for await (const chunks of lab.sessions.stream({ sessionId })) {
    state = chunks.reduce(reduceChunk, state)
    seen += textOf(chunks)
    expect((await storedText(lab, sessionId)).startsWith(seen)).toBe(true)
  }
  expect(seen).toBe('ab '.repeat(1_000))
})

test('RE-2 a burst of thousands of chunks costs few writes', async () => {
  let writes = 0
  const store = withRuns(await createMemoryStore(), (runs) => ({
    record(write) {
      writes += 1
      return runs.record(write)
    },
  }))
  await using lab = await openCoreLab({ store })
  lab.provider.script(reply({ text: deltas(5_000) }))
  await lab.turn('Go')
  expect(writes).toBeGreaterThan(0)
  expect(writes).toBeLessThan(500)
})

test('RE-4 LS-8 a store that fails in the middle ends the run at once, with nothing shown that is not stored', async () => {
  let full = false
  const store = withRuns(await createMemoryStore(), (runs) => ({
    record: (write) =>
      full ? Promise.reject(new AppError('STORE_ERROR', 'The disk is full.')) : runs.record(write),
  }))
  await using lab = await openCoreLab({ store })
  const gate = Promise.withResolvers<void>()
  lab.provider.script(
    reply({ text: ['One', ' two'], hold: { before: 1, until: gate.promise }, ending: 'stall' }),
  )
  const { sessionId, runId } = await lab.say('Go')
  const viewed = lab.chunksOf(sessionId, runId)
  for await (const chunks of lab.sessions.stream({ sessionId })) if (textOf(chunks) !== '') break
  full = true
  gate.resolve()
  const chunks = await viewed
  expect(chunks.filter(isEnd)).toEqual([{ type: 'error', errorText: 'The disk is full.' }])
  expect((await lab.provider.closed(0)).by).toBe('client')
  expect(await storedText(lab, sessionId)).toBe(textOf(chunks))
  expect(await lab.sessions.status(sessionId)).toMatchObject({ state: 'error', code: 'STORE_ERROR' })
  full = false
  lab.provider.script(reply({ text: 'Better' }))
  await lab.turn('Again', sessionId)
})

test.for(['step', 'turn'] as const)(
  'RE-4 with save_on %s an error of a failing store names what is not saved',
  async (savePolicy) => {
    const store = withRuns(await createMemoryStore(), () => ({
      commitStep: () => Promise.reject(new AppError('STORE_ERROR', 'The disk is full.')),
      end: () => Promise.reject(new AppError('STORE_ERROR', 'The disk is full.')),
    }))
    await using lab = await openCoreLab({ store }, { runs: { savePolicy } })
    lab.provider.script(reply({ text: 'Seen, not saved' }))
    const { chunks } = await lab.turn('Go')
    expect(textOf(chunks)).toBe('Seen, not saved')
    expect(chunks.filter(isEnd)).toEqual([
      { type: 'error', errorText: 'The disk is full. What was shown since the last save is not stored.' },
    ])
  },
)

test('LS-5 a finished run replays for a while by its id, and then the store is all there is', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'Done' }))
  const { sessionId, runId, chunks } = await lab.turn('Go')
  expect(await lab.chunksOf(sessionId, runId)).toEqual(chunks)
  expect(await Array.fromAsync(lab.sessions.stream({ sessionId }))).toEqual([])
})

test('PF-4 a viewer attaches to the current run while the store answers no read', async () => {
  const store = await createMemoryStore()
  let isStuck = false
  const sessions = {
    ...store.sessions,
    get: (id: string) => (isStuck ? new Promise<never>(() => undefined) : store.sessions.get(id)),
  }
  await using lab = await openCoreLab({ store: { ...store, sessions } })
  const gate = Promise.withResolvers<void>()
  lab.provider.script(reply({ text: ['One', ' two'], hold: { before: 1, until: gate.promise } }))
  const { sessionId, runId } = await lab.say('Go')
  isStuck = true
  for (const run of [{ sessionId }, { sessionId, runId }]) {
    for await (const chunks of lab.sessions.stream(run)) {
      expect(chunks[0]).toMatchObject({ type: 'start', messageMetadata: { runId } })
      break
    }
  }
  isStuck = false
  gate.resolve()
  await lab.chunksOf(sessionId, runId)
})

test('LS-2 a viewer without a run id gets the run that was current when it asked, though that ends before it reads', async () => {
  await using lab = await openCoreLab()
  const gate = Promise.withResolvers<void>()
  lab.provider.script(reply({ text: ['One', ' two'], hold: { before: 1, until: gate.promise } }))
  const { sessionId, runId } = await lab.say('Go')
  const late = lab.sessions.stream({ sessionId })
  gate.resolve()
  await lab.chunksOf(sessionId, runId)
  expect(textOf((await Array.fromAsync(late)).flat())).toBe('One two')
})

test('LS-2 a run that is over is read of an existing session only', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'Done' }))
  const { sessionId, runId } = await lab.turn('Go')
  await lab.sessions.delete(sessionId)
  await expect(lab.chunksOf(sessionId, runId)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
})

test('LS-2 a stream of nothing, or of another session’s run, ends at once', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'Done' }))
  const { runId } = await lab.turn('Go')
  const { id: other } = await lab.sessions.create({})
  expect(await Array.fromAsync(lab.sessions.stream({ sessionId: other }))).toEqual([])
  expect(await lab.chunksOf(other, runId)).toEqual([])
  expect(await lab.chunksOf(other, 'run_unknown')).toEqual([])
  const unknown = Array.fromAsync(lab.sessions.stream({ sessionId: 'ses_unknown' }))
  await expect(unknown).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
})
