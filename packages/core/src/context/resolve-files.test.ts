import { expect, test } from 'vitest'
import { blobPart, blobUrl, type FilePart } from '../domain/files/blob.ts'
import { LIMITS } from '../domain/limits.ts'
import type { ChatMessage, ChatPart } from '../domain/message/message.ts'
import type { ModelInfo } from '../domain/model/model.ts'
import type { ProviderFamily } from './provider-family.ts'
import { resolveFiles } from './resolve-files.ts'

const MEGABYTE = 1024 * 1024
const hashOf = (name: string) => name.repeat(64).slice(0, 64)

/** A part that names a blob `a`, `b`, … of so many bytes. */
function file(name: string, mediaType: string, size = 3): FilePart {
  const part: FilePart = { type: 'file', mediaType, filename: `${name}.bin`, url: '' }
  return blobPart(part, { hash: hashOf(name), size })
}

const user = (...parts: ChatPart[]): ChatMessage => ({ id: 'm', role: 'user', parts })

async function resolved(
  messages: ChatMessage[],
  {
    blobs = {},
    inputs = ['text', 'image', 'pdf'],
    family = 'compatible',
  }: {
    blobs?: Record<string, string | Uint8Array>
    inputs?: ModelInfo['inputs']
    family?: ProviderFamily
  } = {},
): Promise<ChatPart[]> {
  const stored = new Map(Object.entries(blobs).map(([name, content]) => [hashOf(name), content]))
  const readBlob = (hash: string) => {
    const content = stored.get(hash)
    return Promise.resolve(content === undefined ? null : inChunks(content))
  }
  return (await resolveFiles(messages, { info: { inputs }, family, readBlob })).flatMap(({ parts }) => parts)
}

async function* inChunks(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

test('TO-8 a picture reaches a model that takes pictures with its bytes, whatever the size of its chunks', async () => {
  const bytes = Uint8Array.from({ length: 200_000 }, (_, at) => at % 251)
  const [part] = await resolved([user(file('a', 'image/png'))], { blobs: { a: bytes } })
  expect(part).toEqual({
    type: 'file',
    mediaType: 'image/png',
    filename: 'a.bin',
    url: `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`,
  })
})

test('TO-8 text is sent as text under its name, inline or in a blob, in UTF-8 or UTF-16', async () => {
  const inline: FilePart = {
    type: 'file',
    mediaType: 'text/csv',
    filename: 'a"<b>.csv',
    url: 'data:text/csv;base64,MSwy',
  }
  const wide = new Uint8Array(Buffer.from('\ufeffgrün', 'utf16le'))
  const parts = await resolved([user(inline, file('b', 'image/svg+xml'), file('c', 'text/plain'))], {
    blobs: { b: '<svg/>', c: wide },
    inputs: ['text'],
  })
  expect(parts).toEqual([
    { type: 'text', text: '<attachment name="a  b .csv">\n1,2\n</attachment>' },
    { type: 'text', text: '<attachment name="b.bin">\n<svg/>\n</attachment>' },
    { type: 'text', text: '<attachment name="c.bin">\ngrün\n</attachment>' },
  ])
})

test('TO-8 a long text file is sent by its beginning', async () => {
  const [part] = await resolved([user(file('a', 'text/plain'))], {
    blobs: { a: 'x'.repeat(LIMITS.attachedCharacters + 1) },
  })
  const text = part?.type === 'text' ? part.text : ''
  expect(text.length).toBeLessThan(LIMITS.attachedCharacters + 200)
  expect(text).toContain(`Only the first ${LIMITS.attachedCharacters} characters are shown`)
})

test('TO-8 a file that is not stored, too large for its provider or beyond the request is named', async () => {
  const six = new Uint8Array(6 * MEGABYTE)
  const named = (name: string, why: string) => ({
    type: 'text',
    text: `[Attachment ${name}.bin of type image/png: ${why}]`,
  })
  expect(await resolved([user(file('a', 'image/png'))])).toEqual([named('a', 'it is no longer stored')])
  const large = { blobs: { a: six }, family: 'anthropic' as const }
  expect(await resolved([user(file('a', 'image/png', 1))], large)).toEqual([
    named('a', 'it is too large for this request'),
  ])
})

test('TO-8 of many files the latest are sent', async () => {
  const pdf = new Uint8Array(18 * MEGABYTE)
  const messages = ['a', 'b', 'c'].map((name) => user(file(name, 'application/pdf')))
  const parts = await resolved(messages, { blobs: { a: pdf, b: pdf, c: pdf } })
  expect(parts.map(({ type }) => type)).toEqual(['text', 'file', 'file'])
})

test('TO-8 what a model does not take, and files of a reply, stay as they are; files of steering messages do not', async () => {
  const docx = file('a', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document')
  const { providerMetadata: _, ...bare } = docx
  expect(await resolved([user(docx)], { blobs: { a: 'PK' } })).toEqual([bare])
  const own = file('b', 'image/png')
  expect(await resolved([{ id: 'r', role: 'assistant', parts: [own] }])).toEqual([own])
  const steering: ChatPart = { type: 'steering-message', id: 's', parts: [file('c', 'text/plain')] }
  const [part] = await resolved([{ id: 'r', role: 'assistant', parts: [steering] }], {
    blobs: { c: 'words' },
  })
  expect(part).toMatchObject({ parts: [{ type: 'text', text: expect.stringContaining('words') }] })
  expect(bare.url).toBe(blobUrl(hashOf('a')))
})
