import { fileChangeRow, fileState } from '@palimpsest/testing/file-change-row.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  FILE_CHOICES,
  type FileChangeRow,
  type FileState,
  NOT_KEPT_REASONS,
  sameState,
} from '../../domain/workspace/file-journal.ts'
import { besideName, decideFile, type WantedFile, wantedFiles } from './plan-files.ts'

const [old, ours, theirs] = [fileState('old'), fileState('ours'), fileState('theirs')]

function wanted(change: Partial<WantedFile> = {}): WantedFile {
  return { path: 'a.txt', target: old, ours, uncertain: false, notKept: null, ...change }
}

const onDisk = (state: FileState | null) => ({ type: 'file' as const, state })

describe('the three-way decision', () => {
  test('RW-12 a file that is as the chat left it is restored, without a question', () => {
    expect(decideFile(wanted(), onDisk(ours), undefined)).toEqual({
      type: 'restore',
      from: ours,
      fate: { path: 'a.txt', fate: 'restored' },
    })
  })

  test('RW-12 a file that is as it is wanted is left, whoever made it so', () => {
    for (const choice of [undefined, ...FILE_CHOICES])
      expect(decideFile(wanted({ uncertain: true }), onDisk(old), choice)).toEqual({ type: 'leave' })
  })

  test('RW-12 a file that somebody else has changed stays, and is named as a conflict', () => {
    expect(decideFile(wanted(), onDisk(theirs), undefined)).toEqual({
      type: 'keep',
      found: theirs,
      fate: { path: 'a.txt', fate: 'conflict' },
    })
  })

  test('RW-12 a file that somebody else has deleted is not made again without a choice', () => {
    expect(decideFile(wanted(), onDisk(null), undefined)).toMatchObject({ type: 'keep', found: null })
  })

  test('RW-12 a file that may have been changed by somebody else stays although it is as the chat left it', () => {
    const uncertain = wanted({ uncertain: true })
    expect(decideFile(uncertain, onDisk(ours), undefined)).toMatchObject({ fate: { fate: 'conflict' } })
    expect(decideFile(wanted(), onDisk(ours), undefined)).toMatchObject({ fate: { fate: 'restored' } })
  })

  test('RW-12 a file whose executable bit alone differs is not as the chat left it', () => {
    const found = onDisk({ ...ours, mode: '100755' })
    expect(decideFile(wanted(), found, undefined)).toMatchObject({ fate: { fate: 'conflict' } })
  })

  test('RW-12 the choice “keep” keeps the other version, and is no conflict any more', () => {
    expect(decideFile(wanted(), onDisk(theirs), 'keep')).toEqual({
      type: 'keep',
      found: theirs,
      fate: { path: 'a.txt', fate: 'kept' },
    })
  })

  test('RW-12 the choice “restore” restores from what is there, so that it can be brought back', () => {
    expect(decideFile(wanted(), onDisk(theirs), 'restore')).toEqual({
      type: 'restore',
      from: theirs,
      fate: { path: 'a.txt', fate: 'restored' },
    })
  })

  test('RW-12 the choice “both” puts the restored version beside the other one', () => {
    expect(decideFile(wanted(), onDisk(theirs), 'both')).toEqual({
      type: 'beside',
      copy: 'a.restored.txt',
      found: theirs,
      fate: { path: 'a.txt', fate: 'beside', copy: 'a.restored.txt' },
    })
  })

  test.for([
    ['nothing is to be restored', wanted({ target: null }), onDisk(theirs)],
    ['nothing is there', wanted(), onDisk(null)],
  ] as const)('RW-12 “both” where %s keeps what is there', ([, file, found]) => {
    expect(decideFile(file, found, 'both')).toMatchObject({ type: 'keep', fate: { fate: 'kept' } })
  })

  test.for(NOT_KEPT_REASONS)(
    'RW-10 a file whose content is not kept (%s) is named, and not touched',
    (reason) => {
      for (const choice of [undefined, ...FILE_CHOICES]) {
        const fate = { path: 'a.txt', fate: 'not-kept', reason }
        expect(decideFile(wanted({ notKept: reason }), onDisk(ours), choice)).toEqual({
          type: 'not-kept',
          fate,
        })
        expect(decideFile(wanted(), { type: 'blocked', reason }, choice)).toEqual({ type: 'not-kept', fate })
      }
    },
  )

  test('RW-12 whatever is there, wanted and chosen: a version that the chat did not leave goes only by the choice to restore', () => {
    const state = fc.constantFrom<FileState | null>(null, old, ours, theirs, { ...ours, mode: '100755' })
    const choice = fc.constantFrom(undefined, ...FILE_CHOICES)
    fc.assert(
      fc.property(state, state, state, fc.boolean(), choice, (target, left, found, uncertain, chosen) => {
        const file = wanted({ target, ours: left, uncertain })
        const decided = decideFile(file, onDisk(found), chosen)
        if (decided.type !== 'restore') return
        expect(decided.from).toEqual(found)
        expect(sameState(found, target)).toBe(false)
        expect(chosen === 'restore' || (!uncertain && sameState(found, left))).toBe(true)
      }),
    )
  })
})

