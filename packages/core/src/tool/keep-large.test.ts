import { expect, test, vi } from 'vitest'
import { blobPart } from '../domain/files/blob.ts'
import { LIMITS } from '../domain/limits.ts'
import { sha256 } from '../domain/values/sha256.ts'
import { callOfPath, keepLarge, outputPathOf } from './keep-large.ts'
import type { ToolRuntime } from './tool.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const bytesOf = (text: string) => encode(text).length

/** A place for files, and the texts in it. */
function openPlace() {
  const texts: string[] = []
  const keepFile: ToolRuntime['keepFile'] = async (bytes, file) => {
    texts.push(new TextDecoder().decode(bytes))
    return blobPart(
      { type: 'file', url: '', ...file },
      { hash: await sha256(encode('x')), size: bytes.length },
    )
  }
  return { texts, runtime: { toolCallId: 'call_1', keepFile } }
}

const NO_PLACE: Pick<ToolRuntime, 'toolCallId' | 'keepFile'> = {
  toolCallId: 'call_1',
  keepFile: () => Promise.reject(new Error('The disk is full')),
}

test.each([
  ['a short text', 'Hello'],
  ['a text as long as a row holds', 'x'.repeat(LIMITS.inlineFileBytes)],
  ['as many bytes as a row holds', 'é'.repeat(LIMITS.inlineFileBytes / 2)],
])('TO-3 %s stays as it is', async (_, text) => {
  const { texts, runtime } = openPlace()
  const result = { text, data: { path: 'a' } }
  expect(await keepLarge(result, runtime)).toEqual(result)
  expect(texts).toEqual([])
})

test.each([
  ['lines', `${'a line of text\n'.repeat(20_000)}`],
  ['one line', 'x'.repeat(200_000)],
  ['characters of several bytes', '語🙂'.repeat(40_000)],
])('TO-3 DA-15 of a long text of %s the row has the head, and a blob all of it', async (_, text) => {
  const { texts, runtime } = openPlace()
  const kept = await keepLarge({ text }, runtime)
  expect(texts).toEqual([text])
  expect(bytesOf(kept.text)).toBeLessThanOrEqual(LIMITS.inlineFileBytes)
  expect(kept.text.isWellFormed()).toBe(true)
  const [head = '', note] = kept.text.split('\n\n[')
  expect(text.startsWith(head.replace(/\uFFFD$/, ''))).toBe(true)
  expect(bytesOf(head)).toBeGreaterThan(LIMITS.inlineFileBytes / 2)
  expect(note).toBe(
    `Only the first ${bytesOf(head)} of ${bytesOf(text)} bytes. All of it can be read with the tool read: output:call_1]`,
  )
  expect(kept).toMatchObject({
    truncated: true,
    outputPath: 'output:call_1',
    whole: { mediaType: 'text/plain', filename: 'output.txt' },
  })
})

test('TO-3 what a tool holds outside of its result is stored whole, of which the tool is notified, and the ending stays', async () => {
  const { texts, runtime } = openPlace()
  const whole = 'all of it\n'.repeat(50_000)
  const stored = vi.fn(() => Promise.resolve())
  const all = { read: () => Promise.resolve(encode(whole)), stored }
  const result = { text: whole.slice(0, 200_000), all, ending: '[exit code 3]', outputPath: '/outputs/1.txt' }
  const kept = await keepLarge(result, runtime)
  expect(texts).toEqual([whole])
  expect(stored.mock.calls).toEqual([[await sha256(encode('x')), true]])
  expect(kept.outputPath).toBe('output:call_1')
  expect(kept.text.endsWith('\n[exit code 3]')).toBe(true)
  expect(kept).not.toHaveProperty('all')
  expect(kept).not.toHaveProperty('ending')
})

test.each([
  ['is too large for a blob', () => Promise.resolve(null)],
  ['cannot be read', () => Promise.reject(new Error('Gone'))],
])('TO-3 where the whole %s, its file stays with the blob that has what the result had', async (_, read) => {
  const { texts, runtime } = openPlace()
  const stored = vi.fn(() => Promise.reject(new Error('The disk is full')))
  const text = 'x'.repeat(100_000)
  const kept = await keepLarge({ text, all: { read, stored }, outputPath: '/outputs/1.txt' }, runtime)
  expect(texts).toEqual([text])
  expect(stored.mock.calls).toEqual([[await sha256(encode('x')), false]])
  expect(kept.outputPath).toBe('/outputs/1.txt')
})

test('TO-3 where no blob can be stored the row keeps all of the result', async () => {
  const result = { text: 'x'.repeat(100_000), data: { lines: 'y'.repeat(100_000) } }
  expect(await keepLarge(result, NO_PLACE)).toEqual(result)
})

test('DA-15 of data that does not fit a row the small entries stay, and a blob has all as JSON', async () => {
  const { texts, runtime } = openPlace()
  const data = { path: 'a.txt', stamp: 'abc', rows: Array.from({ length: 20_000 }, (_, row) => row) }
  const kept = await keepLarge({ text: 'Done', data }, runtime)
  expect(JSON.parse(texts[0] ?? '')).toEqual(data)
  expect(kept.data).toEqual({ path: 'a.txt', stamp: 'abc' })
  expect(kept.wholeData).toMatchObject({ mediaType: 'application/json' })
})

test('TO-3 the path of a result names its call, and a path of the workspace names none', () => {
  expect(callOfPath(outputPathOf('call_7'))).toBe('call_7')
  expect(callOfPath('src/output:call_7')).toBeNull()
})
