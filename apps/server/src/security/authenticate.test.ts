import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseSubprotocol, createAuthenticator } from './authenticate.ts'

const TOKEN = 'correct-horse-battery-staple'
const inSubprotocol = (token: string) =>
  `palimpsest, palimpsest.token.${Buffer.from(token).toString('base64url')}`

test('SX-8 one function reads the token from header, cookie and socket', () => {
  const { authenticate, cookie } = createAuthenticator(TOKEN)
  expect(authenticate({ authorization: `Bearer ${TOKEN}` })).toBe(true)
  expect(authenticate({ cookie: `theme=dark; ${cookie(false).split(';')[0]}` })).toBe(true)
  expect(authenticate({ 'sec-websocket-protocol': inSubprotocol(TOKEN) })).toBe(true)
  expect(authenticate({})).toBe(false)
})

test('SX-8 only the token authenticates', () => {
  const { authenticate } = createAuthenticator(TOKEN)
  fc.assert(
    fc.property(fc.string(), (other) => {
      fc.pre(other !== TOKEN)
      expect(authenticate({ authorization: `Bearer ${other}` })).toBe(false)
      expect(authenticate({ cookie: `palimpsest=${other}` })).toBe(false)
      expect(authenticate({ 'sec-websocket-protocol': inSubprotocol(other) })).toBe(false)
    }),
  )
})

test('SX-8 the cookie proves the token without holding it, and no script can read it', () => {
  const cookie = createAuthenticator(TOKEN).cookie(false)
  expect(cookie).not.toContain(TOKEN)
  expect(cookie).toContain('HttpOnly')
  expect(cookie).toContain('SameSite=Strict')
  expect(cookie).not.toContain('Secure')
  expect(createAuthenticator(TOKEN).cookie(true)).toContain('; Secure')
  expect(createAuthenticator('another').authenticate({ cookie })).toBe(false)
})

test('SX-8 without a configured token every request authenticates', () => {
  expect(createAuthenticator(undefined).authenticate({})).toBe(true)
})

test('SX-8 the answer to a socket names the protocol, never the token', () => {
  expect(chooseSubprotocol(new Set(['palimpsest', 'palimpsest.token.abc']))).toBe('palimpsest')
  expect(chooseSubprotocol(new Set(['graphql-ws']))).toBe(false)
})
