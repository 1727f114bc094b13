import {
  type ChatPart,
  type MessageMetadata,
  type SessionMetadata,
  TITLE_SOURCES,
} from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { metadataColumns, toStoredMessage } from './message-row.ts'
import { isUnreadable, partColumns, toStoredPart } from './part-row.ts'
import { sessionMetadataColumns, toSession, writeModel } from './session-row.ts'

const unnoted = () => {}
const SESSION_ROW = {
  id: 'ses_1',
  title: 'Talk',
  agent: 'chat',
  workspaceRoot: null,
  workerId: null,
  modelJson: '{"provider_id":"lab","model_id":"one"}',
  parentId: null,
  parentMessageId: null,
  permissionsJson: '[]',
  metadataJson: '{}',
  promptTokens: 1n,
  completionTokens: 2n,
  reasoningTokens: 3n,
  cacheRead: 4n,
  cacheWrite: 5n,
  totalTokens: 15n,
  contextTokens: 9_007_199_254_740_991n,
  costUsd: 0.25,
  revision: 7n,
  createdAt: 1_795_258_810_601n,
  updatedAt: 1_795_258_810_602n,
  archivedAt: null,
  deletedAt: null,
}
const MESSAGE_ROW = {
  id: 'msg_1',
  sessionId: 'ses_1',
  seq: 3,
  role: 'assistant',
  metadataJson: '{}',
  hiddenAt: null,
  hiddenBy: null,
  queuedAt: null,
  createdAt: 5n,
  updatedAt: 6n,
}
const PART_ROW = {
  id: 'prt_1',
  messageId: 'msg_1',
  sessionId: 'ses_1',
  index: 0,
  type: 'text',
  dataJson: '{"type":"text","text":"Hi"}',
  toolCallId: null,
  toolState: null,
  prunedAt: null,
  createdAt: 5n,
  updatedAt: 6n,
}

/** What a client may put beside our own keys. */
const json = fc.jsonValue({ maxDepth: 3, noUnicodeString: false })
const strange = fc.dictionary(
  fc.string({ minLength: 1, unit: 'grapheme' }).map((key) => `x ${key}`),
  json,
  {
    maxKeys: 5,
  },
)
const word = fc.string({ minLength: 1, unit: 'grapheme' })

const normal = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('DA-4 metadata of a session comes back whole, keys of any kind beside our own', () => {
  const ours = fc.record(
    {
      titledBy: fc.constantFrom(...TITLE_SOURCES),
      contextEstimated: fc.constant(true as const),
      prunedCopies: fc.constant(true as const),
      ephemeral: fc.constant(true as const),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(ours, strange, (own, other) => {
      const metadata = { ...(normal(other) as object), ...own } as SessionMetadata
      const stored = sessionMetadataColumns(metadata).metadata_json
      expect(toSession({ ...SESSION_ROW, metadataJson: stored }, unnoted).metadata).toEqual(metadata)
      expect(stored).not.toMatch(/"(titledBy|contextEstimated|prunedCopies)":/)
    }),
  )
})

test('DA-4 a model comes back with its variant, and without one where there was none', () => {
  fc.assert(
    fc.property(word, word, fc.option(word, { nil: undefined }), (providerId, modelId, variant) => {
      const model = { providerId, modelId, ...(variant !== undefined && { variant }) }
      expect(toSession({ ...SESSION_ROW, modelJson: writeModel(model) }, unnoted).model).toEqual(model)
    }),
  )
})

test('DA-4 metadata of a message comes back whole: counts, windows, condensed forms under ids of any kind', () => {
  const condensed = fc.dictionary(
    word.filter((key) => key !== '__proto__'),
    fc.record({
      text: fc.string(),
      model: fc.record({ providerId: word, modelId: word }),
      ofCharacters: fc.nat(),
      beforeTokens: fc.nat(),
      afterTokens: fc.nat(),
      spentTokens: fc.nat(),
    }),
    { maxKeys: 3 },
  )
  const window = fc.record(
    { tokens: fc.nat(), compactionId: word, estimated: fc.constant(true as const), scale: fc.constant(1.25) },
    { requiredKeys: ['tokens'] },
  )
  fc.assert(
    fc.property(condensed, window, strange, (forms, counted, other) => {
      const metadata = normal({
        ...other,
        schemaVersion: 1,
        createdAt: 5,
        window: counted,
        condensed: forms,
        partDurationsMs: { 0: 12 },
        usage: { input: 1, output: 2, reasoning: 0, cacheRead: 0, cacheWrite: 0, steps: 1 },
      }) as MessageMetadata
      const row = { ...MESSAGE_ROW, metadataJson: metadataColumns(metadata).metadata_json }
      expect(toStoredMessage(row, [], unnoted).metadata).toEqual(metadata)
    }),
  )
})

test('DA-4 a part that can be shown comes back as the value that was stored, whatever else it carries', () => {
  const texts = fc.string({ unit: 'binary' }).map((text) => text.toWellFormed())
  const part: fc.Arbitrary<ChatPart> = fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: texts }),
    fc.record({
      type: fc.constant('reasoning' as const),
      text: texts,
      providerMetadata: fc.record({ lab: fc.record({ signature: texts }) }),
    }),
    fc.record({ type: fc.constant('file' as const), mediaType: texts, url: texts, filename: texts }),
    fc.record({ type: fc.constant('data-anything' as const), data: json }),
    fc.record({
      type: fc.constant('tool-read' as const),
      toolCallId: texts,
      state: fc.constant('output-available' as const),
      input: json,
      output: json,
    }),
    fc.constant({ type: 'step-start' as const }),
  )
  fc.assert(
    fc.property(part, fc.option(fc.nat()), (data, prunedAt) => {
      const columns = partColumns(data)
      const row = { ...PART_ROW, ...columns, prunedAt: prunedAt === null ? null : BigInt(prunedAt) }
      const read = toStoredPart(row)
      expect(JSON.stringify(read.data)).toBe(columns.dataJson)
      expect(read).toMatchObject({ id: 'prt_1', index: 0, prunedAt })
      expect(isUnreadable(read.data)).toBe(false)
      const isTool = data.type === 'tool-read'
      expect([columns.toolCallId !== null, columns.toolState !== null]).toEqual([isTool, isTool])
    }),
  )
})

