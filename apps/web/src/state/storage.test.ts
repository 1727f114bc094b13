import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { browserStorage, memoryStorage, readStored, writeStored } from './browser-storage.ts'
import { createStore } from './create-store.ts'
import { describeFailure } from './describe-failure.ts'

test('UI-12 what is stored reads back as it was, and null takes it away', () => {
  const storage = memoryStorage()
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      writeStored(storage, 'k', value)
      expect(readStored(storage, 'k')).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
  writeStored(storage, 'k', null)
  expect(storage.getItem('k')).toBeNull()
})

test('UI-12 any content of storage is read without an error', () => {
  const storage = memoryStorage()
  fc.assert(
    fc.property(fc.string(), (text) => {
      storage.setItem('k', text)
      expect(() => readStored(storage, 'k')).not.toThrow()
    }),
  )
})

test('UI-12 a storage that is full or forbidden says that it did not keep', () => {
  const refuse = () => {
    throw new Error('quota')
  }
  const storage = { ...memoryStorage(), getItem: refuse, setItem: refuse, removeItem: refuse }
  expect(writeStored(storage, 'k', 1)).toBe(false)
  expect(writeStored(storage, 'k', null)).toBe(false)
  expect(readStored(storage, 'k')).toBeNull()
})

test('UI-12 a browser that forbids even the mention of its storage has one in memory', () => {
  vi.stubGlobal('window', {
    get localStorage() {
      throw new Error('SecurityError')
    },
  })
  const storage = browserStorage('all')
  storage.setItem('k', 'v')
  expect(storage.getItem('k')).toBe('v')
  vi.unstubAllGlobals()
})

test('AP-2 a store reports each change once, and none when the value is the same', () => {
  const store = createStore(1)
  const listener = vi.fn()
  const leave = store.subscribe(listener)
  store.set(2)
  store.set(2)
  expect(listener).toHaveBeenCalledTimes(1)
  leave()
  store.set(3)
  expect(listener).toHaveBeenCalledTimes(1)
  expect([store.initial, store.get()]).toEqual([1, 3])
})

test('AP-2 a listener that unsubscribes while it is called skips no other listener', () => {
  const store = createStore(0)
  const calls: string[] = []
  const leaveFirst = store.subscribe(() => {
    calls.push('first')
    leaveFirst()
  })
  store.subscribe(() => void calls.push('second'))
  store.set(1)
  store.set(2)
  expect(calls).toEqual(['first', 'second', 'second'])
})

test('UI-4 a failure that the server reports has its message, any other is a connection failure', () => {
  const reported = Object.assign(new Error('Too long.'), { data: { appCode: 'INVALID_INPUT' } })
  expect(describeFailure(reported)).toEqual({ code: 'INVALID_INPUT', message: 'Too long.' })
  const lost = { code: null, message: 'The server can’t be reached.' }
  for (const error of [new Error('ECONNREFUSED 10.0.0.1'), null, 'text', { data: { appCode: 'MADE_UP' } }]) {
    expect(describeFailure(error)).toEqual(lost)
  }
})

test('UI-4 whatever is thrown, nothing of its inside is shown', () => {
  fc.assert(
    fc.property(fc.anything(), (thrown) => {
      expect(describeFailure(thrown).message).toBe('The server can’t be reached.')
    }),
  )
})
