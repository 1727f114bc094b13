import { expect, test } from 'vitest'
import { createSessionScopes } from './session-scopes.ts'

type Counter = { open: number }

function openScopes() {
  const scopes = createSessionScopes()
  const define = () =>
    scopes.define<Counter>({ create: () => ({ open: 0 }), isIdle: ({ open }) => open === 0 })
  return { scopes, runs: define(), children: define() }
}

test('SV-7 BU-2 all that asks for a value of a session gets the same one, and other sessions have their own', () => {
  const { runs } = openScopes()
  runs.of('a').open = 1
  expect(runs.of('a')).toBe(runs.find('a'))
  expect(runs.of('a').open).toBe(1)
  expect(runs.of('b').open).toBe(0)
  expect(runs.find('c')).toBeUndefined()
})

test('SV-7 the values of a session are dropped together, once all of them are idle', () => {
  const { scopes, runs, children } = openScopes()
  const run = runs.of('a')
  children.of('a').open = 1
  scopes.release('a')
  expect(runs.find('a')).toBe(run)
  children.of('a').open = 0
  runs.of('b').open = 1
  scopes.release('a')
  expect([runs.find('a'), children.find('a')]).toEqual([undefined, undefined])
  expect(scopes.sessions).toEqual(['b'])
  expect(runs.of('a')).not.toBe(run)
})

test('SV-7 the values of a session that is gone are dropped, idle or not', () => {
  const { scopes, runs } = openScopes()
  runs.of('a').open = 1
  scopes.forget('a')
  expect(runs.find('a')).toBeUndefined()
})
