import { randomChunks } from '@palimpsest/testing/random-chunks.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChatChunk } from '../message/message.ts'
import { createChunkLog, START } from './chunk-log.ts'
import { initialReduction, reduceChunk } from './message-reducer.ts'
import { createOverlapFilter } from './overlap-filter.ts'

const reduce = (chunks: readonly ChatChunk[]): unknown =>
  JSON.parse(JSON.stringify(chunks.reduce(reduceChunk, initialReduction('msg_1')).message))

/** What a reader of the run's log gets who looks up after as many chunks as `pauses` say. */
function batches(chunks: ChatChunk[], pauses: number[]): ChatChunk[][] {
  const log = createChunkLog()
  let position = START
  return chunks.map((chunk, index) => {
    log.append(chunk)
    if (index < chunks.length - 1 && (pauses[index % pauses.length] ?? 0) > 1) return []
    const next = log.readFrom(position)
    position = next.position
    return next.chunks
  })
}

const pauses = fc.array(fc.nat({ max: 3 }), { minLength: 1 })

test('LS-2 a viewer whose stream begins again at any moments, cut anyhow, gets everything once', () => {
  const connection = fc.record({ pauses, until: fc.nat({ max: 70 }) })
  fc.assert(
    fc.property(randomChunks(), fc.array(connection, { maxLength: 4 }), pauses, (chunks, broken, last) => {
      const filter = createOverlapFilter()
      const passed: ChatChunk[] = []
      for (const { pauses, until } of broken) {
        for (const batch of batches(chunks, pauses).slice(0, until)) passed.push(...filter.pass(batch))
        filter.restart()
      }
      for (const batch of batches(chunks, last)) passed.push(...filter.pass(batch))
      expect(reduce(passed)).toEqual(reduce(chunks))
      expect(passed.filter(({ type }) => type === 'finish')).toHaveLength(1)
    }),
    { numRuns: 400 },
  )
})

test('LS-5 a whole replay after the end passes nothing', () => {
  fc.assert(
    fc.property(randomChunks(), (chunks) => {
      const filter = createOverlapFilter()
      filter.pass(chunks)
      filter.restart()
      expect(batches(chunks, [2]).flatMap((batch) => filter.pass(batch))).toEqual([])
    }),
  )
})

test('LS-2 a stream that was never cut passes as it is', () => {
  fc.assert(
    fc.property(randomChunks(), (chunks) => {
      const said = chunks.filter((chunk) => !('delta' in chunk && chunk.delta === ''))
      expect(createOverlapFilter().pass(said)).toEqual(said)
    }),
  )
})
