import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { expect, test } from 'vitest'
import type { ChatChunk } from '../domain/message/message.ts'
import type { RecordWrite } from '../ports/index.ts'
import { createRecorder, FOLD_CHARACTERS, FOLD_MS, FRAMING_MS, type SavePolicy } from './recorder.ts'

const RUN = { sessionId: 'ses_1', messageId: 'msg_1', runId: 'run_1', epoch: 1 }
const START: ChatChunk = {
  type: 'start',
  messageId: 'msg_1',
  messageMetadata: { schemaVersion: 1, createdAt: 1 },
}
const delta = (text: string): ChatChunk => ({ type: 'text-delta', id: 't', delta: text })
const FIRST: ChatChunk[] = [START, { type: 'text-start', id: 't' }, delta('One')]

/** A recorder whose writes wait until they are let through, one after the other. */
function openRecorder(savePolicy: SavePolicy = 'chunk') {
  const clock = createFakeClock()
  const shown: ChatChunk[][] = []
  const writes: { write: RecordWrite; succeed(): void; fail(error: Error): void }[] = []
  const failures: unknown[] = []
  function save(write: RecordWrite): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    writes.push({ write, succeed: resolve, fail: reject })
    return promise
  }
  const live = {
    append: (chunks: readonly ChatChunk[]) => void shown.push([...chunks]),
    end: () => undefined,
  }
  const onFailure = (error: unknown) => void failures.push(error)
  const recorder = createRecorder(RUN, { clock, live, savePolicy, save, onFailure })
  return { clock, recorder, save, shown, writes, failures }
}

/** Lets everything that can happen now happen. */
async function settle() {
  for (let turns = 0; turns < 2; turns++) await new Promise((resolve) => setImmediate(resolve))
}
const lastText = (write: RecordWrite | undefined) => {
  const part = write?.parts.at(-1)?.data
  return part?.type === 'text' ? part.text : undefined
}

test('RE-5 a chunk is shown only after the write that holds it', async () => {
  const { recorder, writes, shown } = openRecorder()
  for (const chunk of FIRST) recorder.write(chunk)
  await settle()
  expect(writes).toHaveLength(1)
  expect(shown).toEqual([])
  writes[0]?.succeed()
  await settle()
  expect(shown).toEqual([FIRST])
})

test('RE-2 RE-5 the first chunk is written at once, and a burst during a write costs one more', async () => {
  const { recorder, writes, shown } = openRecorder()
  for (const chunk of FIRST) recorder.write(chunk)
  await settle()
  expect(writes).toHaveLength(1)
  for (let count = 0; count < 1_000; count++) recorder.write(delta('x'))
  writes[0]?.succeed()
  await settle()
  expect(writes).toHaveLength(2)
  expect(writes[1]?.write.log?.chunks).toHaveLength(1_000)
  writes[1]?.succeed()
  await settle()
  expect(shown.map(({ length }) => length)).toEqual([3, 1_000])
})

test('RE-2 a write says of the message itself only what the ones before it have not stored', async () => {
  const { recorder, writes } = openRecorder()
  for (const chunk of FIRST) recorder.write(chunk)
  await settle()
  const meanwhile = recorder.commit([delta(' two')], async ({ metadata }) => metadata)
  writes[0]?.succeed()
  expect(writes[0]?.write.metadata).toEqual({ schemaVersion: 1, createdAt: 1 })
  expect(await meanwhile).toBeNull()
  const patch: ChatChunk = { type: 'message-metadata', messageMetadata: { schemaVersion: 1, createdAt: 2 } }
  const refused = recorder.commit([patch], () => Promise.reject(new Error('The disk is full')))
  await expect(refused).rejects.toThrow('The disk is full')
  const again = await recorder.commit([], async ({ metadata }) => metadata)
  expect(again).toEqual({ schemaVersion: 1, createdAt: 2 })
})

test('RE-2 a chunk that only opens a part waits at most 20 ms for the next one', async () => {
  const { recorder, writes, clock } = openRecorder()
  recorder.write(START)
  await settle()
  expect(writes).toHaveLength(0)
  clock.advance(FRAMING_MS)
  await settle()
  expect(writes).toHaveLength(1)
})

test('RE-2 a chunk that comes alone is written without waiting', async () => {
  const { recorder, writes } = openRecorder()
  recorder.write(START)
  recorder.write({ type: 'text-start', id: 't' })
  for (const text of ['a', 'b', 'c', 'd']) {
    recorder.write(delta(text))
    await settle()
    writes.at(-1)?.succeed()
    await settle()
  }
  expect(writes).toHaveLength(4)
})

test('RE-2 a chunk that only grows a part is appended alone, and folded a second after the last fold', async () => {
  const { recorder, writes, clock } = openRecorder()
  const written = async () => {
    await settle()
    writes.at(-1)?.succeed()
    await settle()
  }
  for (const chunk of FIRST) recorder.write(chunk)
  await written()
  recorder.write({ type: 'text-end', id: 't' })
  recorder.write({ type: 'reasoning-start', id: 'r' })
  recorder.write({ type: 'reasoning-delta', id: 'r', delta: 'hm' })
  await written()
  recorder.write({ type: 'reasoning-delta', id: 'r', delta: ' so' })
  await written()
  clock.advance(FOLD_MS)
  await written()
  expect(writes.map(({ write }) => write.parts.map(({ index }) => index))).toEqual([[0], [0, 1], [], [1]])
  expect(writes.map(({ write }) => write.log?.chunks.length)).toEqual([3, 3, 1, 0])
  expect(writes.map(({ write }) => write.log?.open?.reasoning)).toEqual([{}, { r: 1 }, undefined, { r: 1 }])
  const ids = writes.flatMap(({ write }) => write.parts.map(({ index, id }) => `${index} ${id}`))
  expect(new Set(ids).size).toBe(2)
  clock.advance(10 * FOLD_MS)
  await settle()
  expect(writes).toHaveLength(4)
})

