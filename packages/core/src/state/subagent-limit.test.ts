import { expect, test } from 'vitest'
import { LIMITS } from '../domain/limits.ts'
import { createSessionScopes } from './session-scopes.ts'
import { createSubagentLimit } from './subagent-limit.ts'

/** A limit for chats of which `on` subagents work or wait. */
function openLimit(on: number) {
  const scopes = createSessionScopes()
  const working = { on }
  const child = { sessionId: 'child', parentId: 'root' }
  const subagents = (rootId: string) => (rootId === 'root' ? Array(working.on).fill(child) : [])
  return { scopes, working, limit: createSubagentLimit(scopes, { subagents }) }
}

test('SA-2 of 32 subagents of one root those that are about to start count, the 32nd starts, and the 33rd does not', () => {
  const { limit } = openLimit(LIMITS.subagents - 2)
  expect(limit.reserve('root')).not.toBeNull()
  const last = limit.reserve('root')
  expect(last).not.toBeNull()
  expect(limit.reserve('root')).toBeNull()
  last?.[Symbol.dispose]()
  expect(limit.reserve('root')).not.toBeNull()
  expect(limit.reserve('root')).toBeNull()
})

test('SA-2 without any that work, 32 may be about to start', () => {
  const { limit } = openLimit(0)
  const places = Array.from({ length: LIMITS.subagents + 1 }, () => limit.reserve('root'))
  expect(places.map((place) => place !== null)).toEqual([...Array(LIMITS.subagents).fill(true), false])
})

test('SA-2 the subagents of one root leave the places of another', () => {
  const { limit } = openLimit(LIMITS.subagents)
  expect(limit.reserve('root')).toBeNull()
  expect(limit.reserve('other')).not.toBeNull()
})

test('SV-7 a place is dropped with the last one that is about to start, and not before', () => {
  const { limit, scopes } = openLimit(0)
  const [first, second] = [limit.reserve('root'), limit.reserve('root')]
  first?.[Symbol.dispose]()
  expect(scopes.sessions).toEqual(['root'])
  second?.[Symbol.dispose]()
  expect(scopes.sessions).toEqual([])
})
