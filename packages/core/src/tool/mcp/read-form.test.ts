import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formContent } from '../../domain/permission/server-form.ts'
import { readForm } from './read-form.ts'

const schema = (properties: object, required: string[] = []) => ({ type: 'object', properties, required })

/** The form of a schema that can be asked. */
function formOf(properties: object, required: string[] = []) {
  const form = readForm(schema(properties, required))
  if (typeof form === 'string') throw new Error(form)
  return form
}

/** The content that answers lead to, or why one is wrong. */
function fill(properties: object, answers: string[][], required: string[] = []) {
  const read = formContent(formOf(properties, required).fields, answers)
  return 'content' in read ? read.content : read.wrong
}

test('MC-2 each field of a form is a question with its hint, its options and its usual answer', () => {
  const { questions } = formOf(
    {
      name: { type: 'string', title: 'Your name', description: 'As on the door.', maxLength: 20 },
      seats: { type: 'integer', default: 2, minimum: 1, maximum: 10 },
      meal: { type: 'string', enum: ['m', 'f'], enumNames: ['Meat', 'Fish'], default: 'f' },
      size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }, { const: 'l' }] },
      days: { type: 'array', items: { type: 'string', enum: ['Mo', 'Tu'] }, default: ['Tu'], maxItems: 2 },
      sure: { type: 'boolean', default: false },
    },
    ['name'],
  )
  expect(questions).toEqual([
    { question: 'Your name', options: [], hint: 'As on the door. At most 20 characters.' },
    {
      question: 'seats',
      options: [],
      hint: 'A whole number, 1 to 10.',
      preset: ['2'],
      optional: true,
    },
    {
      question: 'meal',
      options: [{ label: 'Meat' }, { label: 'Fish' }],
      closed: true,
      preset: ['Fish'],
      optional: true,
    },
    { question: 'size', options: [{ label: 'Small' }, { label: 'l' }], closed: true, optional: true },
    {
      question: 'days',
      options: [{ label: 'Mo' }, { label: 'Tu' }],
      closed: true,
      multiple: true,
      hint: 'Choose at most 2.',
      preset: ['Tu'],
      optional: true,
    },
    {
      question: 'sure',
      options: [{ label: 'Yes' }, { label: 'No' }],
      closed: true,
      preset: ['No'],
      optional: true,
    },
  ])
})

test('MC-2 answers become values of their types, and a field without an answer its usual value or nothing', () => {
  const properties = {
    name: { type: 'string' },
    seats: { type: 'integer', default: 2 },
    price: { type: 'number' },
    meal: { type: 'string', enum: ['m', 'f'], enumNames: ['Meat', 'Fish'] },
    days: { type: 'array', items: { type: 'string', enum: ['Mo', 'Tu', 'We'] } },
    sure: { type: 'boolean' },
    note: { type: 'string' },
  }
  expect(fill(properties, [['Ada'], [], ['1.5'], ['Fish'], ['We', 'Mo'], ['No'], ['']])).toEqual({
    name: 'Ada',
    seats: 2,
    price: 1.5,
    meal: 'f',
    days: ['Mo', 'We'],
    sure: false,
  })
})

test.each([
  ['a required field without an answer', { a: { type: 'string' } }, [], 'It needs an answer.'],
  [
    'a text that is too long',
    { a: { type: 'string', maxLength: 2 } },
    ['abc'],
    'It takes at most 2 characters.',
  ],
  ['a word for a number', { a: { type: 'number' } }, ['two'], 'It has to be a number.'],
  ['spaces for a number', { a: { type: 'number' } }, [' '], 'It has to be a number.'],
  ['half a person', { a: { type: 'integer' } }, ['1.5'], 'It has to be a whole number.'],
  ['a number out of bounds', { a: { type: 'integer', minimum: 3 } }, ['2'], 'It has to be at least 3.'],
  ['an option that is none', { a: { type: 'boolean' } }, ['Maybe'], 'It takes one of the options.'],
  [
    'too many options',
    { a: { type: 'array', items: { enum: ['x', 'y'] }, maxItems: 1 } },
    ['x', 'y'],
    'It takes at most 1 options.',
  ],
  [
    'an option of several that is none',
    { a: { type: 'array', items: { enum: ['x'] } } },
    ['z'],
    'only the options',
  ],
  ['no address', { a: { type: 'string', format: 'uri' } }, ['here'], 'It has to be an address'],
  ['no e-mail address', { a: { type: 'string', format: 'email' } }, ['ada'], 'It has to be an e-mail'],
  ['no date', { a: { type: 'string', format: 'date' } }, ['2026-13-01'], 'It has to be a date'],
  ['no time', { a: { type: 'string', format: 'date-time' } }, ['noon'], 'It has to be a time'],
])('MC-2 %s is a wrong answer', (_what, properties, answer, reason) => {
  expect(fill(properties, [answer], ['a'])).toEqual({ index: 0, reason: expect.stringContaining(reason) })
})

test.each([
  ['no schema', null],
  ['fields that are no object', { type: 'object', properties: [] }],
  ['an object as a field', schema({ a: { type: 'object', properties: {} } })],
  ['a field of no type', schema({ a: {} })],
  ['a list of numbers', schema({ a: { type: 'array', items: { type: 'number' } } })],
  ['options that are no texts', schema({ a: { type: 'string', enum: [1, 2] } })],
  ['51 options', schema({ a: { type: 'string', enum: Array.from({ length: 51 }, (_, at) => `${at}`) } })],
  ['a name without end', schema({ ['x'.repeat(101)]: { type: 'string' } })],
  ['the name of a prototype', JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}')],
  [
    '21 fields',
    schema(Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}`, { type: 'string' }]))),
  ],
])('MC-2 a form with %s cannot be asked', (_what, any) => {
  expect(readForm(any)).toEqual(expect.any(String))
})

test('MC-2 a usual value that is no value of its field is none, and texts of a form are single lines', () => {
  const { questions, fields } = formOf({
    'a\nb': { type: 'integer', default: 'x', title: '', description: `one\n\u202etwo${'y'.repeat(2_000)}` },
    c: { type: 'string', enum: ['same', 'same'], default: 'other' },
  })
  expect(questions[0]).toMatchObject({ question: 'a b', hint: expect.stringMatching(/^one twoy+… A whole/) })
  expect(questions.some((question) => 'preset' in question)).toBe(false)
  expect(fields[1]).toMatchObject({ labels: ['same', 'same (2)'] })
})

const field = fc.oneof(
  fc.object({ key: fc.constantFrom('type', 'enum', 'default', 'items', 'oneOf', 'minimum', 'title') }),
  fc.record({
    type: fc.constantFrom('string', 'integer', 'boolean', 'array', 'number'),
    default: fc.anything(),
  }),
)

test('MC-2 any schema is a form of bounded size or none, and its usual answers are right answers', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), field), (properties) => {
      const form = readForm(schema(properties))
      if (typeof form === 'string') return
      expect(form.questions.length).toBe(form.fields.length)
      expect(form.questions.length).toBeLessThanOrEqual(20)
      const answers = form.questions.map(({ preset = [] }) => [...preset])
      expect(formContent(form.fields, answers)).toHaveProperty('content')
    }),
    { seed: 11, numRuns: 200 },
  )
})