test('RE-2 64 kB of appended text are folded at once, and a reply of 20 MB costs a few times its bytes', async () => {
  const { recorder, writes } = openRecorder()
  for (const chunk of FIRST) recorder.write(chunk)
  const piece = 'x'.repeat(FOLD_CHARACTERS / 2)
  for (let count = 0; count < 610; count++) {
    await settle()
    writes.at(-1)?.succeed()
    await settle()
    recorder.write(delta(piece))
  }
  const folds = writes.map(({ write }) => lastText(write)?.length ?? 0)
  expect(folds.slice(0, 4)).toEqual([3, 0, FOLD_CHARACTERS + 3, 0])
  expect(folds.reduce((sum, characters) => sum + characters, 0)).toBeLessThan(4 * 610 * piece.length)
})

test('RE-5 a commit writes all that is pending with it, and shows it after', async () => {
  const { recorder, writes, shown, save } = openRecorder()
  for (const chunk of FIRST) recorder.write(chunk)
  await settle()
  recorder.write(delta(', two'))
  const committed = recorder.commit([{ type: 'finish' }], async (write) => {
    await save(write)
    return 'done'
  })
  writes[0]?.succeed()
  await settle()
  expect(shown).toHaveLength(1)
  expect(lastText(writes[1]?.write)).toBe('One, two')
  writes[1]?.succeed()
  expect(await committed).toBe('done')
  expect(shown[1]?.at(-1)).toEqual({ type: 'finish' })
})

test('RE-4 a write that fails is reported at once, once, and its chunks are never shown', async () => {
  const { recorder, writes, shown, failures, clock } = openRecorder()
  for (const chunk of FIRST) recorder.write(chunk)
  await settle()
  writes[0]?.fail(new Error('disk full'))
  await settle()
  expect(failures).toEqual([new Error('disk full')])
  recorder.write(delta('lost'))
  clock.advance(FOLD_MS)
  await settle()
  expect(writes).toHaveLength(1)
  expect(shown).toEqual([])
})

test('RE-3 the commit after a failed write contains the chunks of that write', async () => {
  const { recorder, writes, shown, save } = openRecorder()
  for (const chunk of FIRST) recorder.write(chunk)
  await settle()
  writes[0]?.fail(new Error('busy'))
  await settle()
  const committed = recorder.commit([{ type: 'error', errorText: 'The store failed' }], save)
  await settle()
  expect(lastText(writes[1]?.write)).toBe('One')
  writes[1]?.succeed()
  await committed
  expect(shown.flat().map(({ type }) => type)).toEqual(['start', 'text-start', 'text-delta', 'error'])
})

test.for(['step', 'turn'] as const)(
  'RE-2 with save_on %s chunks are shown at once and written with the commit',
  async (policy) => {
    const { recorder, writes, shown, save } = openRecorder(policy)
    for (const chunk of FIRST) recorder.write(chunk)
    await settle()
    expect(shown.flat()).toHaveLength(3)
    expect(writes).toEqual([])
    const committed = recorder.commit([{ type: 'finish' }], save)
    await settle()
    expect(lastText(writes[0]?.write)).toBe('One')
    writes[0]?.succeed()
    await committed
    expect(shown.flat()).toHaveLength(4)
  },
)

test('RE-3 the input of a call that still streams is stored as far as it can be read', async () => {
  const { recorder, writes } = openRecorder()
  recorder.write(START)
  recorder.write({ type: 'tool-input-start', toolCallId: 'call_1', toolName: 'read' })
  recorder.write({ type: 'tool-input-delta', toolCallId: 'call_1', inputTextDelta: '{"path":"no' })
  await settle()
  expect(writes[0]?.write.parts[0]?.data).toMatchObject({
    state: 'input-streaming',
    rawInput: '{"path":"no',
    input: { path: 'no' },
  })
})

test('RE-5 QU-5 words that steer are shown after the write that holds them, and are not written again', async () => {
  const { recorder, shown, writes, clock } = openRecorder()
  for (const chunk of FIRST) recorder.write(chunk)
  await settle()
  writes[0]?.succeed()
  await settle()
  const data = { type: 'steering-message', id: 'msg_2', parts: [{ type: 'text', text: 'Left' }] } as const
  const part = { id: 'prt_2', index: 1, data: { ...data, parts: [...data.parts] } }
  const taken = Promise.withResolvers<[typeof part]>()
  const steered = recorder.steer(() => taken.promise)
  await settle()
  expect(shown).toEqual([FIRST])
  taken.resolve([part])
  await steered
  expect(shown.at(-1)).toEqual([part.data])
  expect(recorder.message.parts.at(-1)).toEqual(part.data)
  recorder.write(delta(' and more'))
  await settle()
  writes.at(-1)?.succeed()
  await settle()
  clock.advance(FOLD_MS)
  await settle()
  expect(writes.at(-1)?.write.parts.map(({ index }) => index)).toEqual([0])
})

test('RE-4 words whose taking failed are neither shown nor part of the message', async () => {
  const { recorder, shown, writes } = openRecorder()
  for (const chunk of FIRST) recorder.write(chunk)
  await settle()
  writes[0]?.succeed()
  await settle()
  await expect(recorder.steer(() => Promise.reject(new Error('Disk full')))).rejects.toThrow('Disk full')
  expect(recorder.message.parts).toHaveLength(1)
  expect(shown.flat().map(({ type }) => type)).not.toContain('steering-message')
})
