import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { systemClock } from '../live/system-clock.ts'
import { gatherDeltas } from './gather-deltas.ts'

type Part = LanguageModelV4StreamPart

const MANY = 30_000
const delta = (text: string, id = '1'): Part => ({ type: 'text-delta', id, delta: text })

/** A stream that has the parts at hand, and waits for or fails with what follows them. */
function streamOf(parts: Part[], then?: () => Promise<Part | null>): ReadableStream<Part> {
  const left = parts.values()
  return new ReadableStream<Part>({
    async pull(out) {
      const { done, value } = left.next()
      if (!done) return out.enqueue(value)
      const last = (await then?.()) ?? null
      if (last === null) out.close()
      else out.enqueue(last)
    },
  })
}

async function read(stream: ReadableStream<Part>, until = Number.POSITIVE_INFINITY) {
  const parts: Part[] = []
  let failure: unknown = null
  try {
    for await (const part of gatherDeltas(stream, systemClock)) if (parts.push(part) >= until) break
  } catch (error) {
    failure = error
  }
  const text = parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
  return { parts, text, failure }
}

test('SX-10 the later ones of hundreds of thousands of deltas are gathered, and none is lost', async () => {
  const words = Array.from({ length: 300_000 }, (_, index) => `${index} `)
  const { parts, text } = await read(streamOf(words.map((word) => delta(word))))
  expect(text === words.join('')).toBe(true)
  expect(parts.length).toBeLessThan(22_000)
})

test('SX-10 the deltas of an ordinary answer are passed on one by one', async () => {
  const words = Array.from({ length: 10_000 }, () => delta('word '))
  expect((await read(streamOf(words))).parts).toHaveLength(10_000)
})

test('SX-10 deltas are gathered with those of their own part only, in order', async () => {
  const deltas = Array.from({ length: MANY }, (_, index) => delta('a', String(index % 2)))
  const { parts } = await read(streamOf([...deltas, { type: 'text-end', id: '0' }]))
  expect(parts).toHaveLength(MANY + 1)
  expect(parts.at(-1)).toEqual({ type: 'text-end', id: '0' })
})

test('SX-10 a delta that nothing follows is passed on without waiting', async () => {
  const silent = () => new Promise<null>(() => undefined)
  const words = Array.from({ length: 20_001 }, () => delta('word '))
  expect((await read(streamOf(words, silent), 20_001)).text).toHaveLength(5 * 20_001)
})

test('SX-10 gathered deltas are published before a failure that follows them', async () => {
  const words = Array.from({ length: MANY }, () => delta('word '))
  const { text, failure } = await read(streamOf(words, () => Promise.reject(new Error('Cut'))))
  expect(text).toHaveLength(5 * MANY)
  expect(failure).toMatchObject({ message: 'Cut' })
})
