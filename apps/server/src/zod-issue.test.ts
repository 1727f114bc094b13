import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeIssues } from './describe-issues.ts'
import { fieldOf, messageOf } from './zod-issue.ts'

const schema = z.strictObject({
  title: z.string().max(5).optional(),
  list: z.array(z.strictObject({ id: z.string().regex(/^[a-z]+$/, 'takes small letters') })).optional(),
  choice: z
    .union([
      z.strictObject({ deep: z.strictObject({ deeper: z.number() }) }),
      z.strictObject({ other: z.string() }),
      z.number(),
    ])
    .optional(),
})

function issueOf(value: unknown) {
  const { error } = schema.safeParse(value)
  const [issue] = error?.issues ?? []
  if (issue === undefined) throw new Error('That was taken')
  return issue
}

test.each([
  [{ title: 7 }, 'title'],
  [{ list: [{ id: 'a' }, { id: 'B' }] }, 'list.1.id'],
  [{ list: [{ id: 'a', colour: 1 }] }, 'list.0.colour'],
  [{ unknown: 1, other: 2 }, 'unknown'],
  [{ choice: { deep: { deeper: 'x' } } }, 'choice.deep.deeper'],
  [{ choice: 'text' }, 'choice'],
  ['text', ''],
])('AP-1 for %j the field at fault is named, at any depth', (value, field) => {
  expect(fieldOf(issueOf(value))).toBe(field)
})

test('AP-1 the message names the broken rule, in a union that of the nearest member', () => {
  expect(messageOf(issueOf({ list: [{ id: 'B' }] }))).toBe('takes small letters')
  expect(messageOf(issueOf({ unknown: 1 }))).toBe('is not a known key')
  expect(messageOf(issueOf({ choice: { deep: { deeper: 'x' } } }))).toContain('expected number')
  expect(messageOf(issueOf({ list: [{}] }))).toBe('is missing (expected string)')
  expect(messageOf(issueOf(undefined))).toBe('is missing (expected object)')
})

test('SX-5 no value that was sent is repeated, and neither field nor message grows with it', () => {
  const secret = 'sk-secret-value'
  const value = fc.oneof(
    fc.constant({ title: secret.repeat(50) }),
    fc.constant({ list: [{ id: secret }] }),
    fc.constant({ list: secret }),
    fc.constant({ choice: { deep: { deeper: secret } } }),
    fc.string({ minLength: 1 }).map((key) => ({ [`${key}${'k'.repeat(1000)}`]: secret })),
  )
  fc.assert(
    fc.property(value, (sent) => {
      const issue = issueOf(sent)
      expect(messageOf(issue)).not.toContain(secret)
      expect(fieldOf(issue)).not.toContain(secret)
      expect(fieldOf(issue).length).toBeLessThanOrEqual(200)
      expect(messageOf(issue).length).toBeLessThanOrEqual(300)
    }),
  )
})

test('CF-1 all wrong settings are named, with the accepted values where they are known', () => {
  const { error } = schema.safeParse({ title: 7, list: 'none', extra: true })
  if (error === undefined) throw new Error('That was taken')
  const described = describeIssues(error, 'The file', (field) =>
    field === 'title' ? 'five letters' : undefined,
  )
  expect(described).toMatchObject({ code: 'INVALID_INPUT', field: 'title' })
  expect(described.message).toMatch(
    /^The file is not right\. title: takes five letters; list: .+; extra: is not a known key\.$/,
  )
})

test('CF-1 settings that are not an object are reported without a field', () => {
  const { error } = schema.safeParse([])
  if (error === undefined) throw new Error('That was taken')
  const { message, field } = describeIssues(error, 'The file')
  expect(message).toMatch(/^The file is not right\. it: /)
  expect(field).toBe('')
})
