import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { expect, test } from 'vitest'
import type { TimedPart } from './demo-parts.ts'
import { demoStream } from './demo-stream.ts'

function* ticks(count: number): Generator<TimedPart> {
  for (let index = 0; index < count; index += 1) {
    yield { part: { type: 'text-delta', id: 't', delta: String(index) }, afterMs: 15 }
  }
}

test('MO-5 each word waits for its time', async () => {
  const clock = createFakeClock()
  const reader = demoStream(ticks(2), clock, undefined).getReader()
  let arrived = 0
  const first = reader.read().then((result) => {
    arrived += 1
    return result
  })
  await Promise.resolve()
  clock.advance(14)
  await Promise.resolve()
  expect(arrived).toBe(0)
  clock.advance(1)
  expect(await first).toMatchObject({ value: { delta: '0' } })
})

test('AB-2 an abort during a wait ends the wait and leaves no timer behind', async () => {
  const clock = createFakeClock()
  const abort = new AbortController()
  const reader = demoStream(ticks(5), clock, abort.signal).getReader()
  const read = reader.read()
  await Promise.resolve()
  abort.abort(new Error('enough'))
  await expect(read).rejects.toThrow('enough')
  expect(clock.pending).toBe(0)
})

test('AB-2 a reader that goes away leaves no timer behind', async () => {
  const clock = createFakeClock()
  const stream = demoStream(ticks(5), clock, undefined)
  const reader = stream.getReader()
  const read = reader.read()
  await Promise.resolve()
  await reader.cancel()
  expect((await read).done).toBe(true)
  expect(clock.pending).toBe(0)
})
