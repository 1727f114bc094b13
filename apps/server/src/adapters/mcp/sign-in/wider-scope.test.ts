import { expect, test } from 'vitest'
import { refuseScope, scopeUnion, signedInFor } from './wider-scope.ts'

test('MC-2 scopes are joined with each token once, and what is no token is left out', () => {
  expect(scopeUnion('read write', undefined, 'write admin')).toBe('read write admin')
  expect(scopeUnion(undefined, '')).toBeUndefined()
  expect(scopeUnion('a"b \u202ec \u0007 d\\e ok', 'x'.repeat(201))).toBe('ok')
  const many = Array.from({ length: 80 }, (_, at) => `s${at}`).join(' ')
  expect(scopeUnion(many)?.split(' ').length).toBe(50)
})

test('MC-2 after two sign-ins for a scope no further one is offered, until a call needs another scope', () => {
  const first = refuseScope(undefined, 'write')
  expect(first).toEqual({ scope: 'write', signIns: 0, open: true })
  const once = refuseScope(signedInFor(first), 'write')
  expect(once).toEqual({ scope: 'write', signIns: 1, open: true })
  const twice = refuseScope(signedInFor(once), 'write')
  expect(twice).toEqual({ scope: 'write', signIns: 2, open: false })
  expect(refuseScope(twice, 'admin')).toEqual({ scope: 'write admin', signIns: 0, open: true })
})

test('MC-2 a sign-in for a wider scope is offered until it is made', () => {
  expect(signedInFor(refuseScope(undefined, undefined))).toEqual({ scope: '', signIns: 1, open: false })
})
