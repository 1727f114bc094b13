import { expect, test } from 'vitest'
import { memoryStorage } from '../state/browser-storage.ts'
import { createSendKey } from './send-key.ts'

test('UI-31 the send key is kept in this browser', () => {
  const storage = memoryStorage()
  const sendKey = createSendKey(storage)
  expect(sendKey.get()).toBe('enter')
  sendKey.set('mod+enter')
  expect(createSendKey(storage).get()).toBe('mod+enter')
  storage.setItem('palimpsest.send-key', '"wizard"')
  expect(createSendKey(storage).get()).toBe('enter')
})
