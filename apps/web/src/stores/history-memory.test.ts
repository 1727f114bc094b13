import { expect, test } from 'vitest'
import { memoryStorage } from '../state/browser-storage.ts'
import { CLOSED_VIEW, createHistoryMemory } from './history-memory.ts'

test('UI-17 what is open of a history survives a reload, and leaves nothing behind once it is closed', () => {
  const storage = memoryStorage()
  const open = {
    ...CLOSED_VIEW,
    editing: 'msg_1',
    revealed: ['op_1'],
    opened: ['msg_2'],
    panel: 'timeline',
    side: 'ses_2',
  } as const
  createHistoryMemory(storage, memoryStorage()).of('ses_1').set(open)
  expect(createHistoryMemory(storage, memoryStorage()).of('ses_1').get()).toEqual(open)
  createHistoryMemory(storage, memoryStorage()).of('ses_1').set(CLOSED_VIEW)
  expect(storage.getItem('palimpsest.history.ses_1')).toBeNull()
})

test('UI-17 what an older page left in storage is read as far as it can be', () => {
  const storage = memoryStorage()
  storage.setItem(
    'palimpsest.history.ses_1',
    '{"panel":"attic","editing":7,"revealed":["op_1",2],"opened":"msg_2"}',
  )
  expect(createHistoryMemory(storage, memoryStorage()).of('ses_1').get()).toEqual({
    ...CLOSED_VIEW,
    revealed: ['op_1'],
  })
  storage.setItem('palimpsest.history.ses_2', '[broken')
  expect(createHistoryMemory(storage, memoryStorage()).of('ses_2').get()).toEqual(CLOSED_VIEW)
})
