import type { ChatChunk } from '@palimpsest/core/domain'
import fc from 'fast-check'

/** A stream of chunks in an order that the AI SDK accepts: every kind of part, call and approval. */
export function randomChunks(maxLength = 60): fc.Arbitrary<ChatChunk[]> {
  return fc.array(move, { maxLength }).map((moves) => {
    const stream: Stream = { open: [], calls: [], step: 0 }
    const chunks = moves.flatMap((next, index) => make(next.kind)(stream, { ...next, id: `id_${index}` }))
    return [
      {
        type: 'start',
        messageId: 'msg_1',
        messageMetadata: { schemaVersion: 1, createdAt: 1, runId: 'run_1' },
      },
      ...chunks,
      { type: 'finish', finishReason: 'stop', messageMetadata: { finishReason: 'stop' } },
    ]
  })
}

type Open = { kind: 'text' | 'reasoning'; id: string; step: number }
type Call = {
  toolCallId: string
  toolName: string
  dynamic: boolean
  streaming: boolean
  available: boolean
  approvalId?: string
}
type Stream = { open: Open[]; calls: Call[]; step: number }

/** What a stream does next; `pick` chooses among the open parts and calls. */
type Move = {
  pick: number
  text: string
  json: unknown
  flag: boolean
  meta: { providerMetadata?: Record<string, Record<string, string>> }
}
type Maker = (stream: Stream, move: Move & { id: string }) => ChatChunk[]

const MAKERS = {
  'start-step': (stream) => {
    stream.step += 1
    stream.calls = stream.calls.map((call) => ({ ...call, streaming: false }))
    return [{ type: 'start-step' }]
  },
  'finish-step': () => [{ type: 'finish-step' }],
  // A reset forgets every open part, also those of earlier steps, which nothing could close afterwards.
  'reset-step': (stream) => {
    const earlier = stream.open.filter(({ step }) => step < stream.step)
    stream.open = []
    stream.calls = []
    return [
      ...earlier.map(({ kind, id }): ChatChunk => ({ type: `${kind}-end`, id })),
      { type: 'reset-step' },
    ]
  },
  agent: (_, { text }) => [{ type: 'message-metadata', messageMetadata: { agent: text } }],
  durations: (_, { pick }) => [
    { type: 'message-metadata', messageMetadata: { partDurationsMs: { [String(pick % 5)]: pick } } },
  ],
  steering: (_, { id, text }) => [{ type: 'steering-message', id, parts: [{ type: 'text', text }] }],
  file: (_, { meta }) => [{ type: 'file', mediaType: 'image/png', url: 'data:,', ...meta }],
  'reasoning-file': (_, { meta }) => [
    { type: 'reasoning-file', mediaType: 'image/png', url: 'data:,', ...meta },
  ],
  custom: (_, { meta }) => [{ type: 'custom', kind: 'lab.note', ...meta }],
  url: (_, { id, text, flag, meta }) => [
    { type: 'source-url', sourceId: id, url: 'https://example.com', ...(flag && { title: text }), ...meta },
  ],
  document: (_, { id, text, meta }) => [
    { type: 'source-document', sourceId: id, mediaType: 'text/plain', title: text, ...meta },
  ],
  data: (_, { json, flag, pick }) => [
    { type: 'data-note', ...(flag && { id: `note_${pick % 2}` }), data: json },
  ],
  transient: (_, { json }) => [{ type: 'data-progress', data: json, transient: true }],
  open: ({ open, step }, { flag, pick, meta }) => {
    const part: Open = { kind: flag ? 'text' : 'reasoning', id: `part_${pick % 3}`, step }
    if (open.some(({ kind, id }) => kind === part.kind && id === part.id)) return []
    open.push(part)
    return [{ type: `${part.kind}-start`, id: part.id, ...meta }]
  },
  grow: ({ open }, { pick, text, meta }) => {
    const part = one(open, pick)
    return part ? [{ type: `${part.kind}-delta`, id: part.id, delta: text, ...meta }] : []
  },
  close: (stream, { pick, meta }) => {
    const part = one(stream.open, pick)
    stream.open = stream.open.filter((other) => other !== part)
    return part ? [{ type: `${part.kind}-end`, id: part.id, ...meta }] : []
  },
  call: ({ calls }, { id, flag, pick, text, meta }) => {
    const call = newCall(id, flag)
    calls.push(Object.assign(call, { streaming: true }))
    const encoding = pick % 4 === 0 ? { inputEncoding: 'text' as const } : {}
    const title = pick % 3 === 0 ? { title: text } : {}
    return [{ type: 'tool-input-start', ...named(call), ...encoding, ...title, ...meta }]
  },
  input: ({ calls }, { pick, text }) => {
    const call = one(
      calls.filter(({ streaming }) => streaming),
      pick,
    )
    return call
      ? [{ type: 'tool-input-delta', toolCallId: call.toolCallId, inputTextDelta: `{"${text}` }]
      : []
  },
  available: ({ calls }, { id, flag, pick, json, meta }) => {
    const call =
      one(
        calls.filter(({ streaming }) => streaming),
        pick,
      ) ?? newCall(id, flag)
    if (!calls.includes(call)) calls.push(call)
    Object.assign(call, { streaming: false, available: true })
    const executed = pick % 3 === 0 ? { providerExecuted: true } : {}
    return [{ type: 'tool-input-available', ...named(call), input: json, ...executed, ...meta }]
  },
  'input-error': ({ calls }, { id, flag, pick, json, text, meta }) => {
    const call =
      one(
        calls.filter(({ streaming }) => streaming),
        pick,
      ) ?? newCall(id, flag)
    call.streaming = false
    return [{ type: 'tool-input-error', ...named(call), input: json, errorText: text, ...meta }]
  },
  ask: ({ calls }, { id, flag, pick, json, text }) => {
    const call = one(
      calls.filter(({ available }) => available),
      pick,
    )
    if (call === undefined) return []
    call.approvalId = id
    const more = flag ? { reason: text, isAutomatic: true, signature: text, inputSchemaInput: json } : {}
    return [{ type: 'tool-approval-request', approvalId: id, toolCallId: call.toolCallId, ...more }]
  },
  answer: ({ calls }, { flag, pick, text, meta }) => {
    const approvalId = one(
      calls.filter((call) => call.approvalId !== undefined),
      pick,
    )?.approvalId
    if (approvalId === undefined) return []
    const reason = pick % 2 === 0 ? { reason: text } : {}
    return [{ type: 'tool-approval-response', approvalId, approved: flag, ...reason, ...meta }]
  },
  deny: ({ calls }, { pick }) => {
    const call = one(
      calls.filter(({ approvalId }) => approvalId !== undefined),
      pick,
    )
    return call ? [{ type: 'tool-output-denied', toolCallId: call.toolCallId }] : []
  },
  output: ({ calls }, { flag, pick, json, meta }) => {
    const call = one(
      calls.filter(({ available }) => available),
      pick,
    )
    if (call === undefined) return []
    const { toolCallId } = call
    return [
      {
        type: 'tool-output-available',
        toolCallId,
        output: json,
        ...(flag && { preliminary: true }),
        ...meta,
      },
    ]
  },
  'output-error': ({ calls }, { pick, text, meta }) => {
    const call = one(
      calls.filter(({ available }) => available),
      pick,
    )
    return call ? [{ type: 'tool-output-error', toolCallId: call.toolCallId, errorText: text, ...meta }] : []
  },
} satisfies Record<string, Maker>

