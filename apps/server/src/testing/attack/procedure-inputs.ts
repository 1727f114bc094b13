import fc from 'fast-check'
import { z } from 'zod'
import { appRouter } from '../../routers/app-router.ts'
import { PROCEDURES } from '../call-procedure.ts'
import { hostileValue, mutated, oddText, placeholder } from './hostile-values.ts'

/** The part of JSON Schema that the inputs of procedures use. */
type Schema = {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  pattern?: string
}

// tRPC types its procedures nested, as the routers are, and keeps them flat.
const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { inputs: z.ZodType[] } }>

/** Input for a procedure: mostly valid by its schema, sometimes with one error, sometimes any value. */
export function inputOf(path: string): fc.Arbitrary<unknown> {
  const valid = fromSchema(schemaOf(path))
  return fc.oneof(
    { weight: 6, arbitrary: valid },
    { weight: 3, arbitrary: valid.chain(mutated) },
    { weight: 1, arbitrary: valid.chain(mutated).chain(mutated) },
    { weight: 1, arbitrary: hostileValue },
  )
}

/** Queries whose only input is a session. */
export const SESSION_READS = PROCEDURES.filter(({ path, type }) => {
  const { required = [] } = schemaOf(path)
  return type === 'query' && required.join() === 'sessionId'
}).map(({ path }) => path)

function schemaOf(path: string): Schema {
  const [input] = procedures[path]?._def.inputs ?? []
  if (input === undefined) return {}
  return z.toJSONSchema(input, { unrepresentable: 'any', io: 'input' }) as Schema
}

function fromSchema(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => fromSchema(choice, name)))
  switch (schema.type) {
    case 'object':
      return objectOf(schema)
    case 'array':
      return fc.array(fromSchema(schema.items ?? {}, name.replace(/s$/, '')), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      })
    case 'string':
      return textOf(schema, name)
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = 1_000 } = schema
      return fc.oneof(
        fc.integer({ min: minimum, max: Math.min(maximum, minimum + 200) }),
        fc.constantFrom(minimum, maximum),
      )
    }
    case 'boolean':
      return fc.boolean()
    default:
      return ANY.get(name) ?? fc.jsonValue({ maxDepth: 2 })
  }
}

function objectOf({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([key, inner]) => [key, fromSchema(inner, key)] as const)
  const record: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(fields)
  return fc.record(record, { requiredKeys: required })
}

/** Generators by name, for fields that take any JSON. */
const ANY = new Map<string, fc.Arbitrary<unknown>>([
  [
    'metadata',
    fc.oneof(
      fc.constantFrom({}, { ephemeral: true }, { compaction: { tail_turns: 1 } }, { a: { b: [1] } }),
      fc.dictionary(oddText, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
      fc
        .constantFrom('context_estimated', 'titled_by', 'titledBy', 'compaction', 'prunedCopies')
        .chain((key) => fc.jsonValue({ maxDepth: 1 }).map((value) => ({ [key]: value }))),
    ),
  ],
])

const TEXTS = new Map<string, fc.Arbitrary<string>>([
  ['agent', fc.constantFrom('assistant', 'assistant', 'wizard')],
  ['providerId', fc.constantFrom('lab', 'lab', 'lab', 'none')],
  ['modelId', fc.constantFrom('m1', 'm1', 'small')],
  [
    'baseURL',
    fc.constantFrom('http://127.0.0.1:9/v1', 'http://127.0.0.1:1', 'https://models.invalid/v1', 'ftp://x'),
  ],
  ['variant', fc.constantFrom('low', 'none')],
  ['mediaType', fc.constantFrom('image/png', 'text/plain', 'application/pdf')],
  ['url', fc.constantFrom('data:image/png;base64,AAAA', 'data:text/plain;base64,', 'https://example.com/')],
  ['workspaceRoot', fc.constantFrom('/', '/nowhere', '.', '')],
  ['data', fc.nat({ max: 9 }).map((at) => placeholder('export', at))],
])

/** Kinds of ids, and the fields that name them. */
const KINDS: [kind: string, field: RegExp][] = [
  ['session', /^(sessionId|parentId)$/],
  ['message', /^(id|messageId|fromMessageId|replaceMessageId|messageIds?)$/],
  ['run', /^runId$/],
  ['operation', /^operationId$/],
  ['call', /^toolCallId$/],
  ['cursor', /^cursor$/],
]

function textOf({ pattern }: Schema, name: string): fc.Arbitrary<string> {
  const known = TEXTS.get(name)
  if (known !== undefined) return fc.oneof({ weight: 8, arbitrary: known }, oddText)
  const kind = KINDS.find(([, field]) => field.test(name))?.[0]
  if (kind === undefined && pattern === undefined)
    return fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('place', 'What is said?', 'found', 'a b') },
      oddText,
    )
  const nth = fc.nat({ max: 30 })
  const others = fc.constantFrom('session', 'message', 'run', 'operation', 'part')
  return fc.oneof(
    { weight: 12, arbitrary: nth.map((at) => placeholder(kind ?? 'message', at)) },
    { weight: 2, arbitrary: fc.tuple(others, nth).map(([other, at]) => placeholder(other, at)) },
    { weight: 1, arbitrary: fc.constantFrom('nowhere', '__proto__', 'constructor', 'a'.repeat(128)) },
    { weight: kind === 'cursor' ? 12 : 0, arbitrary: nth.map((at) => placeholder('tampered', at)) },
  )
}
