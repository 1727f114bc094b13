import type { ChatChunk } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRun } from './read-run.ts'
import { createFakeApi, refusal, type Subscription } from './testing/fake-api.ts'

const RUN = { sessionId: 's', runId: 'r' }
const START: ChatChunk = { type: 'start', messageId: 'm' }
const FINISH: ChatChunk = { type: 'finish' }
const text = (at: number): ChatChunk => ({ type: 'text-delta', id: '1', delta: `${at} ` })

/** An event of a run that is being read. */
type Step = { does: 'send'; chunks: number } | { does: 'read' } | { does: 'pause' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant('send' as const), chunks: fc.integer({ min: 1, max: 5 }) }),
  fc.constant({ does: 'read' as const }),
  fc.constant({ does: 'pause' as const }),
)

/** Plays these events, and returns the sent chunks after all reads. */
async function play(steps: readonly Step[], stream: Subscription<ChatChunk[]>, read: () => void) {
  const sent: ChatChunk[] = [START]
  const send = (chunks: ChatChunk[]) => {
    sent.push(...chunks)
    stream.data(chunks)
  }
  stream.started()
  stream.data([START])
  for (const each of steps) {
    if (each.does === 'send') send(Array.from({ length: each.chunks }, (_, at) => text(sent.length + at)))
    else if (each.does === 'read') read()
    else await new Promise((resolve) => setImmediate(resolve))
  }
  send([FINISH])
  return sent
}

test('LS-2 for any pace of the run and of its reader, every chunk is read once, in order, and then the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.boolean(), async (steps, isRefused) => {
      const fake = createFakeApi()
      const reading = readRun(fake.api, RUN)
      const results = [reading.next()]
      const [stream] = fake.streams
      if (stream === undefined) throw new Error('Reading asks for the run')
      const sent = await play(steps, stream, () => results.push(reading.next()))
      if (isRefused) stream.error(refusal(404, 'SESSION_NOT_FOUND'))
      else stream.complete()

      while (results.length <= sent.length) results.push(reading.next())
      const settled = await Promise.allSettled(results)
      const heard = settled.map((result) => (result.status === 'fulfilled' ? result.value.value : 'refused'))
      expect(heard.slice(0, sent.length)).toEqual(sent)
      expect(heard[sent.length]).toBe(isRefused ? 'refused' : undefined)
      expect(stream.open).toBe(false)
    }),
    { numRuns: 200 },
  )
})

test('LS-1 a reader that leaves before the first chunk has detached, and stops nothing', async () => {
  const fake = createFakeApi()
  const reading = readRun(fake.api, RUN)
  const first = reading.next()
  fake.streams[0]?.started()
  fake.streams[0]?.data([START])
  await first
  await reading.return()
  expect([fake.streams[0]?.open, fake.calls]).toEqual([false, []])
  expect(await reading.next()).toEqual({ done: true, value: undefined })
})

test('LS-1 an error of the reader detaches, too', async () => {
  const fake = createFakeApi()
  const failing = (async () => {
    for await (const chunk of readRun(fake.api, RUN)) throw new Error(`No use for ${chunk.type}`)
  })()
  fake.streams[0]?.started()
  fake.streams[0]?.data([START, text(1)])
  await expect(failing).rejects.toThrow('No use for start')
  expect([fake.streams[0]?.open, fake.calls]).toEqual([false, []])
})

test('LS-2 a run is requested when it is read, not before', async () => {
  const fake = createFakeApi()
  const reading = readRun(fake.api, RUN)
  expect(fake.streams).toHaveLength(0)
  const first = reading.next()
  expect(fake.streams).toHaveLength(1)
  fake.streams[0]?.started()
  fake.streams[0]?.complete()
  expect((await first).done).toBe(true)
})