describe('what an operation wants each file to be', () => {
  const row = (change: Partial<FileChangeRow>) => fileChangeRow({ before: old, after: ours, ...change })
  const latestOf = (...rows: FileChangeRow[]) => new Map(rows.map((one) => [one.path, one]))

  test('RW-12 of several hidden changes of a file the state before the first of them is wanted', () => {
    const first = row({ ordinal: 1, before: null, after: old })
    const second = row({ ordinal: 2, before: old, after: ours })
    expect(wantedFiles([[first], [second]], [], latestOf(second))).toEqual([
      { path: 'a.txt', target: null, ours, uncertain: false, notKept: null },
    ])
  })

  test('RW-12 of several changes that are done again the state after the last of them is wanted', () => {
    const first = row({ ordinal: 1, before: null, after: old })
    const second = row({ ordinal: 2, before: old, after: ours })
    expect(wantedFiles([], [[first], [second]], latestOf())).toMatchObject([{ target: ours }])
  })

  test('RW-12 what is undone and done again in one operation is wanted as it is done again', () => {
    const [undone, redone] = [row({ before: old, after: ours }), row({ before: old, after: theirs })]
    expect(wantedFiles([[undone]], [[redone]], latestOf(undone))).toMatchObject([{ target: theirs, ours }])
  })

  test('RW-12 each path is decided by itself, in the order in which it is met from the end', () => {
    const [a, b] = [row({ path: 'a.txt' }), row({ path: 'b.txt', before: null })]
    const found = wantedFiles([[a, b]], [], latestOf(a, b))
    expect(found.map(({ path, target }) => [path, target])).toEqual([
      ['b.txt', null],
      ['a.txt', old],
    ])
  })

  test('RW-12 the chat’s last change says what it has left there, also one that stays visible', () => {
    const [hidden, later] = [row({ ordinal: 1 }), row({ ordinal: 2, before: ours, after: theirs })]
    expect(wantedFiles([[hidden]], [], latestOf(later))).toMatchObject([{ target: old, ours: theirs }])
  })

  test('RW-12 without a last change the hidden one says it', () => {
    expect(wantedFiles([[row({})]], [], latestOf())).toMatchObject([{ target: old, ours }])
  })

  test.for([
    [{ status: 'uncertain' }, {}, true],
    [{}, { status: 'uncertain' }, true],
    [{}, {}, false],
  ] as const)(
    'RW-12 a hidden change %j with a last one %j makes the file uncertain: %s',
    ([hidden, last, expected]) => {
      const [found] = wantedFiles([[row(hidden)]], [], latestOf(row({ ordinal: 9, ...last })))
      expect(found?.uncertain).toBe(expected)
    },
  )

  test('RW-12 one uncertain change among several makes the file uncertain', () => {
    const rows = [row({ ordinal: 1, status: 'uncertain' }), row({ ordinal: 2 }), row({ ordinal: 3 })]
    expect(wantedFiles([rows], [], latestOf())).toMatchObject([{ uncertain: true }])
  })

  test('RW-10 one content among several that is not kept is named as the reason', () => {
    const rows = [row({ ordinal: 1, status: 'not-kept', reason: 'too-large' }), row({ ordinal: 2 })]
    expect(wantedFiles([rows], [], latestOf())).toMatchObject([{ notKept: 'too-large' }])
    expect(wantedFiles([[row({})]], [], latestOf())).toMatchObject([{ notKept: null }])
  })

  test('RW-12 changes that are undone and then done again end where they began', () => {
    const states = fc.array(fc.constantFrom<FileState | null>(null, old, ours, theirs), {
      minLength: 2,
      maxLength: 8,
    })
    fc.assert(
      fc.property(states, (list) => {
        const rows = list.slice(1).map((after, at) => row({ ordinal: at, before: list[at] ?? null, after }))
        const latest = latestOf(...rows)
        const [back] = wantedFiles([rows], [], latest)
        const [again] = wantedFiles([], [rows], latest)
        expect(back?.target).toEqual(list[0])
        expect(again?.target).toEqual(list.at(-1))
        expect(back?.ours).toEqual(list.at(-1))
      }),
    )
  })
})

test.for([
  ['a.txt', 'a.restored.txt'],
  ['folder/a.txt', 'folder/a.restored.txt'],
  ['a.tar.gz', 'a.tar.restored.gz'],
  ['Makefile', 'Makefile.restored'],
  ['.env', '.env.restored'],
  ['folder.d/Makefile', 'folder.d/Makefile.restored'],
  ['folder/.env', 'folder/.env.restored'],
  ['a.', 'a.restored.'],
] as const)('RW-12 the restored version of %s lies beside it as %s', ([path, name]) => {
  expect(besideName(path)).toBe(name)
})

test('RW-12 where that name is taken the next ones are numbered', () => {
  expect([1, 2, 10].map((number) => besideName('a.txt', number))).toEqual([
    'a.restored-1.txt',
    'a.restored-2.txt',
    'a.restored-10.txt',
  ])
})
