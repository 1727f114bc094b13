import { expect, test } from 'vitest'
import { createMemorySessionEvents } from '../live/memory-session-events.ts'
import { createFakeClock } from '../testing/fake-clock.ts'
import { createMemoryStore } from '../testing/memory-store/memory-store.ts'
import { createBudgets } from './budgets.ts'

const COUNTS = { input: 1, output: 1, reasoning: 0, cacheRead: 0, cacheWrite: 0 }

test('BU-1 the cost of a call for a session that is gone is no error of the server; one that is not stored is', async () => {
  const levels: string[] = []
  const note = (level: string) => () => void levels.push(level)
  const logger = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }
  const store = createMemoryStore()
  const events = createMemorySessionEvents({ logger })
  const ports = { clock: createFakeClock(), events, logger, agents: new Map(), limits: undefined }
  const info = { prices: { input: null, output: null } } as never
  await createBudgets({ ...ports, store }).charge('gone', info, COUNTS)
  expect(levels).toEqual(['debug'])
  const add = () => Promise.reject(new Error('The disk is full.'))
  await createBudgets({ ...ports, store: { ...store, budgets: { ...store.budgets, add } } }).charge(
    'a',
    info,
    COUNTS,
  )
  expect(levels).toEqual(['debug', 'error'])
})
