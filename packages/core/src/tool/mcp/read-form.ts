import { isObject } from '../../domain/json/stored-keys.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Question } from '../../domain/permission/ask.ts'
import {
  FORMAT_NAMES,
  type FormField,
  type FormValue,
  formContent,
  rangeOf,
  TEXT_FORMATS,
  type TextFormat,
} from '../../domain/permission/server-form.ts'
import { plainLine } from './plain-line.ts'

/** Characters of a field's name, of its title and of an option, and of a description. */
const NAME = 100
const TITLE = 200
const TEXT = 500

/** A form as a person fills it in: a question for each field. */
export type ReadForm = { questions: Question[]; fields: FormField[] }

/** The form of a server's schema, or why a person can't be asked it. Patterns are the server's to check. */
export function readForm(schema: unknown): ReadForm | string {
  const properties = isObject(schema) ? (schema['properties'] ?? {}) : null
  if (!isObject(schema) || !isObject(properties)) return 'Its form has no fields.'
  const entries = Object.entries(properties)
  if (entries.length > LIMITS.formFields) return `Its form has more than ${LIMITS.formFields} fields.`
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const form: ReadForm = { questions: [], fields: [] }
  for (const [name, property] of entries) {
    const read = isObject(property) ? readField(name, property, required.includes(name)) : null
    if (read === null)
      return `The field "${plainLine(name, NAME)}" of its form is none that a person can fill in.`
    form.questions.push(read.question)
    form.fields.push(read.field)
  }
  return form
}

type Property = Readonly<Record<string, unknown>>
type Read = { question: Question; field: FormField }

function readField(name: string, property: Property, required: boolean): Read | null {
  if (name === '' || name.length > NAME || name === '__proto__') return null
  const read = readType(property)
  if (read === null) return null
  const field: FormField = { ...read.field, name, required }
  const usual = usualOf(field, property['default'])
  const description = textOf(property['description'], TEXT)
  const hint = [description, read.hint].filter((text) => text !== '').join(' ')
  const multiple = field.type === 'many' && { multiple: true }
  return {
    field: { ...field, ...(usual !== null && { usual: usual.value }) },
    question: {
      question: textOf(property['title'], TITLE) || plainLine(name, NAME) || name,
      options: 'labels' in field ? field.labels.map((label) => ({ label })) : [],
      ...('labels' in field && { closed: true }),
      ...multiple,
      ...(hint !== '' && { hint }),
      ...(usual !== null && { preset: usual.preset }),
      ...(!required && { optional: true }),
    },
  }
}

/** What a field takes, without its name, and its bounds in words. */
type Typed = { field: FormType; hint: string }
type FormType = FormField extends infer F
  ? F extends FormField
    ? Omit<F, 'name' | 'required' | 'usual'>
    : never
  : never

function readType(property: Property): Typed | null {
  switch (property['type']) {
    case 'boolean':
      return { field: { type: 'one', values: [true, false], labels: ['Yes', 'No'] }, hint: '' }
    case 'number':
      return readNumber(property, false)
    case 'integer':
      return readNumber(property, true)
    case 'array':
      return readList(property)
    case 'string':
      return readText(property)
    default:
      return null
  }
}

function readNumber(property: Property, whole: boolean): Typed {
  const range = boundsOf(property, 'minimum', 'maximum')
  const kind = whole ? 'A whole number' : 'A number'
  return { field: { type: 'number', whole, ...range }, hint: `${kind}${suffix(range)}.` }
}

function readList(property: Property): Typed | null {
  const options = isObject(property['items']) ? optionsOf(property['items']) : null
  if (options === null || options.values.length === 0) return null
  const range = boundsOf(property, 'minItems', 'maxItems')
  return {
    field: { type: 'many', ...options, ...range },
    hint: hasBounds(range) ? `Choose ${rangeOf(range)}.` : '',
  }
}

function readText(property: Property): Typed | null {
  const options = optionsOf(property)
  if (options === null) return null
  if (options.values.length > 0) return { field: { type: 'one', ...options }, hint: '' }
  const range = boundsOf(property, 'minLength', 'maxLength')
  const format = TEXT_FORMATS.find((one) => one === property['format'])
  return { field: { type: 'text', ...(format && { format }), ...range }, hint: textHint(format, range) }
}

/** The values to choose from with labels that differ; none for a free text, null beyond the bounds. */
function optionsOf(property: Property): { values: string[]; labels: string[] } | null {
  const { enum: plain, enumNames: names } = property
  const titled = property['oneOf'] ?? property['anyOf']
  const pairs = Array.isArray(plain)
    ? plain.map((value: unknown, at) => [value, Array.isArray(names) ? names[at] : value])
    : Array.isArray(titled)
      ? titled.map((one: unknown) => (isObject(one) ? [one['const'], one['title'] ?? one['const']] : []))
      : []
  if (pairs.length > LIMITS.formOptions) return null
  const values: string[] = []
  const labels: string[] = []
  for (const [value, title] of pairs) {
    if (typeof value !== 'string' || value.length > TITLE) return null
    const label = textOf(title, TITLE) || plainLine(value, TITLE) || `${values.length + 1}`
    values.push(value)
    labels.push(labels.includes(label) ? `${label} (${values.length})` : label)
  }
  return { values, labels }
}

/** The usual value with the answer that means it; null when it is no value of the field. */
function usualOf(field: FormField, given: unknown): { value: FormValue; preset: string[] } | null {
  const preset = presetOf(field, given)
  if (preset === null || preset.length === 0) return null
  const read = formContent([{ ...field, required: true }], [preset])
  const value = 'content' in read ? read.content[field.name] : undefined
  return value === undefined ? null : { value, preset }
}

function presetOf(field: FormField, given: unknown): string[] | null {
  switch (field.type) {
    case 'text':
      return typeof given === 'string' && given.length <= LIMITS.replyCharacters ? [given] : null
    case 'number':
      return typeof given === 'number' ? [String(given)] : null
    case 'one': {
      const isValue = typeof given === 'string' || typeof given === 'boolean'
      const label = isValue ? field.labels[field.values.indexOf(given)] : undefined
      return label === undefined ? null : [label]
    }
    case 'many':
      return Array.isArray(given)
        ? field.labels.filter((_, at) => given.includes(field.values[at] ?? null))
        : null
  }
}

function textOf(value: unknown, characters: number): string {
  return typeof value === 'string' ? plainLine(value, characters) : ''
}

type Range = { min?: number; max?: number }

function boundsOf(property: Property, low: string, high: string): Range {
  const [min, max] = [property[low], property[high]]
  return {
    ...(typeof min === 'number' && Number.isFinite(min) && { min }),
    ...(typeof max === 'number' && Number.isFinite(max) && { max }),
  }
}

const hasBounds = ({ min, max }: Range) => min !== undefined || max !== undefined
const suffix = (range: Range) => (hasBounds(range) ? `, ${rangeOf(range)}` : '')

function textHint(format: TextFormat | undefined, range: Range): string {
  const kind = format === undefined ? '' : FORMAT_NAMES[format]
  const length = hasBounds(range) ? `${rangeOf(range)} characters` : ''
  const hint = [kind, length].filter((text) => text !== '').join(', ')
  return hint === '' ? '' : `${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`
}
