import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inputParts } from '../session/input-part.ts'
import { draftParts } from './draft-parts.ts'

const file = (id: string) => ({ id, name: `${id}.png`, mediaType: 'image/png', url: 'data:,', size: 1 })

test('UI-12 a draft goes out with its files first, then its words without the space around them', () => {
  expect(draftParts({ text: '  Look \n', files: [file('a'), file('b')] })).toEqual([
    { type: 'file', mediaType: 'image/png', filename: 'a.png', url: 'data:,' },
    { type: 'file', mediaType: 'image/png', filename: 'b.png', url: 'data:,' },
    { type: 'text', text: 'Look' },
  ])
})

test('UI-12 space alone is no message, and files alone are one', () => {
  expect(draftParts({ text: ' \n\t', files: [] })).toEqual([])
  expect(draftParts({ text: ' ', files: [file('a')] }).map(({ type }) => type)).toEqual(['file'])
})

test('ID-2 what a draft makes always reads back from the message that it became', () => {
  const draft = fc.record({
    text: fc.string(),
    files: fc.array(fc.string().map(file), { maxLength: 3 }),
  })
  fc.assert(
    fc.property(draft, (written) => {
      const parts = draftParts(written)
      expect(inputParts(parts)).toEqual(parts)
    }),
  )
})

test('ID-2 of a stored message only what a person wrote goes out again', () => {
  const parts = inputParts([
    { type: 'step-start' },
    { type: 'text', text: 'Words', state: 'done' },
    { type: 'file', mediaType: 'text/plain', url: 'data:,' },
    { type: 'reasoning', text: 'Hmm' },
  ])
  expect(parts).toEqual([
    { type: 'text', text: 'Words' },
    { type: 'file', mediaType: 'text/plain', url: 'data:,' },
  ])
})