type Kind = keyof typeof MAKERS

const make = (kind: Kind): Maker => MAKERS[kind]

/** Growth is what most of a real stream is made of. */
const OFTEN = [
  'open',
  'grow',
  'grow',
  'grow',
  'close',
  'call',
  'input',
  'input',
  'available',
  'output',
] as const

const provider = fc.dictionary(fc.constantFrom('signature', 'id'), fc.string(), { minKeys: 1 })
const metadata = fc.dictionary(fc.constantFrom('lab', 'other'), provider, { minKeys: 1 })

const move: fc.Arbitrary<Move & { kind: Kind }> = fc.record({
  kind: fc.constantFrom(...(Object.keys(MAKERS) as Kind[]), ...OFTEN),
  pick: fc.nat({ max: 1_000 }),
  text: fc.string({ unit: 'grapheme', maxLength: 8 }),
  json: fc.jsonValue({ maxDepth: 2 }),
  flag: fc.boolean(),
  meta: fc.oneof(fc.constant({}), fc.record({ providerMetadata: metadata })),
})

function newCall(toolCallId: string, dynamic: boolean): Call {
  return { toolCallId, toolName: 'todo', dynamic, streaming: false, available: false }
}

function named({ toolCallId, toolName, dynamic }: Call) {
  return { toolCallId, toolName, ...(dynamic && { dynamic }) }
}

function one<T>(items: T[], pick: number): T | undefined {
  return items[pick % Math.max(1, items.length)]
}
