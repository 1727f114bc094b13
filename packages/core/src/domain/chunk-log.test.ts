import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomChunks } from '../testing/random-chunks.ts'
import { createChunkLog, deltaText, mergeDeltas, START } from './chunk-log.ts'
import type { ChatChunk } from './message.ts'

const delta = (text: string) => ({ type: 'text-delta' as const, id: 't', delta: text }) satisfies ChatChunk
/** The stream with every delta merged into the one before it, wherever that may be done. */
function merged(chunks: ChatChunk[]): ChatChunk[] {
  const all: ChatChunk[] = []
  for (const chunk of chunks) {
    const last = all.at(-1)
    const both = last === undefined ? null : mergeDeltas(last, chunk)
    if (both === null) all.push(chunk)
    else all[all.length - 1] = both
  }
  return all
}

test('LS-8 LS-3 a reader who comes and goes reads what was appended, once and in order', () => {
  fc.assert(
    fc.property(randomChunks(), fc.array(fc.nat({ max: 5 })), (chunks, pauses) => {
      const log = createChunkLog()
      const read: ChatChunk[] = []
      let position = START
      for (const [index, chunk] of chunks.entries()) {
        log.append(chunk)
        if ((pauses[index % Math.max(1, pauses.length)] ?? 0) > 2) continue
        const next = log.readFrom(position)
        read.push(...next.chunks)
        position = next.position
      }
      read.push(...log.readFrom(position).chunks)
      // A delta without text that continues its part says nothing, and may be told or not.
      expect(merged(read)).toEqual(merged(chunks))
    }),
    { numRuns: 300 },
  )
})

test('LS-8 a reader at the end gets nothing again, whatever the last chunk is', () => {
  fc.assert(
    fc.property(randomChunks(), (chunks) => {
      const log = createChunkLog()
      for (const chunk of chunks) {
        log.append(chunk)
        const { position } = log.readFrom(START)
        expect(log.readFrom(position)).toEqual({ chunks: [], position })
      }
    }),
  )
})

test('LS-8 a delta without text that carries a signature is read once', () => {
  const log = createChunkLog()
  const signed: ChatChunk = {
    type: 'reasoning-delta',
    id: 'r',
    delta: '',
    providerMetadata: { lab: { signature: 's' } },
  }
  log.append({ type: 'reasoning-start', id: 'r' })
  log.append(signed)
  const first = log.readFrom(START)
  expect(first.chunks.at(-1)).toEqual(signed)
  expect(log.readFrom(first.position).chunks).toEqual([])
})

test('LS-7 200,000 deltas of one character are one entry', () => {
  const log = createChunkLog()
  log.append({ type: 'text-start', id: 't' })
  for (let count = 0; count < 200_000; count++) log.append(delta('x'))
  expect(log.size).toBe(2)
  expect(deltaText(log.readFrom(START).chunks[1] ?? delta(''))).toHaveLength(200_000)
})

test('LS-3 deltas of different parts, and what carries metadata of its own, are never merged', () => {
  const signed: ChatChunk = { ...delta('b'), providerMetadata: { lab: { id: '1' } } }
  expect(mergeDeltas(delta('a'), { type: 'text-delta', id: 'other', delta: 'b' })).toBeNull()
  expect(mergeDeltas(delta('a'), { type: 'reasoning-delta', id: 't', delta: 'b' })).toBeNull()
  expect(mergeDeltas(delta('a'), signed)).toBeNull()
  expect(mergeDeltas(signed, delta('c'))).toEqual({ ...signed, delta: 'bc' })
})
