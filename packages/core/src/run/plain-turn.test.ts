import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import type { Store } from '../ports/index.ts'

/** The store, which notes the names of the methods that are called. */
function noted(store: Store, calls: string[]): Store {
  const wrap = (target: object, path: string): object =>
    new Proxy(target, {
      get(from, key) {
        const value: unknown = Reflect.get(from, key)
        const name = `${path}${String(key)}`
        if (typeof value === 'function')
          return (...given: unknown[]) => {
            calls.push(name)
            return Reflect.apply(value, from, given)
          }
        return typeof value === 'object' && value !== null ? wrap(value, `${name}.`) : value
      },
    })
  return wrap(store, '') as Store
}

test('BU-2 a plain turn reads what its session has spent before it and in it, and stores what it spends with its own writes', async () => {
  const calls: string[] = []
  await using lab = await openCoreLab({ store: noted(createMemoryStore(), calls) })
  lab.provider.script(reply({ text: 'One' }), reply({ text: 'Two' }))
  const { id } = await lab.sessions.create({ title: 'Named' })
  await lab.turn('One', id)
  await expect.poll(() => lab.sessions.status(id)).toEqual({ state: 'idle' })
  calls.length = 0
  await lab.turn('Two', id)
  await lab.core.shutdown(0)
  // One before the message is accepted, one of the run; the two pages are the test's own.
  expect(calls.filter((name) => name.startsWith('budgets.'))).toEqual(['budgets.get', 'budgets.get'])
  expect(calls).toHaveLength(15)
})
