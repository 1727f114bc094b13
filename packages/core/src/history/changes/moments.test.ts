import { fileChangeRow, fileState } from '@palimpsest/testing/file-change-row.ts'
import { expect, test } from 'vitest'
import { AppError } from '../../domain/errors.ts'
import { CHANGE_STATUSES } from '../../domain/workspace/file-journal.ts'
import { entryOf, isOnDisk, stateAt } from './moments.ts'

const [zero, one, two, three] = ['zero', 'one', 'two', 'three'].map((name) => fileState(name))

/** A file that a run changes twice, and another run once. */
const ROWS = [
  fileChangeRow({ ordinal: 3, runId: 'run_1', before: zero ?? null, after: one ?? null }),
  fileChangeRow({ ordinal: 5, runId: 'run_1', before: one ?? null, after: two ?? null }),
  fileChangeRow({ ordinal: 9, runId: 'run_2', before: two ?? null, after: three ?? null }),
]

test.for([
  [{ at: 'start' }, zero],
  [{ at: 'before-run', runId: 'run_1' }, zero],
  [{ at: 'after-run', runId: 'run_1' }, two],
  [{ at: 'before-run', runId: 'run_2' }, two],
  [{ at: 'after-run', runId: 'run_2' }, three],
  [{ at: 'change', ordinal: 3 }, one],
  [{ at: 'change', ordinal: 5 }, two],
  [{ at: 'change', ordinal: 9 }, three],
] as const)('RW-11 at the moment %j a file is as it was then', ([moment, expected]) => {
  expect(stateAt(ROWS, moment, 'from')).toEqual(expected)
})

test('RW-11 before a chat that has made a file there was nothing', () => {
  expect(stateAt([fileChangeRow({ before: null })], { at: 'start' }, 'from')).toBeNull()
})

test('RW-11 after a run that has deleted a file there is nothing', () => {
  const deleted = fileChangeRow({ runId: 'run_1', before: one ?? null, after: null })
  expect(stateAt([deleted], { at: 'after-run', runId: 'run_1' }, 'from')).toBeNull()
})

test.for([
  [{ at: 'before-run', runId: 'run_3' }, 'from'],
  [{ at: 'after-run', runId: '' }, 'to'],
  [{ at: 'change', ordinal: 4 }, 'from'],
  [{ at: 'change', ordinal: -1 }, 'to'],
] as const)('RW-11 a moment %j that is none of the file’s is refused, with its field', ([moment, field]) => {
  const refused = () => stateAt(ROWS, moment, field)
  expect(refused).toThrow(AppError)
  expect(refused).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', field }))
})

test('RW-11 the start of a file without changes is nothing', () => {
  expect(stateAt([], { at: 'start' }, 'from')).toBeNull()
})

test('RW-11 what is made, also maybe by somebody else, is on the disk; what waits, was left or is not kept is not', () => {
  const found = CHANGE_STATUSES.filter((status) => isOnDisk(fileChangeRow({ status })))
  expect(found).toEqual(['made', 'uncertain'])
})

test('RW-11 the mark of a command that runs is no file', () => {
  expect(isOnDisk(fileChangeRow({ path: '.' }))).toBe(false)
  expect(isOnDisk(fileChangeRow({ path: './a' }))).toBe(true)
})

test('RW-11 an entry names who made the change, where and when, and no contents', () => {
  const row = fileChangeRow({ ordinal: 7, madeIn: 'child', createdAt: 99, operationId: 'op_1' })
  expect(entryOf(row)).toEqual({
    ordinal: 7,
    author: 'call',
    madeIn: 'child',
    runId: 'run_1',
    messageId: 'msg_1',
    toolCallId: 'call_1',
    operationId: 'op_1',
    uncertain: false,
    at: 99,
  })
})

test('RW-11 an entry says of a change that it may be somebody else’s', () => {
  expect(entryOf(fileChangeRow({ status: 'uncertain' })).uncertain).toBe(true)
})
