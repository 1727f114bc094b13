import { EMPTY_ASK_DRAFT } from '@palimpsest/ui'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryStorage } from '../state/browser-storage.ts'
import { createAskDrafts } from './ask-drafts.ts'

const draft = { reason: 'No', answers: [{ chosen: [1], own: 'Straight on', isOwn: true }] }

test('UI-16 what was entered about a request survives a reload, until the request is over', () => {
  const storage = memoryStorage()
  createAskDrafts(storage).of('qst_1').set(draft)
  const reloaded = createAskDrafts(storage)
  expect(reloaded.of('qst_1').get()).toEqual(draft)
  expect(reloaded.of('qst_2').get()).toEqual(EMPTY_ASK_DRAFT)
  const store = reloaded.of('qst_1')
  reloaded.forget('qst_1')
  store.set(draft)
  expect(storage.keys('')).toEqual([])
})

test('UI-16 whatever is stored under a request, its draft can be shown', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.boolean(), (value, nested) => {
      const storage = memoryStorage()
      const stored = nested ? { reason: '', answers: [value] } : value
      storage.setItem('palimpsest.ask.q', JSON.stringify(stored))
      const { reason, answers } = createAskDrafts(storage).of('q').get()
      expect(typeof reason).toBe('string')
      for (const { chosen, own } of answers)
        expect([Array.isArray(chosen), typeof own]).toEqual([true, 'string'])
    }),
  )
})
