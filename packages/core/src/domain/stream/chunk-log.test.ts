import { randomChunks } from '@palimpsest/testing/random-chunks.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChatChunk } from '../message/message.ts'
import {
  type ChunkLog,
  createChunkLog,
  deltaText,
  mergeDeltas,
  SLICE_CHARACTERS,
  START,
} from './chunk-log.ts'

const delta = (text: string) => ({ type: 'text-delta' as const, id: 't', delta: text }) satisfies ChatChunk
/** What a reader who comes back until the end gets. */
function slicesOf(log: ChunkLog, from = START): ChatChunk[][] {
  const slices: ChatChunk[][] = []
  let slice = log.readFrom(from)
  for (; !slice.isEnd; slice = log.readFrom(slice.position)) slices.push(slice.chunks)
  return [...slices, slice.chunks]
}

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

test('LS-8 LS-3 a reader that detaches and attaches again reads every chunk once and in order', () => {
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
      read.push(...slicesOf(log, position).flat())
      // A delta without text that continues its part changes nothing, so a replay may contain it or not.
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
        expect(log.readFrom(position)).toEqual({ chunks: [], position, isEnd: true })
      }
    }),
  )
})

test('LS-8 PF-4 readers at one position get the same slice until something is appended', () => {
  const log = createChunkLog()
  log.append({ type: 'text-start', id: 't' })
  const first = log.readFrom(START)
  expect(log.readFrom({ ...START })).toBe(first)
  log.append(delta('a'))
  const second = log.readFrom({ ...first.position })
  expect(second.chunks).toEqual([delta('a')])
  expect(log.readFrom(first.position)).toBe(second)
  log.append(delta('b'))
  expect(log.readFrom(first.position).chunks).toEqual([delta('ab')])
  expect(log.readFrom(second.position).chunks).toEqual([delta('b')])
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

test('LS-7 200,000 deltas of one character are a few entries, each of which fills a slice', () => {
  const log = createChunkLog()
  log.append({ type: 'text-start', id: 't' })
  for (let count = 0; count < 200_000; count++) log.append(delta('x'))
  expect(log.size).toBe(1 + Math.ceil(200_000 / 32_640))
  const slices = slicesOf(log)
  expect(slices.flat().map(deltaText).join('')).toHaveLength(200_000)
  for (const slice of slices) expect(JSON.stringify(slice).length).toBeLessThanOrEqual(SLICE_CHARACTERS)
})

test('LS-2 LS-3 LS-4 whatever a slice holds at most, slices together are the stream, and none is larger but by one chunk', () => {
  fc.assert(
    fc.property(randomChunks(), fc.integer({ min: 130, max: 700 }), (chunks, most) => {
      const log = createChunkLog(most)
      for (const chunk of chunks) log.append(chunk)
      const slices = slicesOf(log)
      expect(merged(slices.flat())).toEqual(merged(chunks))
      for (const slice of slices) {
        // The tests' ids and metadata are no longer than what a delta is counted with.
        if (slice.length > 1) expect(JSON.stringify(slice).length).toBeLessThan(most * 3)
      }
    }),
    { numRuns: 300 },
  )
})

test('LS-3 no slice ends inside a surrogate pair of one delta', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme-composite', maxLength: 400 }),
      fc.nat({ max: 9 }),
      (text, most) => {
        const log = createChunkLog(130 + most)
        log.append(delta(text))
        const pieces = slicesOf(log)
          .flat()
          .map((chunk) => deltaText(chunk) ?? '')
        expect(pieces.join('')).toBe(text)
        for (const piece of pieces) expect(piece.isWellFormed()).toBe(text.isWellFormed())
      },
    ),
  )
})

test('LS-4 a chunk that cannot be cut and is larger than a slice is a slice of its own', () => {
  const log = createChunkLog()
  const file: ChatChunk = { type: 'file', mediaType: 'text/plain', url: `data:,${'f'.repeat(100_000)}` }
  for (const chunk of [delta('a'), file, delta('b')]) log.append(chunk)
  expect(slicesOf(log)).toEqual([[delta('a')], [file], [delta('b')]])
})

test('LS-3 deltas of different parts, and what carries metadata of its own, are never merged', () => {
  const signed: ChatChunk = { ...delta('b'), providerMetadata: { lab: { id: '1' } } }
  expect(mergeDeltas(delta('a'), { type: 'text-delta', id: 'other', delta: 'b' })).toBeNull()
  expect(mergeDeltas(delta('a'), { type: 'reasoning-delta', id: 't', delta: 'b' })).toBeNull()
  expect(mergeDeltas(delta('a'), signed)).toBeNull()
  expect(mergeDeltas(signed, delta('c'))).toEqual({ ...signed, delta: 'bc' })
})
