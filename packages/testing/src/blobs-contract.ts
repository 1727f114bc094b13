import { LIMITS } from '@palimpsest/core/domain'
import type { Blobs } from '@palimpsest/core/ports'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../../core/src/domain/values/sha256.ts'
import { createFakeClock, type FakeClock } from './fake-clock.ts'

/** Blobs to test, and a way to stop their host and start another one on the same bytes. */
export interface BlobsFixture extends AsyncDisposable {
  readonly blobs: Blobs
  restart(): Promise<Blobs>
}

const LIMIT = 1_000
const START = { offset: 0, limit: LIMIT }
const text = (value: string) => new TextEncoder().encode(value)

async function* pieces(...values: (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const value of values) {
    if (value instanceof Error) throw value
    yield text(value)
  }
}

async function readAll(blobs: Blobs, hash: string, range?: { start: number; end: number }) {
  const content = await blobs.read(hash, range)
  if (content === null) return null
  const decoder = new TextDecoder()
  const read = await Array.fromAsync(content, (chunk) => decoder.decode(chunk, { stream: true }))
  return read.join('') + decoder.decode()
}

async function kept(blobs: Blobs, value: string, uploadId = 'kept'): Promise<string> {
  await blobs.append(uploadId, pieces(value), START)
  return (await blobs.finish(uploadId)).hash
}

/** What every place that keeps blobs answers to. */
export function blobsContract(name: string, open: (clock: FakeClock) => Promise<BlobsFixture>): void {
  describe(name, () => {
    test('DA-15 bytes are kept under their SHA-256 and come back whole, after a restart too', async () => {
      await using fixture = await open(createFakeClock())
      const { blobs } = fixture
      expect(await blobs.append('u', pieces('Hello, ', 'wörld'), START)).toBe(13)
      const { hash, size } = await blobs.finish('u')
      expect({ hash, size }).toEqual({ hash: await sha256('Hello, wörld'), size: 13 })
      expect(await readAll(blobs, hash)).toBe('Hello, wörld')
      expect(await blobs.received('u')).toBe(0)
      expect(await readAll(await fixture.restart(), hash)).toBe('Hello, wörld')
    })

    test('DA-15 any range inside the bytes is read', async () => {
      await using fixture = await open(createFakeClock())
      const value = '0123456789'.repeat(20)
      const hash = await kept(fixture.blobs, value)
      await fc.assert(
        fc.asyncProperty(fc.nat(value.length - 1), fc.nat(value.length - 1), async (a, b) => {
          const range = { start: Math.min(a, b), end: Math.max(a, b) + 1 }
          expect(await readAll(fixture.blobs, hash, range)).toBe(value.slice(range.start, range.end))
        }),
        { numRuns: 30 },
      )
    })

    test('DA-15 identical bytes are stored once, and a removal removes them', async () => {
      await using fixture = await open(createFakeClock())
      const { blobs } = fixture
      const hash = await kept(blobs, 'same', 'a')
      expect(await kept(blobs, 'same', 'b')).toBe(hash)
      expect(await blobs.stored(Number.MAX_SAFE_INTEGER)).toEqual([hash])
      await blobs.remove(hash)
      expect(await blobs.read(hash)).toBeNull()
      expect(await blobs.stored(Number.MAX_SAFE_INTEGER)).toEqual([])
      await blobs.remove(hash)
    })

    test('DA-15 nothing is found under a hash before its upload is finished', async () => {
      await using fixture = await open(createFakeClock())
      const { blobs } = fixture
      await blobs.append('u', pieces('half'), START)
      expect(await blobs.read(await sha256('half'))).toBeNull()
      expect(await blobs.stored(Number.MAX_SAFE_INTEGER)).toEqual([])
      await blobs.drop('u')
      expect(await blobs.received('u')).toBe(0)
    })

    test('UI-33 an upload that was cut off keeps what has arrived, also over a restart, and continues there', async () => {
      await using fixture = await open(createFakeClock())
      const cut = fixture.blobs.append('u', pieces('one ', new Error('The line is gone')), START)
      await expect(cut).rejects.toThrow('The line is gone')
      const next = await fixture.restart()
      expect(await next.received('u')).toBe(4)
      expect(await next.append('u', pieces('two'), { offset: 4, limit: LIMIT })).toBe(7)
      const content = await Array.fromAsync(next.content('u'), (chunk) => new TextDecoder().decode(chunk))
      expect(content.join('')).toBe('one two')
      expect((await next.finish('u')).hash).toBe(await sha256('one two'))
    })

    test('UI-33 an upload continues at its end and nowhere else', async () => {
      await using fixture = await open(createFakeClock())
      const { blobs } = fixture
      await blobs.append('u', pieces('abc'), START)
      for (const offset of [0, 2, 4])
        await expect(blobs.append('u', pieces('x'), { offset, limit: LIMIT })).rejects.toMatchObject({
          code: 'CONFLICT',
        })
      expect(await blobs.received('u')).toBe(3)
    })

    test('UI-33 a request that continues an upload ends the one that still waits for bytes', async () => {
      await using fixture = await open(createFakeClock())
      const { blobs } = fixture
      const arrived = Promise.withResolvers<void>()
      async function* stalled(): AsyncGenerator<Uint8Array> {
        yield text('abc')
        arrived.resolve()
        await new Promise(() => undefined)
      }
      const first = blobs.append('u', stalled(), START).catch((error: unknown) => error)
      await arrived.promise
      expect(await blobs.append('u', pieces('def'), { offset: 3, limit: LIMIT })).toBe(6)
      expect(await first).toMatchObject({ code: 'CONFLICT' })
      expect((await blobs.finish('u')).hash).toBe(await sha256('abcdef'))
    })

    test('DA-15 an upload has no more bytes than its limit, and unfinished uploads are limited', async () => {
      await using fixture = await open(createFakeClock())
      const { blobs } = fixture
      const long = blobs.append('long', pieces('x'.repeat(LIMIT), 'y'), START)
      await expect(long).rejects.toMatchObject({ code: 'INVALID_INPUT', field: 'body' })
      expect(await blobs.received('long')).toBe(LIMIT)
      await blobs.drop('long')
      for (let at = 0; at < LIMITS.uploads; at++) await blobs.append(`u${at}`, pieces('x'), START)
      await expect(blobs.append('more', pieces('x'), START)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
      expect(await blobs.append('u0', pieces('x'), { offset: 1, limit: LIMIT })).toBe(2)
    })

    test('DA-15 unfinished uploads and stored bytes are found by their age', async () => {
      const clock = createFakeClock()
      await using fixture = await open(clock)
      const { blobs } = fixture
      const start = clock.now()
      const old = await kept(blobs, 'old')
      await blobs.append('stale', pieces('x'), START)
      await clock.advance(10_000)
      const recent = await kept(blobs, 'recent')
      await blobs.append('fresh', pieces('x'), START)
      expect(await blobs.stored(start - 1)).toEqual([])
      expect(await blobs.stored(start + 5_000)).toEqual([old])
      expect((await blobs.stored(start + 10_000)).toSorted()).toEqual([old, recent].toSorted())
      await blobs.dropUploads(start + 5_000)
      expect([await blobs.received('stale'), await blobs.received('fresh')]).toEqual([0, 1])
    })
  })
}
