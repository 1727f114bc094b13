import type { JsonObject } from '../../domain/json/json.ts'
import { isObject } from '../../domain/json/stored-keys.ts'
import { plainLine } from './plain-line.ts'

/** Bounds of one schema: how deep it is nested, how many schemas are inside it, and characters of a text and of all. */
const MAX_DEPTH = 12
const MAX_SCHEMAS = 1_000
const MAX_TEXT = 1_000
const MAX_CHARACTERS = 50_000
const MAX_ENUM = 200

const TYPES: readonly string[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']
/** The names that every provider accepts. */
const PROPERTY = /^[\w.-]{1,64}$/
const LISTS = ['anyOf', 'oneOf', 'allOf'] as const
const NUMBERS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const

/** A schema as a server sends it. */
type Foreign = Readonly<Record<string, unknown>>
type Walk = {
  root: Foreign
  /** Schemas that may still be read, and characters of their names and texts. */
  left: number
  characters: number
  /** References that are being resolved: one inside itself ends there. */
  open: Set<string>
}

/**
 * A server's schema of arguments as every provider accepts it: an object without combinations at its top, the usual keywords
 * with values of their type, references resolved, all within bounds. A provider refuses a whole request for one wrong
 * schema. What is left out constrains the model less; the server checks its arguments itself.
 */
export function cleanSchema(schema: Foreign): JsonObject {
  const walk: Walk = { root: schema, left: MAX_SCHEMAS, characters: MAX_CHARACTERS, open: new Set() }
  const { properties = {}, required } = cleanObject(schema, walk, 1)
  const { description } = schema
  return {
    type: 'object',
    ...(typeof description === 'string' && { description: plainLine(description, MAX_TEXT) }),
    properties,
    ...(required !== undefined && { required }),
  }
}

/** The schema at some depth; one beyond the bounds allows everything. */
function clean(value: unknown, walk: Walk, depth: number): JsonObject {
  walk.left -= 1
  if (!isObject(value) || depth > MAX_DEPTH || walk.left < 0) return {}
  const { $ref } = value
  if (typeof $ref !== 'string') return cleanKeywords(value, walk, depth)
  if (walk.open.has($ref)) return {}
  walk.open.add($ref)
  const resolved = clean(pointedAt(walk.root, $ref), walk, depth)
  walk.open.delete($ref)
  return resolved
}

function cleanKeywords(schema: Foreign, walk: Walk, depth: number): JsonObject {
  const type = typesOf(schema['type'])
  return {
    ...(type !== undefined && { type }),
    ...textsOf(schema, walk),
    ...valuesOf(schema, walk),
    ...boundsOf(schema),
    ...combinationsOf(schema, walk, depth),
    ...(schema['properties'] !== undefined && cleanObject(schema, walk, depth + 1)),
    ...(isObject(schema['items']) && { items: clean(schema['items'], walk, depth + 1) }),
    ...(includesType(type, 'array') && !isObject(schema['items']) && { items: {} }),
  }
}

function cleanObject(
  { properties, required }: Foreign,
  walk: Walk,
  depth: number,
): { properties: JsonObject; required?: string[] } {
  const entries: [string, JsonObject][] = []
  for (const [name, inner] of Object.entries(isObject(properties) ? properties : {})) {
    if (walk.left <= 0) break
    if (PROPERTY.test(name) && name !== '__proto__' && take(walk, name))
      entries.push([name, clean(inner, walk, depth)])
  }
  const names = new Set(entries.map(([name]) => name))
  const needed = Array.isArray(required)
    ? required.filter((name): name is string => typeof name === 'string' && names.delete(name))
    : []
  return { properties: Object.fromEntries(entries), ...(needed.length > 0 && { required: needed }) }
}

/** What a reference inside the same document leads to; null for any other. */
function pointedAt(root: Foreign, ref: string): unknown {
  if (!ref.startsWith('#/')) return null
  const keys = ref.slice(2).split('/').slice(0, MAX_DEPTH)
  return keys.reduce<unknown>((inside, key) => {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~')
    return isObject(inside) && Object.hasOwn(inside, name) ? inside[name] : null
  }, root)
}

function typesOf(type: unknown): string | string[] | undefined {
  if (!Array.isArray(type)) return TYPES.find((one) => one === type)
  const known = TYPES.filter((one) => type.includes(one))
  return known.length > 1 ? known : known[0]
}

function includesType(type: string | string[] | undefined, name: string): boolean {
  return Array.isArray(type) ? type.includes(name) : type === name
}

/** Counts these against the limit, and says whether they are within it; references can have one text repeated a thousand times. */
function take(walk: Walk, ...values: readonly (string | number | boolean)[]): boolean {
  const characters = values.reduce<number>((sum, value) => sum + String(value).length, 0)
  if (characters > walk.characters) return false
  walk.characters -= characters
  return true
}

function textsOf({ title, description, format }: Foreign, walk: Walk): JsonObject {
  const texts = Object.entries({ title, description }).flatMap(([key, text]) => {
    const line = typeof text === 'string' ? plainLine(text, MAX_TEXT) : null
    return line !== null && take(walk, line) ? [[key, line] as const] : []
  })
  return {
    ...Object.fromEntries(texts),
    // Providers refuse formats that they do not know.
    ...(format === 'date-time' && { format }),
  }
}

function valuesOf({ enum: values, const: only, default: usual }: Foreign, walk: Walk): JsonObject {
  const listed = (Array.isArray(values) ? values : [only]).filter(isPlain)
  // A part of a list would refuse what the server accepts.
  const isWhole = listed.length > 0 && listed.length <= MAX_ENUM && take(walk, ...listed)
  return { ...(isWhole && { enum: listed }), ...(isPlain(usual) && take(walk, usual) && { default: usual }) }
}

/** Providers refuse halves of characters. */
function isPlain(value: unknown): value is string | number | boolean {
  if (typeof value === 'string') return value.length <= MAX_TEXT && value.isWellFormed()
  return Number.isFinite(value) || typeof value === 'boolean'
}

function boundsOf(schema: Foreign): JsonObject {
  return Object.fromEntries(
    NUMBERS.flatMap((name) => {
      const bound = schema[name]
      const isBound =
        typeof bound === 'number' &&
        Number.isFinite(bound) &&
        (name.endsWith('imum') || (Number.isSafeInteger(bound) && bound >= 0))
      return isBound ? [[name, bound]] : []
    }),
  )
}

function combinationsOf(schema: Foreign, walk: Walk, depth: number): JsonObject {
  return Object.fromEntries(
    LISTS.flatMap((name) => {
      const list = schema[name]
      if (!Array.isArray(list) || list.length === 0 || depth >= MAX_DEPTH) return []
      return [[name, list.slice(0, MAX_ENUM).map((inner) => clean(inner, walk, depth + 1))]]
    }),
  )
}
