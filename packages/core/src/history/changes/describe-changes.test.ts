import { fileChangeRow, fileState } from '@palimpsest/testing/file-change-row.ts'
import { describe, expect, test } from 'vitest'
import { diffFiles } from '../../domain/workspace/diff-files.ts'
import { CHANGE_AUTHORS, CHANGE_STATUSES, NOT_KEPT_REASONS } from '../../domain/workspace/file-journal.ts'
import {
  conflictOf,
  isOfChat,
  kindOf,
  notKeptOf,
  nowOf,
  patchOf,
  pendingOf,
  wholeFile,
} from './describe-changes.ts'

const [old, now] = [fileState('old'), fileState('now')]

test('RW-11 calls and operations of the chat are its changes, a person’s are not', () => {
  expect(CHANGE_AUTHORS.filter((author) => isOfChat(fileChangeRow({ author })))).toEqual([
    'call',
    'operation',
  ])
})

test('RW-11 what is not on the disk is no change of the chat', () => {
  expect(CHANGE_STATUSES.filter((status) => isOfChat(fileChangeRow({ status })))).toEqual([
    'made',
    'uncertain',
  ])
})

test.for([
  [null, now, 'created'],
  [old, now, 'changed'],
  [old, { ...old, mode: '100755' }, 'changed'],
  [old, null, 'deleted'],
  [old, old, 'unchanged'],
  [null, null, 'unchanged'],
] as const)('RW-11 from %j to %j a file is %s', ([before, after, expected]) => {
  expect(kindOf(before, after)).toBe(expected)
})

test.for([
  [{ type: 'file', state: now }, now, 'as-left'],
  [{ type: 'file', state: null }, null, 'as-left'],
  [{ type: 'file', state: old }, now, 'changed-since'],
  [{ type: 'file', state: { ...now, mode: '100755' } }, now, 'changed-since'],
  [{ type: 'file', state: old }, null, 'changed-since'],
  [{ type: 'file', state: null }, now, 'gone'],
  [{ type: 'blocked', reason: 'too-large' }, now, 'changed-since'],
  [{ type: 'blocked', reason: 'folder' }, null, 'changed-since'],
] as const)('RW-11 where %j is found and %j was left the file is %s', ([found, left, expected]) => {
  expect(nowOf(found, left)).toBe(expected)
})

describe('what is taken back of a file', () => {
  const first = fileChangeRow({ ordinal: 1, before: old, after: fileState('between') })
  const last = fileChangeRow({ ordinal: 2, before: fileState('between'), after: now })

  test('RW-11 all of the chat’s changes go from its last state to that before the first', () => {
    expect(wholeFile('a.txt', [first, last], last, 'paths.0')).toEqual({
      path: 'a.txt',
      target: old,
      ours: now,
      uncertain: false,
      notKept: null,
    })
  })

  test('RW-11 those of one run go from what the chat has left last, also after the run', () => {
    expect(wholeFile('a.txt', [first], last, 'paths.0')).toMatchObject({ target: old, ours: now })
  })

  test('RW-11 one uncertain change makes the whole uncertain', () => {
    const uncertain = { ...first, status: 'uncertain' as const }
    expect(wholeFile('a.txt', [uncertain, last], last, 'paths.0').uncertain).toBe(true)
  })

  test.for([
    ['without a change', [], last],
    ['without a last one', [first], undefined],
  ] as const)('RW-11 a path %s is refused, with its field', ([, rows, latest]) => {
    expect(() => wholeFile('b.txt', rows, latest, 'paths.3')).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', field: 'paths.3' }),
    )
  })
})

test.for(NOT_KEPT_REASONS)('RW-10 a content that is not kept (%s) is named with its call', (reason) => {
  expect(notKeptOf(fileChangeRow({ status: 'not-kept', reason }))).toEqual([
    { path: 'a.txt', reason, toolCallId: 'call_1', messageId: 'msg_1' },
  ])
})

test('RW-10 what is kept is not named as not kept', () => {
  expect(notKeptOf(fileChangeRow())).toEqual([])
  expect(notKeptOf(fileChangeRow({ status: 'not-kept', reason: null }))).toEqual([])
  expect(notKeptOf(fileChangeRow({ status: 'made', reason: 'too-large' }))).toEqual([])
})

test('RW-12 only an open conflict of an operation waits for a choice', () => {
  const row = fileChangeRow({ author: 'operation', operationId: 'op_1', createdAt: 5 })
  expect(conflictOf({ ...row, status: 'conflict' })).toEqual([{ operationId: 'op_1', path: 'a.txt', at: 5 }])
  for (const status of CHANGE_STATUSES.filter((one) => one !== 'conflict'))
    expect(conflictOf({ ...row, status })).toEqual([])
  expect(conflictOf({ ...row, status: 'conflict', operationId: null })).toEqual([])
})

test('RW-9 what is pending names its operation and all of its paths', () => {
  const row = (path: string) => fileChangeRow({ path, operationId: 'op_1', status: 'pending' })
  expect(pendingOf([row('a.txt'), row('b.txt')])).toEqual({ operationId: 'op_1', paths: ['a.txt', 'b.txt'] })
  expect(pendingOf([])).toBeNull()
  expect(pendingOf([fileChangeRow({ operationId: null })])).toBeNull()
})

describe('a patch', () => {
  const diff = (before: string | null, after: string) => diffFiles('a.txt', before, after)?.diff ?? ''

  test('RW-11 of a changed file names it on both sides', () => {
    expect(patchOf('a.txt', old, now, diff('one\n', 'two\n'))).toBe(
      [
        'diff --git a/a.txt b/a.txt',
        '--- a/a.txt',
        '+++ b/a.txt',
        '@@ -1,1 +1,1 @@',
        '-one',
        '+two',
        '',
      ].join('\n'),
    )
  })

  test('RW-11 of a new file says its mode', () => {
    const patch = patchOf('a.txt', null, { ...now, mode: '100755' }, diff(null, 'two\n'))
    expect(patch.split('\n').slice(0, 3)).toEqual([
      'diff --git a/a.txt b/a.txt',
      'new file mode 100755',
      '--- /dev/null',
    ])
  })

  test('RW-11 of a deleted file ends at nothing', () => {
    const patch = patchOf('a.txt', old, null, diff('one\n', ''))
    expect(patch.split('\n').slice(0, 4)).toEqual([
      'diff --git a/a.txt b/a.txt',
      'deleted file mode 100644',
      '--- a/a.txt',
      '+++ /dev/null',
    ])
  })

  test('RW-11 of a file whose executable bit has changed says both modes', () => {
    const patch = patchOf('a.txt', old, { ...now, mode: '100755' }, diff('one\n', 'two\n'))
    expect(patch.split('\n').slice(1, 3)).toEqual(['old mode 100644', 'new mode 100755'])
    expect(patchOf('a.txt', old, now, diff('one\n', 'two\n'))).not.toContain('mode')
  })

  test('RW-11 always ends with one line end, so that patches can be put behind each other', () => {
    expect(patchOf('a.txt', old, now, 'x')).toMatch(/[^\n]\n$/)
    expect(patchOf('a.txt', old, now, 'x\n')).toMatch(/[^\n]\n$/)
  })
})
