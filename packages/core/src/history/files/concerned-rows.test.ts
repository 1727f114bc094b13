import { silentLogger } from '@palimpsest/testing/core-lab.ts'
import { fileChangeRow, fileState } from '@palimpsest/testing/file-change-row.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HistoryDetail, HistoryOperation } from '../../domain/history/history-operation.ts'
import type { OutlineEntry } from '../../domain/history/outline.ts'
import type { Session } from '../../domain/session/session.ts'
import { inRanges, type SeqRange } from '../../domain/values/seq-ranges.ts'
import type { FileChangeRow, NotKeptReason } from '../../domain/workspace/file-journal.ts'
import type { FileSpan } from '../../domain/workspace/file-span.ts'
import type { Clock, FileDelta, Logger, Snapshots, Store } from '../../ports/index.ts'
import { rowsOfEvents } from './concerned-rows.ts'
import type { FileEvent } from './plan-files.ts'

type Given = {
  rows?: FileChangeRow[]
  /** The snapshots that replies of earlier releases name, by their place; each reply is as old as its place. */
  spans?: Record<number, FileSpan>
  /** What operations hold besides their messages. */
  operations?: Record<string, Partial<HistoryDetail>>
  session?: Partial<Session>
  logger?: Logger
  /** Spans that the layer does not have, by their `before`. */
  unknown?: string[]
  notKept?: NotKeptReason
}

const span = (name: string): FileSpan => ({ before: `${name}-before`, after: `${name}-after` })

/** A chat of nine messages, `msg_1` to `msg_9`; what differs between two snapshots is a file that is called after the first. */
function chat({
  rows = [],
  spans = {},
  operations = {},
  session = {},
  logger = silentLogger,
  unknown = [],
  notKept,
}: Given) {
  const entries = Array.from({ length: 9 }, (_, at) => ({ id: `msg_${at + 1}`, seq: at + 1 }) as OutlineEntry)
  const done = Object.entries(operations).map(
    ([id, detail]) => ({ id, detail: { lastSeq: 9, hidden: [], shown: [], ...detail } }) as HistoryOperation,
  )
  const [asked, compared]: [SeqRange[][], FileSpan[][]] = [[], []]
  const named = Object.entries(spans).map(([seq, workspace]) => ({
    seq: Number(seq),
    createdAt: Number(seq),
    metadata: { workspace },
  }))
  const store = {
    history: {
      fileChangesAt(_: string, ranges: SeqRange[]) {
        asked.push(ranges)
        return Promise.resolve(named.filter(({ seq }) => inRanges(ranges, seq)))
      },
    },
  } as unknown as Store
  const snapshots = {
    changed(_: string, wanted: readonly FileSpan[]): Promise<FileDelta[][]> {
      compared.push([...wanted])
      if (wanted.some(({ before }) => unknown.includes(before))) return Promise.reject(new Error('Unknown'))
      return Promise.resolve(
        wanted.map(({ before, after }) => [
          { path: before, before: null, after: fileState(after), notKept: notKept ?? null },
        ]),
      )
    },
  } as unknown as Snapshots
  const place = {
    session: { id: 'chat', parentId: null, createdAt: 0, ...session } as Session,
    root: '/w',
    outline: { entries, operations: done },
    rows,
  }
  const ports = { store, snapshots, clock: { now: () => 42 } as Clock, logger }
  const found = (...events: FileEvent[]) => rowsOfEvents(place, events, ports)
  return {
    asked,
    compared,
    found,
    paths: async (...events: FileEvent[]) =>
      (await found(...events)).map((own) => own.map(({ path }) => path)),
  }
}

const byCall = (ordinal: number, messageId: string, path = `f${ordinal}`) =>
  fileChangeRow({ ordinal, messageId, path })

const byOperation = (ordinal: number, operationId: string) =>
  fileChangeRow({
    ...{ ordinal, operationId, path: `f${ordinal}`, author: 'operation' },
    ...{ messageId: null, runId: null, toolCallId: null },
  })

test('RW-5 a message has the changes that its calls made, as they were noted and in their order', async () => {
  const rows = [byCall(1, 'msg_2'), byCall(2, 'msg_4'), byCall(3, 'msg_2')]
  expect(await chat({ rows }).found({ seq: 2 })).toEqual([[rows[0], rows[2]]])
})

