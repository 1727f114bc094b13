import fc from 'fast-check'

/**
 * A value that is created when a script runs, so that printed scripts stay short: `§kind:argument`. An id of
 * an existing row, a long text, a deeply nested value, keys that every object has.
 */
export type Placeholder = `§${string}:${string}`

export type Maker = (kind: string, argument: string) => unknown

export function placeholder(kind: string, argument: string | number): Placeholder {
  return `§${kind}:${argument}`
}

/** Texts that break parsers, databases, searches and terminals. */
const ODD_TEXTS = [
  '',
  ' ',
  '\n\n',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00\ud800',
  '\ufeff',
  '\u202eabc',
  'e\u0301\u0301\u0301',
  '\u{1F469}\u200D\u{1F469}\u200D\u{1F467}',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '../../etc/passwd',
  '%00',
  "'; DROP TABLE chat_sessions; --",
  '" OR "x" *',
  'NEAR(a b)',
  'title:',
  '{"a":1}',
  '1e999',
  'NaN',
  'null',
  'undefined',
  '-1',
  '9007199254740993',
  '99999999999999999999',
]

export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...ODD_TEXTS),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 30 }),
  fc.constantFrom(201, 300, 5_000, 20_000).map((length) => placeholder('long', length)),
)

const ODD_NUMBERS = [
  0,
  -0,
  -1,
  0.5,
  1e300,
  5e-324,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  8.64e15,
  8.64e15 + 1,
  253_402_300_799_999,
]
/** JSON that no value is written as: numbers that are read as others, a key that is there twice, no JSON at all. */
const ODD_JSON = ['-0', '1e999', '-1e999', '1e-999', '9007199254740993', '{"a":1,"a":{}}', 'NaN', '"\\ud800"']

/** Text that `rawJson` writes unchanged. */
const oddJson: fc.Arbitrary<string> = fc.constantFrom(...ODD_JSON).map((text) => `${RAW}${text}`)

const RAW = 'raw json '

/** The JSON of a value, in which texts of `oddJson` are the JSON that they name. */
export function rawJson(value: unknown): string | undefined {
  return JSON.stringify(value)?.replace(/(?<!\\)"raw json ((?:[^"\\]|\\.)*)"/g, (_, text) =>
    JSON.parse(`"${text}"`),
  )
}

export const oddNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(...ODD_NUMBERS),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

/** Any JSON value, and some values that JSON should not hold. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  oddNumber,
  fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[]], { '': '' }),
  oddJson,
  fc.constantFrom(14, 16, 18, 60, 62, 64, 66, 600, 3_000).map((depth) => placeholder('deep', depth)),
  fc.constantFrom('value', 'list').map((what) => placeholder('proto', what)),
  fc.constant(placeholder('wide', 5_000)),
  fc.jsonValue({ maxDepth: 3 }),
)

type Path = (string | number)[]

/** The value with one error: another value somewhere, a key missing or added. */
export function mutated(value: unknown): fc.Arbitrary<unknown> {
  const paths = pathsOf(value)
  const change = fc.tuple(
    fc.constantFrom(...paths),
    hostileValue,
    fc.constantFrom('set', 'drop', 'add'),
    oddText,
  )
  return change.map(([path, hostile, how, key]) => {
    if (how === 'add') return changedAt(value, path, (inner) => withKey(inner, key, hostile))
    if (how === 'drop' && path.length > 0)
      return changedAt(value, path.slice(0, -1), (inner) => without(inner, path.at(-1)))
    return changedAt(value, path, () => hostile)
  })
}

/** The same with its placeholders replaced. */
export function made(value: unknown, make: Maker): unknown {
  if (typeof value === 'string') {
    const [, kind, argument] = /^§(\w+):(.*)$/su.exec(value) ?? []
    return kind === undefined ? value : (common(kind, argument ?? '') ?? make(kind, argument ?? ''))
  }
  if (Array.isArray(value)) return value.map((inner) => made(inner, make))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [String(made(key, make)), made(inner, make)]),
  )
}

function common(kind: string, argument: string): unknown {
  const count = Number(argument)
  switch (kind) {
    case 'long':
      return 'long '.repeat(count / 5)
    case 'deep':
      return JSON.parse(`${'[{"a":'.repeat(count / 2)}1${'}]'.repeat(count / 2)}`)
    case 'wide':
      return Array.from({ length: count }, (_, index) => index)
    case 'proto':
      return JSON.parse(
        '{"__proto__":{"ephemeral":true,"role":"system"},"constructor":{"prototype":{}},"toString":1}',
      )
    default:
      return undefined
  }
}

export function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))]
}

/** A copy with the value at `path` replaced. */
export function changedAt(value: unknown, path: Path, change: (inner: unknown) => unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return change(value)
  if (Array.isArray(value))
    return value.map((inner, index) =>
      String(index) === String(key) ? changedAt(inner, rest, change) : inner,
    )
  const entries = Object.entries(Object(value))
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, name === String(key) ? changedAt(inner, rest, change) : inner]),
  )
}

function without(value: unknown, key: string | number | undefined): unknown {
  if (Array.isArray(value)) return value.filter((_, index) => String(index) !== String(key))
  return Object.fromEntries(Object.entries(Object(value)).filter(([name]) => name !== String(key)))
}

function withKey(value: unknown, key: string, inner: unknown): unknown {
  if (Array.isArray(value)) return [...value, inner]
  if (typeof value !== 'object' || value === null) return [value, inner]
  return Object.fromEntries([...Object.entries(value), [key, inner]])
}