test('DA-11 any stored text of a part becomes a part of its type or an unreadable part with its id', () => {
  const types = [
    'text',
    'reasoning',
    'file',
    'tool-read',
    'dynamic-tool',
    'data-x',
    'step-start',
    'nonsense',
    '',
  ]
  fc.assert(
    fc.property(fc.constantFrom(...types), fc.oneof(fc.string(), fc.json()), (type, dataJson) => {
      const { data } = toStoredPart({ ...PART_ROW, type, dataJson })
      if (isUnreadable(data))
        expect(data).toMatchObject({ data: { partId: 'prt_1', reason: expect.any(String) } })
      else expect(JSON.parse(dataJson)).toMatchObject({ type })
    }),
  )
})

test('DA-11 a message without readable role or metadata keeps its place, its times and its readable parts', () => {
  for (const broken of [{ role: 'wizard' }, { metadataJson: '{' }, { metadataJson: '[]' }, { role: '' }]) {
    const message = toStoredMessage({ ...MESSAGE_ROW, ...broken }, [toStoredPart(PART_ROW)], unnoted)
    expect(message).toMatchObject({ id: 'msg_1', seq: 3, role: 'assistant', createdAt: 5, updatedAt: 6 })
    expect(message.metadata).toMatchObject({ schemaVersion: 1, createdAt: 5 })
    expect(message.parts.map(({ data }) => data.type)).toEqual(['text', 'data-unreadable'])
    // The stand-in has a place of its own, after all that is stored.
    expect(message.parts.map(({ index }) => index)).toEqual([0, 1])
  }
})

test('DA-11 a session whose JSON cannot be read has its counts and times, and a model that nobody offers', () => {
  const session = toSession(
    {
      ...SESSION_ROW,
      modelJson: '{"provider_id":5}',
      metadataJson: 'null',
      permissionsJson: '{"allow":"all"}',
    },
    unnoted,
  )
  expect(session).toMatchObject({
    model: { providerId: 'unknown', modelId: 'unknown' },
    metadata: {},
    permissions: [],
    totalTokens: 15,
    contextTokens: Number.MAX_SAFE_INTEGER,
    archivedAt: null,
  })
  const mixed = toSession({ ...SESSION_ROW, permissionsJson: '[{"tool":"read"},5,null,[],"x"]' }, unnoted)
  expect(mixed.permissions).toEqual([{ tool: 'read' }])
})