test('RW-5 a message whose calls changed nothing has no changes, also beside one that has', async () => {
  expect(await chat({ rows: [byCall(1, 'msg_2')] }).paths({ seq: 1 }, { seq: 2 }, { seq: 3 })).toEqual([
    [],
    ['f1'],
    [],
  ])
})

test('RW-5 each event has its own changes, in the order in which the events are given', async () => {
  const rows = [byCall(1, 'msg_2'), byOperation(2, 'op_1'), byCall(3, 'msg_4')]
  const { paths } = chat({ rows, operations: { op_1: {} } })
  expect(await paths({ seq: 4 }, { operationId: 'op_1' }, { seq: 2 })).toEqual([['f3'], ['f2'], ['f1']])
})

test('RW-5 an operation has the changes that it made, and not those of another one', async () => {
  const rows = [byOperation(1, 'op_1'), byOperation(2, 'op_2'), byOperation(3, 'op_1')]
  const { paths } = chat({ rows, operations: { op_1: {}, op_2: {}, op_3: {} } })
  expect(await paths({ operationId: 'op_1' }, { operationId: 'op_3' })).toEqual([['f1', 'f3'], []])
})

test('RW-5 a change without a message or an operation belongs to no event', async () => {
  const rows = [fileChangeRow({ messageId: null, author: 'person' })]
  const { paths } = chat({ rows, operations: { op_1: {} } })
  expect(await paths({ seq: 2 }, { seq: 99 }, { operationId: 'op_1' }, { operationId: 'gone' })).toEqual([
    [],
    [],
    [],
    [],
  ])
})

test('RW-5 no event has no changes, and nothing is read', async () => {
  const { found, asked, compared } = chat({ rows: [byCall(1, 'msg_2')] })
  expect(await found()).toEqual([])
  expect([asked, compared]).toEqual([[], []])
})

test('RW-5 the two snapshots that a reply of an earlier release names are read as rows of a call', async () => {
  const { found } = chat({ spans: { 2: span('old') } })
  expect(await found({ seq: 2 })).toEqual([
    [
      {
        ordinal: 0,
        sessionId: 'chat',
        author: 'call',
        messageId: null,
        runId: null,
        toolCallId: null,
        madeIn: 'chat',
        operationId: null,
        root: '/w',
        path: 'old-before',
        before: null,
        after: fileState('old-after'),
        status: 'made',
        reason: null,
        createdAt: 42,
      },
    ],
  ])
})

test('RW-10 a content that a snapshot of an earlier release has not kept is not kept, with the reason', async () => {
  const { found } = chat({ spans: { 2: span('old') }, notKept: 'too-large' })
  expect(await found({ seq: 2 })).toMatchObject([[{ status: 'not-kept', reason: 'too-large' }]])
})

test('RW-5 the two snapshots of an operation of an earlier release are those before and after it', async () => {
  const operations = { op_1: { previousSnapshotId: 'from', snapshotId: 'to' } }
  const { paths, compared, asked } = chat({ operations })
  expect(await paths({ operationId: 'op_1' })).toEqual([['from']])
  expect(compared).toEqual([[{ before: 'from', after: 'to' }]])
  expect(asked).toEqual([])
})

test.for([[{}], [{ snapshotId: 'to' }], [{ previousSnapshotId: 'from' }]] as const)(
  'RW-5 an operation that names not both snapshots (%o) has restored no files',
  async ([detail]) => {
    const { paths, compared } = chat({ operations: { op_1: detail } })
    expect(await paths({ operationId: 'op_1' })).toEqual([[]])
    expect(compared).toEqual([])
  },
)

