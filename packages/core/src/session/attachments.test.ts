import { type CoreLab, openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { BLOB_PENDING_MS, blobHash, blobUrl, type FilePart } from '../domain/files/blob.ts'
import type { ChatPart } from '../domain/message/message.ts'
import { sha256 } from '../domain/values/sha256.ts'

const LARGE = 'A picture of ink. '.repeat(5_000)

function inline(text: string, over: Partial<FilePart> = {}): FilePart {
  return {
    type: 'file',
    mediaType: 'text/plain',
    filename: 'a.txt',
    url: `data:text/plain;base64,${btoa(text)}`,
    ...over,
  }
}

async function* one(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

async function uploaded({ core }: CoreLab, text: string, mediaType = 'text/plain'): Promise<string> {
  const { blob } = await core.blobs.upload({
    uploadId: 'u',
    mediaType,
    offset: 0,
    total: null,
    data: one(text),
  })
  return blob?.hash ?? ''
}

async function sent(lab: CoreLab, parts: ChatPart[], id = 'msg_files') {
  const sessionId = 'ses_files'
  await lab.sessions.create({ id: sessionId })
  const { runId, ...rest } = await lab.sessions.send({ sessionId, message: { id, parts } })
  await lab.chunksOf(sessionId, runId ?? '')
  const { items } = await lab.sessions.messages({ sessionId })
  return { sessionId, runId, ...rest, part: items[0]?.parts[0] }
}

test('DA-15 TO-8 a file above 64 kB becomes a blob that its part names, and the model reads it', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'Seen' }))
  const { part } = await sent(lab, [inline(LARGE)])
  const hash = await sha256(LARGE)
  expect(part).toEqual({
    type: 'file',
    mediaType: 'text/plain',
    filename: 'a.txt',
    url: blobUrl(hash),
    providerMetadata: { palimpsest: { bytes: LARGE.length } },
  })
  expect(await lab.core.blobs.get(hash)).toMatchObject({ pendingSince: null, size: LARGE.length })
  expect(JSON.stringify(lab.steps[0]?.body)).toContain('A picture of ink. A picture of ink.')
})

test('DA-15 a small file stays in its message, as files of earlier versions do', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'Seen' }))
  const { part } = await sent(lab, [inline('small')])
  expect(part).toEqual(inline('small'))
  expect(JSON.stringify(lab.steps[0]?.body)).toContain('small')
})

test('ID-2 DA-15 a send that is repeated is the same message, with the bytes of its file or with the name of its blob', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'Seen' }))
  const { sessionId, runId } = await sent(lab, [inline(LARGE)])
  const again = (parts: ChatPart[]) => lab.sessions.send({ sessionId, message: { id: 'msg_files', parts } })
  const named = inline('', { url: blobUrl(await sha256(LARGE)) })
  for (const parts of [[inline(LARGE)], [named]]) expect((await again(parts)).runId).toBe(runId)
  for (const parts of [[inline(`${LARGE}.`)], [{ ...named, filename: 'b.txt' }], [named, named]])
    await expect(again(parts)).rejects.toMatchObject({ code: 'CONFLICT', field: 'message.id' })
  expect(lab.steps).toHaveLength(1)
})

test('DA-15 a message names an upload, whose type is that of its content; one that is not stored is refused', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'Seen' }))
  const hash = await uploaded(lab, 'a,b')
  const refused = (over: Partial<FilePart>) => sent(lab, [inline('', over)])
  await expect(refused({ url: blobUrl('0'.repeat(64)) })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    field: 'message.parts.0.url',
  })
  await expect(refused({ url: blobUrl(hash), mediaType: 'image/png' })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    field: 'message.parts.0.mediaType',
  })
  const { part } = await sent(lab, [inline('', { url: blobUrl(hash), mediaType: 'text/csv' })])
  expect(part).toMatchObject({ mediaType: 'text/csv', providerMetadata: { palimpsest: { bytes: 3 } } })
})

test('QU-3 DA-15 an edit of a queued message stores its files too', async () => {
  await using lab = await openCoreLab()
  lab.provider.otherwise(reply({ text: ['Hm'], ending: 'stall' }))
  const { sessionId } = await lab.say('Go')
  const { messageId } = await lab.sessions.send({
    sessionId,
    message: { parts: [{ type: 'text', text: 'Later' }] },
  })
  const edited = await lab.sessions.queue.edit({ sessionId, messageId, parts: [inline(LARGE)] })
  const [part] = edited.parts
  expect(part?.type === 'file' && blobHash(part.url)).toBe(await sha256(LARGE))
})

test('DA-14 DA-15 a purge removes the bytes that only it named, and the sweep what no message has named for a day', async () => {
  const clock = createFakeClock()
  await using lab = await openCoreLab({ clock, store: createMemoryStore() })
  lab.provider.script(reply({ text: 'Seen' }))
  const { sessionId } = await sent(lab, [inline(LARGE)])
  const [named, lonely] = [await sha256(LARGE), await uploaded(lab, 'lonely')]
  await lab.sessions.delete(sessionId)
  expect(await lab.core.blobs.read(named)).not.toBeNull()
  await lab.sessions.purge(sessionId)
  expect([await lab.core.blobs.get(named), await lab.core.blobs.read(named)]).toEqual([null, null])
  clock.advance(BLOB_PENDING_MS)
  lab.core.startBinSweep()
  await expect.poll(() => lab.core.blobs.read(lonely)).toBeNull()
})
