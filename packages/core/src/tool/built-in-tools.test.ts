import { createMemoryFiles, type MemoryFiles } from '@palimpsest/testing/memory-files.ts'
import { toolRuntime } from '@palimpsest/testing/tool-runtime.ts'
import { expect, test } from 'vitest'
import { readTool } from './read.ts'
import { todoTool } from './todo.ts'

const runtime = (files: MemoryFiles = createMemoryFiles()) => toolRuntime({ files })

const read = (path: string, texts: Record<string, string>, more: { offset?: number; limit?: number } = {}) =>
  readTool.execute(readTool.input.parse({ path, ...more }), runtime(createMemoryFiles(texts)))

test('TO-1 a file is read by lines with their numbers, from any line on', async () => {
  const texts = { 'a/b.txt': 'one\r\ntwo\nthree\n' }
  expect(await read('a/../a/b.txt', texts)).toEqual({
    text: '1\tone\n2\ttwo\n3\tthree',
    data: { path: 'a/b.txt', stamp: expect.stringMatching(/^[0-9a-f]{64}$/) },
  })
  expect(await read('a/b.txt', texts, { offset: 2, limit: 1 })).toMatchObject({
    text: '2\ttwo\n\n[Lines 2 to 2 of 3]',
    truncated: true,
  })
  expect((await read('a/b.txt', texts, { offset: 9 })).text).toBe('The file has 3 lines.')
  expect((await read('a', texts)).text).toBe('b.txt')
})

test('TO-3 a file of more than 200,000 bytes comes as its head, with the way to the rest', async () => {
  const line = `${'ü'.repeat(49)}\n`
  const whole = line.repeat(3_000)
  const result = await read('long.txt', { 'long.txt': whole })
  expect(result).toMatchObject({ truncated: true, outputPath: 'long.txt' })
  const [, last] = /\[Lines 1 to (\d+) of 3000; /.exec(result.text) ?? []
  expect(new TextEncoder().encode(result.text).length).toBeLessThan(200_200)
  const rest = await read('long.txt', { 'long.txt': whole }, { offset: Number(last) + 1 })
  expect(rest.text.startsWith(`${Number(last) + 1}\t`)).toBe(true)
  expect(rest.truncated).toBeUndefined()
  const oneLine = await read('one.txt', { 'one.txt': 'ü'.repeat(300_000) })
  expect(oneLine.truncated).toBe(true)
  expect(new TextEncoder().encode(oneLine.text).length).toBeLessThan(200_200)
})

test('TO-1 a file that cannot be read is a tool error for the model', async () => {
  await expect(read('missing.txt', {})).rejects.toMatchObject({
    name: 'ToolError',
    message: 'missing.txt does not exist.',
  })
  await expect(read('../x', {})).rejects.toMatchObject({ name: 'ToolError' })
  await expect(read('nul', { nul: 'a\0b' })).rejects.toThrow('not text')
  const broken = { ...createMemoryFiles(), find: () => Promise.reject(new Error('EIO')) }
  await expect(readTool.execute({ path: 'a', offset: 1 }, runtime(broken))).rejects.toThrow('EIO')
})

test('TO-1 a tool names before each call what it needs permission for', async () => {
  const place = runtime()
  expect(await readTool.requires(readTool.input.parse({ path: 'a/../notes.md' }), place)).toEqual([
    { permission: 'read', pattern: 'notes.md' },
  ])
  expect(todoTool.requires({ todos: [] }, place)).toEqual([])
})

test('TO-1 a list of tasks is answered as written, and carried as data', async () => {
  const todos = [
    { content: 'Look', status: 'completed' as const },
    { content: 'Leap', status: 'in_progress' as const },
    { content: 'Land', status: 'pending' as const },
  ]
  expect(await todoTool.execute({ todos }, runtime())).toEqual({
    text: '1 of 3 done\n[x] Look\n[~] Leap\n[ ] Land',
    data: { todos },
  })
})

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])
const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

async function readBytes(path: string, bytes: Uint8Array<ArrayBuffer>) {
  const files = createMemoryFiles()
  files.contents.set(path, bytes)
  return await readTool.execute(readTool.input.parse({ path }), runtime(files))
}

test.for<[string, Uint8Array<ArrayBuffer>]>([
  ['image/png', PNG],
  ['image/jpeg', bytesOf('\xff\xd8\xff\xe0\0')],
  ['image/gif', bytesOf('GIF89a\0\0\xff')],
  ['image/webp', bytesOf('RIFF\0\0\0\0WEBP\xff')],
])(
  'TO-1 a picture is stored and shown by what it holds, whatever its name: %s',
  async ([mediaType, bytes]) => {
    expect(await readBytes('art/ink.txt', bytes)).toEqual({
      text: `art/ink.txt is a picture: ${mediaType}, ${bytes.length} bytes.`,
      data: { path: 'art/ink.txt', stamp: expect.stringMatching(/^[0-9a-f]{64}$/) },
      files: [
        {
          type: 'file',
          mediaType,
          filename: 'ink.txt',
          url: expect.stringMatching(/^\/api\/v1\/blobs\/[0-9a-f]{64}$/),
          providerMetadata: { palimpsest: { bytes: bytes.length } },
        },
      ],
    })
  },
)

test('TO-1 a file that is named like a picture but is none says so', async () => {
  await expect(readBytes('a.png', bytesOf('MZ\0\xff'))).rejects.toThrow('not text')
})