test('RW-5 where snapshots and rows are mixed each event has what is its own', async () => {
  const { paths } = chat({
    rows: [byCall(1, 'msg_4'), byOperation(2, 'op_2')],
    spans: { 2: span('two'), 6: span('six') },
    operations: { op_1: { previousSnapshotId: 'from', snapshotId: 'to' }, op_2: {} },
  })
  const events: FileEvent[] = [
    ...[{ seq: 1 }, { seq: 6 }, { seq: 4 }, { operationId: 'op_2' }],
    ...[{ operationId: 'op_1' }, { seq: 2 }, { seq: 3 }],
  ]
  const all = [[], ['six-before'], ['f1'], ['f2'], ['from'], ['two-before'], []]
  expect(await paths(...events)).toEqual(all)
  expect(await paths(...events.toReversed())).toEqual(all.toReversed())
})

test('RW-5 where a reply has rows and names snapshots the rows count', async () => {
  const { paths } = chat({ rows: [byCall(1, 'msg_2')], spans: { 2: span('old') } })
  expect(await paths({ seq: 2 })).toEqual([['f1']])
})

test.for([
  [1, null, ['old-before']],
  [1, 'parent', []],
  [2, 'parent', []],
  [3, 'parent', ['old-before']],
  [4, 'parent', ['old-before']],
] as const)(
  'RW-5 BR-1 a reply of the time %i, in a chat of the time 3 with the parent %s, has changed %o',
  async ([seq, parentId, paths]) => {
    const given = chat({ spans: { [seq]: span('old') }, session: { parentId, createdAt: 3 } })
    expect(await given.paths({ seq })).toEqual([paths])
  },
)

test('RW-5 messages are read as ranges, and all snapshots are compared at once', async () => {
  const { found, asked, compared } = chat({ spans: { 2: span('two'), 3: span('three'), 8: span('eight') } })
  await found({ seq: 8 }, { seq: 2 }, { seq: 3 })
  expect(asked).toEqual([
    [
      [2, 3],
      [8, 8],
    ],
  ])
  expect(compared).toEqual([[span('eight'), span('two'), span('three')]])
})

test('RW-5 where no reply names snapshots none are compared', async () => {
  const { found, compared } = chat({ rows: [byCall(1, 'msg_2')] })
  await found({ seq: 2 }, { seq: 3 })
  expect(compared).toEqual([])
})

test('RW-5 snapshots that are not there any more restore nothing; those that are there still do', async () => {
  const errors: string[] = []
  const logger: Logger = { ...silentLogger, error: (_, message) => void errors.push(message) }
  const spans = { 2: span('two'), 4: span('four'), 6: span('six') }
  const { paths } = chat({ spans, logger, unknown: ['four-before'], rows: [byCall(1, 'msg_8')] })
  expect(await paths({ seq: 2 }, { seq: 4 }, { seq: 6 }, { seq: 8 })).toEqual([
    ['two-before'],
    [],
    ['six-before'],
    ['f1'],
  ])
  expect(errors).toEqual(['Snapshots of an earlier release could not be compared'])
})

test('RW-5 the changes of an event are always the same, whatever is asked for with it', async () => {
  const known: FileEvent[] = [
    ...Array.from({ length: 9 }, (_, at) => ({ seq: at + 1 })),
    ...['op_1', 'op_2', 'op_3'].map((operationId) => ({ operationId })),
  ]
  const given = fc.record({
    rows: fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 9 })), { maxLength: 12 }),
    spans: fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 9 }),
    restoring: fc.subarray(['op_1', 'op_2', 'op_3']),
    unknown: fc.subarray(['1-before', '5-before', 'op_1-before']),
    events: fc.shuffledSubarray(known),
  })
  await fc.assert(
    fc.asyncProperty(given, async ({ rows, spans, restoring, unknown, events }) => {
      const { found } = chat({
        unknown,
        rows: rows.map(([call, of], at) =>
          call ? byCall(at + 1, `msg_${of}`) : byOperation(at + 1, `op_${of}`),
        ),
        spans: Object.fromEntries(spans.map((seq) => [seq, span(`${seq}`)])),
        operations: Object.fromEntries(
          ['op_1', 'op_2', 'op_3'].map((id) => [
            id,
            restoring.includes(id) ? { previousSnapshotId: `${id}-before`, snapshotId: `${id}-after` } : {},
          ]),
        ),
      })
      const alone = await Promise.all(events.map(async (event) => (await found(event))[0]))
      expect(await found(...events)).toEqual(alone)
    }),
  )
})
