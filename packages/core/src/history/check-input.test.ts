import { expect, test } from 'vitest'
import type { ChatPart } from '../domain/message/message.ts'
import type { SessionMetadata } from '../domain/session/session.ts'
import { checkMetadata, checkParts } from './check-input.ts'

const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)

/** What a surface without schemas of its own may hand over. */
const PARTS: [string, unknown[]][] = [
  ['parts.0.text', [{ type: 'text', text: null }]],
  ['parts.0.text', [{ type: 'text' }]],
  ['parts.0.providerMetadata', [{ type: 'text', text: 'x', providerMetadata: { lab: {} } }]],
  [
    'parts.1.url',
    [
      { type: 'text', text: 'x' },
      { type: 'file', mediaType: 'image/png', url: 5 },
    ],
  ],
  ['parts.0.mediaType', [{ type: 'file', url: 'data:image/png;base64,AAAA' }]],
  ['parts.0.filename', [{ type: 'file', mediaType: 'a/b', url: 'data:,', filename: {} }]],
  ['parts.0.type', [{ type: 'tool-read' }]],
]

test.for(PARTS)(
  'SV-5 a part that is out of its shape is refused by its field %s, from whatever surface',
  ([field, parts]) => {
    const check = () => checkParts(parts as ChatPart[], 'parts')
    expect(check).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', field }))
  },
)

const METADATA: [string, unknown][] = [
  ['metadata', []],
  ['metadata', nested(17)],
  ['metadata', { a: 'x'.repeat(20_000) }],
  ['metadata.titledBy', { titledBy: 'user' }],
  ['metadata.titled_by', { titled_by: 'user' }],
  ['metadata.context_estimated', { context_estimated: true }],
  ['metadata.prunedCopies', { prunedCopies: 5 }],
  ['metadata.ephemeral', { ephemeral: 'yes' }],
  ['metadata.compaction', { compaction: { tail_turns: 'all' } }],
]

test.for(METADATA)(
  'SV-5 metadata that is too deep, too large or the server’s own is refused by its field %s',
  ([field, metadata]) => {
    const check = () => checkMetadata(metadata as SessionMetadata)
    expect(check).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', field }))
  },
)

test('SV-5 metadata that its caller may set passes', () => {
  checkMetadata({ ephemeral: true, compaction: { tail_turns: 2 }, project: { name: 'x' } })
  checkMetadata(nested(16))
})
