import { expect, test } from 'vitest'
import { createFakeClock } from '../testing/fake-clock.ts'
import { createMemoryFiles, type MemoryFiles } from '../testing/memory-files.ts'
import { NO_SKILLS } from '../testing/tool-runtime.ts'
import { readTool } from './read.ts'
import { todoTool } from './todo.ts'
import type { ToolRuntime } from './tool.ts'

function runtime(files: MemoryFiles = createMemoryFiles()): ToolRuntime {
  const signal = new AbortController().signal
  const clock = createFakeClock()
  const own = { sessionId: 'ses_1', toolCallId: 'call_1', answers: [], shown: null }
  return {
    ...own,
    signal,
    workspaceRoot: '/w',
    files,
    shell: null,
    web: null,
    seen: () => null,
    skills: NO_SKILLS,
    clock,
    progress() {},
  }
}

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
  const broken = { ...createMemoryFiles(), list: () => Promise.reject(new Error('EIO')) }
  await expect(readTool.execute({ path: 'a', offset: 1 }, runtime(broken))).rejects.toThrow('EIO')
})

test('TO-1 a tool names before each call what it needs permission for', async () => {
  const place = runtime()
  expect(await readTool.requires(readTool.input.parse({ path: 'a/../notes.md' }), place)).toEqual([
    { permission: 'read', pattern: 'notes.md' },
  ])
  expect(todoTool.requires({ items: [] }, place)).toEqual([])
})

test('TO-1 a list of tasks is answered as written, and carried as data', async () => {
  const items = [
    { text: 'Look', status: 'completed' as const },
    { text: 'Leap', status: 'in_progress' as const },
    { text: 'Land', status: 'pending' as const },
  ]
  expect(await todoTool.execute({ items }, runtime())).toEqual({
    text: '1 of 3 done\n[x] Look\n[~] Leap\n[ ] Land',
    data: { items },
  })
})
