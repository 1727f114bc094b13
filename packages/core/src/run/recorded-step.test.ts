import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { expect, test } from 'vitest'
import type { ChatChunk } from '../domain/message/message.ts'
import type { RecordWrite, StepEnding } from '../ports/index.ts'
import { createRecorder, FRAMING_MS, type SavePolicy } from './recorder.ts'

const STEP: StepEnding = {
  usage: { input: 5, output: 1, reasoning: 0, cacheRead: 0, cacheWrite: 0 },
  contextTokens: 6,
  contextEstimated: false,
  model: { providerId: 'lab', modelId: 'one' },
  systemPrompt: null,
}
const FIRST: ChatChunk[] = [
  { type: 'start', messageId: 'msg_1', messageMetadata: { schemaVersion: 1, createdAt: 1 } },
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'One' },
]
const COUNTED: ChatChunk = { type: 'message-metadata', messageMetadata: { systemPromptDigest: 'd' } }
const FINISH: ChatChunk = { type: 'finish', finishReason: 'stop' }

/** A recorder that has stored its first chunks; `writes` are those after them, by the function that stored each. */
async function openStored(savePolicy: SavePolicy = 'chunk') {
  const clock = createFakeClock()
  const shown: ChatChunk[] = []
  const writes: { by: string; write: RecordWrite }[] = []
  const failing = new Set<string>()
  const savedBy = (by: string) => async (write: RecordWrite) => {
    if (failing.has(by)) throw new Error('The disk is full')
    writes.push({ by, write })
  }
  const live = { append: (chunks: readonly ChatChunk[]) => void shown.push(...chunks), end: () => undefined }
  const recorder = createRecorder(
    { sessionId: 'ses_1', messageId: 'msg_1', runId: 'run_1', epoch: 1 },
    { clock, live, savePolicy, save: savedBy('record'), onFailure: () => undefined },
  )
  for (const chunk of FIRST) recorder.write(chunk)
  await settle()
  writes.length = 0
  shown.length = 0
  return { clock, recorder, shown, writes, failing, savedBy }
}

async function settle() {
  for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve))
}

const seen = (writes: { by: string; write: RecordWrite }[]) =>
  writes.map(({ by, write: { step, log } }) => ({ by, step, chunks: log.chunks }))

test('RE-5 RU-6 the end of the last step is stored and shown with the end of the run, in one write', async () => {
  const { recorder, writes, shown, savedBy } = await openStored()
  recorder.write({ type: 'text-end', id: 't' })
  expect(recorder.endLastStep([COUNTED], STEP, savedBy('step'))).toBe(true)
  expect(recorder.message.metadata).toMatchObject({ systemPromptDigest: 'd' })
  await settle()
  expect(writes).toEqual([])
  expect(shown).toEqual([])
  recorder.write({ type: 'finish-step' })
  await recorder.commit([FINISH], savedBy('end'))
  const chunks = [{ type: 'text-end', id: 't' }, COUNTED, { type: 'finish-step' }, FINISH]
  expect(seen(writes)).toEqual([{ by: 'end', step: STEP, chunks }])
  expect(writes[0]?.write.metadata).toMatchObject({ systemPromptDigest: 'd' })
  expect(shown).toEqual(chunks)
})

test('RE-2 RU-6 where the end of a run takes longer than 20 ms its last step is stored before it, once', async () => {
  const { clock, recorder, writes, savedBy } = await openStored()
  recorder.endLastStep([COUNTED], STEP, savedBy('step'))
  clock.advance(FRAMING_MS)
  await settle()
  expect(seen(writes)).toEqual([{ by: 'step', step: STEP, chunks: [COUNTED] }])
  await recorder.commit([FINISH], savedBy('end'))
  expect(seen(writes).slice(1)).toEqual([{ by: 'end', step: undefined, chunks: [FINISH] }])
})

test('RE-3 a last step whose write failed goes with the next one', async () => {
  const { recorder, writes, failing, savedBy } = await openStored()
  recorder.endLastStep([COUNTED], STEP, savedBy('step'))
  failing.add('end')
  await expect(recorder.commit([FINISH], savedBy('end'))).rejects.toThrow('full')
  await recorder.commit([], savedBy('again'))
  expect(seen(writes)).toEqual([{ by: 'again', step: STEP, chunks: [COUNTED, FINISH] }])
})

test('RE-2 with `save_on` step the last step is committed by itself', async () => {
  const { recorder, writes, savedBy } = await openStored('step')
  expect(recorder.endLastStep([COUNTED], STEP, savedBy('step'))).toBe(false)
  await recorder.commit([COUNTED], savedBy('commit'))
  expect(seen(writes)).toEqual([{ by: 'commit', step: undefined, chunks: [...FIRST, COUNTED] }])
})
