import { expect, test } from 'vitest'
import { AppError } from '../domain/errors.ts'
import { createFakeClock } from '../testing/fake-clock.ts'
import { readTool } from './read.ts'
import { todoTool } from './todo.ts'
import type { ToolRuntime } from './tool.ts'

function runtime(readText: ToolRuntime['files']['readText']): ToolRuntime {
  const signal = new AbortController().signal
  const clock = createFakeClock()
  return {
    sessionId: 'ses_1',
    toolCallId: 'call_1',
    answers: [],
    signal,
    workspaceRoot: '/w',
    files: { readText },
    clock,
  }
}

const file = (text: string) =>
  runtime((_, __, { offset, limit }) =>
    Promise.resolve({ text: text.slice(offset, offset + limit), totalCharacters: text.length }),
  )

test('TO-3 a file longer than 200,000 characters comes as its head, with the way to the rest', async () => {
  const args = readTool.input.parse({ path: 'long.txt' })
  const result = await readTool.execute(args, file('x'.repeat(300_000)))
  expect(result).toMatchObject({ truncated: true, outputPath: 'long.txt' })
  expect(result.text).toContain('[Characters 0 to 200000 of 300000]')
  const rest = await readTool.execute({ ...args, offset: 200_000 }, file('x'.repeat(300_000)))
  expect(rest).toEqual({ text: 'x'.repeat(100_000) })
})

test('TO-1 a file that cannot be read is a tool error for the model', async () => {
  const missing = runtime(() => Promise.reject(new AppError('INVALID_INPUT', 'There is no such file.')))
  const args = readTool.input.parse({ path: 'missing.txt' })
  await expect(readTool.execute(args, missing)).rejects.toMatchObject({
    name: 'ToolError',
    message: 'There is no such file.',
  })
  const broken = runtime(() => Promise.reject(new Error('EIO')))
  await expect(readTool.execute(args, broken)).rejects.toThrow('EIO')
})

test('TO-1 a tool says before each call what it needs permission for', () => {
  expect(readTool.requires(readTool.input.parse({ path: 'notes.md' }))).toEqual([
    { permission: 'read', pattern: 'notes.md' },
  ])
  expect(todoTool.requires({ items: [] })).toEqual([])
})

test('TO-1 a list of tasks is answered as written, and carried as data', async () => {
  const items = [
    { text: 'Look', status: 'completed' as const },
    { text: 'Leap', status: 'in_progress' as const },
    { text: 'Land', status: 'pending' as const },
  ]
  expect(await todoTool.execute({ items }, file(''))).toEqual({
    text: '1 of 3 done\n[x] Look\n[~] Leap\n[ ] Land',
    data: { items },
  })
})
