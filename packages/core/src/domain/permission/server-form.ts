import type { Json } from '../json/json.ts'

/** A value of a form. */
export type FormValue = string | number | boolean | string[]

/** A value that a server asks for. Bounds are those that it names. */
export type FormField = { name: string; required: boolean; usual?: FormValue } & (
  | { type: 'text'; format?: TextFormat; min?: number; max?: number }
  | { type: 'number'; whole: boolean; min?: number; max?: number }
  /** The value of each option, in the order of the question's options. */
  | { type: 'one'; values: (string | boolean)[]; labels: string[] }
  | { type: 'many'; values: string[]; labels: string[]; min?: number; max?: number }
)

export const TEXT_FORMATS = ['email', 'uri', 'date', 'date-time'] as const
export type TextFormat = (typeof TEXT_FORMATS)[number]

/** A form of a server, as it asks a person in the middle of a call. */
export type ServerForm = {
  server: string
  /** Why it asks, in its words. */
  message: string
  fields: FormField[]
  /** How many forms the call has had, this one included. */
  round: number
  /** What the server's connection needs to go on with the call. */
  state: Json
}

/** The values of a form by its answers, or the first answer that is wrong. A field without an answer has its usual value, if any. */
export function formContent(
  fields: readonly FormField[],
  answers: readonly (readonly string[])[],
): { content: Record<string, FormValue> } | { wrong: { index: number; reason: string } } {
  const entries: [string, FormValue][] = []
  for (const [index, field] of fields.entries()) {
    const texts = (answers[index] ?? []).filter((text) => text !== '')
    if (texts.length === 0) {
      if (field.usual !== undefined) entries.push([field.name, field.usual])
      else if (field.required) return { wrong: { index, reason: 'It needs an answer.' } }
      continue
    }
    const value = toValue(field, texts)
    if ('reason' in value) return { wrong: { index, reason: value.reason } }
    entries.push([field.name, value.value])
  }
  return { content: Object.fromEntries(entries) }
}

type Value = { value: FormValue } | { reason: string }

function toValue(field: FormField, texts: readonly string[]): Value {
  const [first = ''] = texts
  switch (field.type) {
    case 'text':
      return textValue(field, first)
    case 'number':
      return numberValue(field, first)
    case 'one': {
      const value = field.values[field.labels.indexOf(first)]
      return value === undefined ? { reason: 'It takes one of the options.' } : { value }
    }
    case 'many': {
      const values = field.values.filter((_, at) => texts.includes(field.labels[at] ?? ''))
      if (values.length !== new Set(texts).size) return { reason: 'It takes only the options.' }
      return within(values.length, field)
        ? { value: values }
        : { reason: `It takes ${rangeOf(field)} options.` }
    }
  }
}

function textValue(field: Extract<FormField, { type: 'text' }>, text: string): Value {
  if (!within(text.length, field)) return { reason: `It takes ${rangeOf(field)} characters.` }
  if (field.format !== undefined && !hasFormat(text, field.format))
    return { reason: `It has to be ${FORMAT_NAMES[field.format]}.` }
  return { value: text }
}

function numberValue(field: Extract<FormField, { type: 'number' }>, text: string): Value {
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isFinite(number) || (field.whole && !Number.isSafeInteger(number)))
    return { reason: field.whole ? 'It has to be a whole number.' : 'It has to be a number.' }
  return within(number, field) ? { value: number } : { reason: `It has to be ${rangeOf(field)}.` }
}

type Range = { min?: number; max?: number }

function within(value: number, { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY }: Range) {
  return value >= min && value <= max
}

/** The bounds in words, as in `2 to 5`. */
export function rangeOf({ min, max }: Range): string {
  if (min !== undefined && max !== undefined) return `${min} to ${max}`
  return min === undefined ? `at most ${max}` : `at least ${min}`
}

export const FORMAT_NAMES: Record<TextFormat, string> = {
  email: 'an e-mail address',
  uri: 'an address such as https://example.com',
  date: 'a date such as 2026-03-01',
  'date-time': 'a time such as 2026-03-01T12:00:00Z',
}

function hasFormat(text: string, format: TextFormat): boolean {
  switch (format) {
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(text)
    case 'uri':
      return URL.canParse(text)
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
    case 'date-time':
      return /^\d{4}-\d{2}-\d{2}[Tt ]/.test(text) && !Number.isNaN(Date.parse(text))
  }
}
