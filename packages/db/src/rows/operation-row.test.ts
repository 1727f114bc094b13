import type { HistoryDetail } from '@palimpsest/core/domain'
import { type CoreLab, openCoreLab, reply } from '@palimpsest/testing'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryStore } from '../testing/temporary-store.ts'
import { toOperation, writeDetail } from './operation-row.ts'

function rowOf(detailJson: string) {
  return { id: 'op_1', sessionId: 'a', kind: 'rewind', detailJson, createdAt: 7n }
}

const range = fc
  .tuple(fc.nat(500), fc.nat(500))
  .map(([from, length]): [number, number] => [from, from + length])
const id = fc.stringMatching(/^[a-z]{3}_[0-9a-z]{4}$/)
const model = fc.record({ providerId: id, modelId: id }, { requiredKeys: ['providerId', 'modelId'] })
const detail: fc.Arbitrary<HistoryDetail> = fc.record(
  {
    lastSeq: fc.nat(),
    hidden: fc.array(range),
    shown: fc.array(range),
    targetMessageId: id,
    undoes: id,
    summaryMessageId: id,
    summarySeq: fc.nat(),
    auto: fc.boolean(),
    split: fc.constant(true as const),
    beforeTokens: fc.nat(),
    afterTokens: fc.nat(),
    partIds: fc.array(id),
    fromModel: model,
    toModel: model,
    snapshotId: id,
  },
  { requiredKeys: ['lastSeq', 'hidden', 'shown'] },
)

test('DA-4 every detail of an operation is read back, and stored under snake_case names', () => {
  fc.assert(
    fc.property(detail, (written) => {
      const json = writeDetail(written)
      expect(toOperation(rowOf(json), () => {})).toEqual({
        id: 'op_1',
        sessionId: 'a',
        kind: 'rewind',
        detail: written,
        createdAt: 7,
      })
      const names = Object.keys(JSON.parse(json))
      expect(names.every((name) => /^[a-z_]+$/.test(name))).toBe(true)
    }),
  )
})

test('DA-11 the readable details of a damaged operation are kept, and the others change nothing', () => {
  const read = (json: string) => toOperation(rowOf(json), () => {}).detail
  const nothing = { lastSeq: Number.MAX_SAFE_INTEGER, hidden: [], shown: [] }
  for (const json of [
    '',
    '{',
    'null',
    '[]',
    '5',
    '{"hidden":"all"}',
    '{"last_seq":"9"}',
    '{"summary_seq":{}}',
  ])
    expect(read(json)).toEqual(nothing)
  expect(read('{"last_seq":4,"hidden":[[9,1],["a",null],[2,3],7],"part_ids":[1,"p",null]}')).toEqual({
    lastSeq: 4,
    hidden: [[2, 3]],
    shown: [],
    partIds: ['p'],
  })
  expect(read('{"part_ids":5}')).toEqual({ ...nothing, partIds: [] })
})

async function damage(path: string, kind: string, json: string): Promise<void> {
  const database = new Database(path)
  database.prepare('UPDATE history_ops SET detail_json = ? WHERE kind = ?').run(json, kind)
  database.close()
}

const idsOf = async ({ sessions }: CoreLab, sessionId: string) =>
  (await sessions.messages({ sessionId })).items.map(({ id }) => id)

test.for(['{', '{}', '{"part_ids":5,"summary_seq":"x"}', '{"last_seq":"x","hidden":[[null,1]]}'])(
  'DA-11 with %s for an operation its session can be rewound, and undoing it hides no message',
  async (json) => {
    await using fixture = await temporaryStore()
    await using lab = await openCoreLab({ store: fixture.store })
    lab.provider.otherwise(reply({ text: 'An answer' }))
    const { sessionId, messages } = await lab.turn('One')
    await lab.turn('Two', sessionId)
    const { history } = lab.sessions
    await history.rewind({ sessionId, messageId: messages[0]?.id ?? '' })
    await damage(fixture.path, 'rewind', json)
    const before = await idsOf(lab, sessionId)
    expect((await history.timeline(sessionId)).map(({ kind, hiddenCount }) => [kind, hiddenCount])).toEqual([
      ['rewind', 0],
    ])
    await history.unrewind({ sessionId })
    expect(await idsOf(lab, sessionId)).toEqual(before)
    // What it hid is still there, and can be gone to by its message.
    const { items } = await lab.sessions.messages({ sessionId, hidden: true })
    expect(items).toHaveLength(4)
    await lab.turn('Three', sessionId)
    await history.branch({ sessionId, fromMessageId: items[0]?.id ?? '' })
  },
)
