import { isObject } from '../json/stored-keys.ts'

/**
 * What is wrong with a value, to be read after its name, such as ` must be a text` or `.usage.input must be a text`;
 * null when nothing is.
 */
export type Check = (value: unknown) => string | null

/** Checks by key. A key that is not here is allowed and holds anything. */
export type Fields = Readonly<Record<string, Check>>

export function must(be: string, holds: (value: unknown) => boolean): Check {
  return (value) => (holds(value) ? null : ` must be ${be}`)
}

export function text(most: number, least = 0): Check {
  const length = least === 0 ? `at most ${most}` : `${least} to ${most}`
  return must(
    `a text of ${length} characters`,
    (value) => typeof value === 'string' && value.length >= least && value.length <= most,
  )
}

export function integer(least: number, most: number): Check {
  return must(
    `a whole number from ${least} to ${most}`,
    (value) => typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most,
  )
}

/** A number within bounds; JSON writes numbers that are read as infinite. */
export function numberOf(least: number, most: number): Check {
  return must(
    `a number from ${least} to ${most}`,
    (value) => typeof value === 'number' && value >= least && value <= most,
  )
}

/** A number of 0 or more whose sums stay exact. */
export const amount = must(
  'a number of 0 or more',
  (value) => typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER,
)
export const flag = must('true or false', (value) => typeof value === 'boolean')
export const always = must('true', (value) => value === true)
export const never = must('left out', (value) => value === undefined)
export const anything: Check = () => null

export function oneOf(values: readonly string[]): Check {
  const known: ReadonlySet<unknown> = new Set(values)
  return must(`one of ${values.join(', ')}`, (value) => known.has(value))
}

export function nullOr(check: Check): Check {
  return (value) => {
    const problem = value === null ? null : check(value)
    return problem === null ? null : `${problem}, or null`
  }
}

export function listOf(check: Check, most = Number.POSITIVE_INFINITY): Check {
  const list = must(`a list of at most ${most}`, (value) => Array.isArray(value) && value.length <= most)
  return (value) => list(value) ?? first(Object.entries(value as unknown[]), () => check)
}

export function recordOf(check: Check): Check {
  return (value) => (isObject(value) ? first(Object.entries(value), () => check) : AN_OBJECT)
}

/** An object with all of `required`; of `optional`, those that are there are checked. */
export function object(required: Fields, optional: Fields = {}): Check {
  return (value) => {
    if (!isObject(value)) return AN_OBJECT
    return (
      problemOf(Object.entries(required), ([key, check]) => check(own(value, key))) ??
      problemIn(value, optional)
    )
  }
}

/** The same, with no other keys. */
export function exactly(required: Fields, optional: Fields = {}): Check {
  const check = object(required, optional)
  return (value) => {
    const problem = check(value)
    if (problem !== null || !isObject(value)) return problem
    const extra = Object.keys(value).find(
      (key) => !Object.hasOwn(required, key) && !Object.hasOwn(optional, key),
    )
    return extra === undefined ? null : `.${extra.slice(0, 40)} is not a known key`
  }
}

/** What is wrong with those keys of an object that are there. */
export function problemIn(value: Record<string, unknown>, fields: Fields): string | null {
  return first(Object.entries(value), (key) => (Object.hasOwn(fields, key) ? fields[key] : undefined))
}

/** The object without the keys that hold something else than they should; the very same when none does. */
export function readable(value: Record<string, unknown>, fields: Fields): Record<string, unknown> {
  if (problemIn(value, fields) === null) return value
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.filter(([key, inner]) => !Object.hasOwn(fields, key) || fields[key]?.(inner) === null),
  )
}

const AN_OBJECT = ' must be an object'

function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

function first(
  entries: readonly [string, unknown][],
  checkOf: (key: string) => Check | undefined,
): string | null {
  return problemOf(entries, ([key, value]) => checkOf(key)?.(value) ?? null)
}

function problemOf<T>(
  entries: readonly [string, T][],
  problem: (entry: [string, T]) => string | null,
): string | null {
  for (const entry of entries) {
    const found = problem(entry)
    if (found !== null) return `.${entry[0].slice(0, 40)}${found}`
  }
  return null
}
