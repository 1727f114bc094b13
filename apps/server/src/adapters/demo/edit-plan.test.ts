import { expect, test } from 'vitest'
import type { DemoToolResult } from './demo-conversation.ts'
import { nextEditMove } from './edit-plan.ts'

const TOOLS = new Set(['write', 'edit'])
const wrote = { toolName: 'write', text: 'Created', failed: false }
const edited = { toolName: 'edit', text: 'Changed', failed: false }

const move = (...results: DemoToolResult[]) =>
  nextEditMove({ instructions: '', said: 'Edit a file', files: 0, turn: 1, results, written: '' }, TOOLS)

test('MO-5 the demo model writes a file, changes a line of it, and says what was decided', () => {
  expect(move().call?.toolName).toBe('write')
  expect(move(wrote).call?.toolName).toBe('edit')
  expect(move({ ...wrote, text: 'The file has this content already.', failed: true }).call?.toolName).toBe(
    'edit',
  )
  expect(move(wrote, edited)).toMatchObject({ call: null, say: expect.stringContaining('Both changes') })
  const denied = { ...wrote, text: 'Not here', failed: true }
  expect(move(denied)).toMatchObject({ call: null, say: expect.stringContaining('Not here') })
  const none = nextEditMove(
    { instructions: '', said: '', files: 0, turn: 1, results: [], written: '' },
    new Set(),
  )
  expect(none.call).toBeNull()
})

test('MO-5 a second demonstration in one folder writes another file', () => {
  const tools = new Set(['glob', 'write', 'edit'])
  const next = (...results: DemoToolResult[]) =>
    nextEditMove({ instructions: '', said: 'Edit a file', files: 0, turn: 1, results, written: '' }, tools)
      .call
  expect(next()?.toolName).toBe('glob')
  const listing = (text: string, failed = false) => ({ toolName: 'glob', text, failed })
  expect(next(listing('No files found.'))?.input).toMatchObject({ path: 'palimpsest-demo/haiku.txt' })
  expect(next(listing('No such folder', true))?.input).toMatchObject({ path: 'palimpsest-demo/haiku.txt' })
  const taken = listing('palimpsest-demo/haiku.txt\npalimpsest-demo/haiku-2.txt')
  expect(next(taken)?.input).toMatchObject({ path: 'palimpsest-demo/haiku-3.txt' })
  expect(next(taken, wrote)).toMatchObject({
    toolName: 'edit',
    input: { path: 'palimpsest-demo/haiku-3.txt' },
  })
})
