import fc from 'fast-check'
import { expect, test } from 'vitest'
import { leadingIds, parseRules } from './rules.ts'

const id = fc
  .tuple(fc.stringMatching(/^[A-Z]{2}$/), fc.integer({ min: 1, max: 999 }))
  .map((pair) => pair.join('-'))

test('QA-4 a rule is a list item that opens with a bold id', () => {
  const text =
    '# Data\n\n- **DA-4** Payloads come back byte for byte.\n* **DA-12** Ids.\nSee **DA-1**.\n- DA-2 plain\n'
  expect(parseRules(text)).toEqual([
    { id: 'DA-4', line: 3 },
    { id: 'DA-12', line: 4 },
  ])
})

test('QA-4 a title gives all the ids it starts with, and none that come later', () => {
  fc.assert(
    fc.property(fc.array(id, { maxLength: 4 }), id, (ids, later) => {
      expect(leadingIds([...ids, 'a chunk of', later].join(' '))).toEqual(ids)
    }),
  )
})

test('QA-4 ids with nothing said after them are no title', () => {
  expect(leadingIds('RE-1 ')).toEqual([])
  expect(leadingIds('RE-1')).toEqual([])
})
