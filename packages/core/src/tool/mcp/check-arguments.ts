import { isObject } from '../../domain/json/stored-keys.ts'

/**
 * What is certainly wrong with arguments by a cleaned schema, in one sentence; null when nothing is. Only required properties, types
 * and lists of values are checked, where one schema alone decides: the server checks the rest.
 */
export function wrongArgument(args: unknown, schema: object): string | null {
  return wrongValue(args, schema, 'The arguments')
}

function wrongValue(value: unknown, schema: unknown, where: string): string | null {
  if (!isObject(schema)) return null
  const { type, enum: values } = schema
  if (type !== undefined && !hasType(value, type)) return `${where} must be ${namesOf(type)}.`
  if (Array.isArray(values) && !values.some((one) => one === value))
    return `${where} must be one of ${JSON.stringify(values.slice(0, 20))}.`
  if (Array.isArray(value))
    return firstWrong(value, (one, at) => wrongValue(one, schema['items'], `${where}[${at}]`))
  return isObject(value) ? wrongObject(value, schema, where) : null
}

function wrongObject(
  value: Record<string, unknown>,
  schema: Record<string, unknown>,
  where: string,
): string | null {
  const { properties, required } = schema
  const missing = Array.isArray(required)
    ? required.find((name) => typeof name === 'string' && !Object.hasOwn(value, name))
    : undefined
  if (typeof missing === 'string') return `${where} must have the property "${missing}".`
  if (!isObject(properties)) return null
  return firstWrong(Object.entries(properties), ([name, inner]) =>
    Object.hasOwn(value, name) ? wrongValue(value[name], inner, pathTo(where, name)) : null,
  )
}

function firstWrong<T>(list: readonly T[], check: (one: T, at: number) => string | null): string | null {
  for (const [at, one] of list.entries()) {
    const wrong = check(one, at)
    if (wrong !== null) return wrong
  }
  return null
}

function pathTo(where: string, name: string): string {
  return where === 'The arguments' ? `"${name}"` : `${where}.${name}`
}

function hasType(value: unknown, type: unknown): boolean {
  if (Array.isArray(type)) return type.some((one) => hasType(value, one))
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type
    case 'integer':
      return Number.isInteger(value)
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    default:
      return true
  }
}

function namesOf(type: unknown): string {
  return Array.isArray(type) ? type.join(' or ') : `of type ${String(type)}`
}
