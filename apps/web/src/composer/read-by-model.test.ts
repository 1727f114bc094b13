import type { ModelInfo } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { modelInfo } from '../testing/model-info.ts'
import { modelFor, unreadBy } from './read-by-model.ts'

const taking = (id: string, inputs: ModelInfo['inputs']) => ({ ...modelInfo(id), inputs })
const TEXT = taking('text', ['text'])
const SEES = taking('sees', ['text', 'image'])
const READS = taking('reads', ['text', 'image', 'pdf'])
const [photo, paper, notes, letter] = [
  { mediaType: 'image/jpeg' },
  { mediaType: 'application/pdf' },
  { mediaType: 'text/csv' },
  { mediaType: 'application/msword' },
]

test('UI-33 the files that a model can’t read are those of a kind that it does not take', () => {
  expect(unreadBy(TEXT, [photo, paper, notes, letter])).toEqual([photo, paper, letter])
  expect(unreadBy(SEES, [photo, paper, notes])).toEqual([paper])
  expect(unreadBy(READS, [photo, paper, notes, { mediaType: 'image/svg+xml' }])).toEqual([])
})

test('UI-33 the model that is offered reads all files that any model reads', () => {
  const models = [TEXT, SEES, READS]
  expect(modelFor([photo], models)).toBe(SEES)
  expect(modelFor([photo, paper], models)).toBe(READS)
  expect(modelFor([photo, letter], models)).toBe(SEES)
  expect(modelFor([letter, notes], models)).toBeNull()
  expect(modelFor([photo], [TEXT])).toBeNull()
})
