import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { createMemoryBlobs } from '@palimpsest/testing/memory-blobs.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { expect, test } from 'vitest'
import { BLOB_PENDING_MS, blobUrl, type FilePart } from '../domain/files/blob.ts'
import { LIMITS } from '../domain/limits.ts'
import { sha256 } from '../domain/values/sha256.ts'
import { createBlobKeeper, type Upload } from './blob-service.ts'

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1]

async function* one(...chunks: (string | number[])[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks)
    yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : Uint8Array.from(chunk)
}

function openLab() {
  const clock = createFakeClock()
  const [blobs, store] = [createMemoryBlobs(clock), createMemoryStore()]
  const keeper = createBlobKeeper({ blobs, store, clock })
  const upload = (over: Partial<Upload> = {}) =>
    keeper.upload({ uploadId: 'u', mediaType: 'text/plain', offset: 0, total: null, data: one('x'), ...over })
  return { clock, blobs, store, keeper, upload }
}

test('DA-15 an upload of several requests becomes one blob with its row', async () => {
  const { keeper, upload, clock } = openLab()
  expect(await upload({ total: 7, data: one('one ') })).toEqual({ received: 4, blob: null })
  expect(await keeper.received('u')).toBe(4)
  const hash = await sha256('one two')
  const { blob } = await upload({ offset: 4, total: 7, data: one('two') })
  expect(blob).toEqual({
    hash,
    size: 7,
    mediaType: 'text/plain',
    owner: 'usr_local',
    createdAt: clock.now(),
    pendingSince: clock.now(),
  })
  expect(await keeper.get(hash)).toEqual(blob)
})

test.for([
  ['image/png', '<svg onload="alert(1)"/>'],
  ['image/jpeg', PNG],
  ['image/unknown', '<html>'],
  ['text/plain', [65, 0, 66]],
  ['image/svg+xml', PNG],
  ['application/pdf', 'words'],
] as const)(
  'SX-6 content that is not %s is refused, and nothing of it is kept',
  async ([mediaType, data]) => {
    const { upload, blobs } = openLab()
    const refused = upload({ mediaType, data: one(typeof data === 'string' ? data : [...data]) })
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_INPUT', field: 'content-type' })
    expect(await blobs.received('u')).toBe(0)
    expect(await blobs.stored(Number.MAX_SAFE_INTEGER)).toEqual([])
  },
)

test.for([
  ['IMAGE/PNG; charset=x', PNG, 'image/png'],
  ['image/jpg', [0xff, 0xd8, 0xff, 0xe0], 'image/jpeg'],
  ['image/svg+xml', '<svg/>', 'image/svg+xml'],
  ['text/plain', [0xff, 0xfe, 65, 0], 'text/plain'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', [0x50, 0x4b, 3, 4], null],
] as const)('DA-15 content that is %s is stored under its usual name', async ([mediaType, data, stored]) => {
  const { upload } = openLab()
  const { blob } = await upload({ mediaType, data: one(typeof data === 'string' ? data : [...data]) })
  expect(blob?.mediaType).toBe(stored ?? mediaType)
})

test('DA-15 bad ids, types and sizes are refused by their field before a byte is read', async () => {
  const { upload } = openLab()
  const fields: [Partial<Upload>, string][] = [
    [{ uploadId: '../etc' }, 'upload-id'],
    [{ mediaType: 'png' }, 'content-type'],
    [{ mediaType: '' }, 'content-type'],
    [{ total: LIMITS.blobBytes + 1 }, 'body'],
  ]
  for (const [over, field] of fields)
    await expect(upload(over)).rejects.toMatchObject({ code: 'INVALID_INPUT', field })
})

test('DA-15 bytes go with their row after a day without a message, and bytes without a row too', async () => {
  const { clock, upload, keeper, blobs } = openLab()
  const { blob } = await upload()
  const hash = blob?.hash ?? ''
  await blobs.append('lost', one('lost'), { offset: 0, limit: 10 })
  const lost = await blobs.finish('lost')
  await upload({ uploadId: 'begun', total: 100 })
  clock.advance(BLOB_PENDING_MS - 1)
  await keeper.sweep()
  expect(await keeper.get(hash)).not.toBeNull()
  expect(await keeper.read(lost.hash)).not.toBeNull()
  expect(await keeper.received('begun')).toBe(1)
  clock.advance(1)
  await keeper.sweep()
  expect([await keeper.get(hash), await keeper.read(hash), await keeper.read(lost.hash)]).toEqual([
    null,
    null,
    null,
  ])
  expect(await keeper.received('begun')).toBe(0)
})

test('DA-15 bytes are not removed while a row for them is being added', async () => {
  const { clock, upload, keeper } = openLab()
  const { blob } = await upload()
  clock.advance(BLOB_PENDING_MS)
  const [, again] = await Promise.all([keeper.sweep(), upload({ uploadId: 'again' })])
  expect(again.blob?.hash).toBe(blob?.hash)
  expect(await keeper.get(blob?.hash ?? '')).not.toBeNull()
  expect(await keeper.read(blob?.hash ?? '')).not.toBeNull()
})

test('DA-15 a file in a data URL becomes a blob whatever it says that it is, and other URLs stay', async () => {
  const { keeper } = openLab()
  const url = `data:image/png;base64,${btoa('no picture')}`
  const part: FilePart = { type: 'file', mediaType: 'image/png', filename: 'a.png', url }
  const kept = await keeper.keepInline(part)
  const hash = await sha256('no picture')
  const providerMetadata = { palimpsest: { bytes: 10 } }
  expect(kept).toEqual({ ...part, url: blobUrl(hash), providerMetadata })
  expect(await keeper.get(hash)).toMatchObject({ mediaType: 'application/octet-stream', size: 10 })
  for (const other of ['data:text/plain,words', blobUrl(hash)])
    expect(await keeper.keepInline({ ...part, url: other })).toEqual({ ...part, url: other })
})

test('DA-15 a refused row leaves no bytes', async () => {
  const { upload, blobs, store } = openLab()
  await store.blobs.add(
    { hash: 'a'.repeat(64), size: LIMITS.pendingBlobBytes, mediaType: 'a/b', owner: 'o' },
    1,
  )
  await expect(upload()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  expect(await blobs.stored(Number.MAX_SAFE_INTEGER)).toEqual([])
})
