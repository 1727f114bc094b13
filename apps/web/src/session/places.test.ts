import { expect, test } from 'vitest'
import { memoryStorage } from '../state/browser-storage.ts'
import { createPlaces } from './places.ts'

test('UI-7 the place where a session was read survives a reload, until it is read to the end', () => {
  const storage = memoryStorage()
  createPlaces(storage).keep('a', { messageId: 'm', offset: 12 })
  expect(createPlaces(storage).of('a')).toEqual({ messageId: 'm', offset: 12 })
  expect(createPlaces(storage).of('b')).toBeNull()
  createPlaces(storage).keep('a', null)
  expect(createPlaces(storage).of('a')).toBeNull()
})

test('UI-7 a place that something else has written is none', () => {
  const storage = memoryStorage()
  storage.setItem('palimpsest.place.a', '{"messageId":3}')
  expect(createPlaces(storage).of('a')).toBeNull()
})
