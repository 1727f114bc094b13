import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { socketWithToken } from './socket-with-token.ts'

const PREFIX = 'palimpsest.token.'

let opened: { url: string; protocols: string[] }[] = []

class FakeSocket {
  static readonly OPEN = 1
  constructor(url: string, protocols: string | string[] = []) {
    opened.push({ url, protocols: [protocols].flat() })
  }
}

beforeEach(() => {
  opened = []
  vi.stubGlobal('WebSocket', FakeSocket)
})
afterEach(() => void vi.unstubAllGlobals())

function subprotocolOf(token: string): string {
  const Socket = socketWithToken(token)
  void new Socket('ws://localhost/trpc')
  return opened.at(-1)?.protocols[1] ?? ''
}

function decode(subprotocol: string): string {
  const base64 = subprotocol.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/')
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.codePointAt(0) ?? 0))
}

test('SX-8 a socket offers a protocol that the server can take, and the token beside it', () => {
  subprotocolOf('secret')
  expect(opened).toEqual([{ url: 'ws://localhost/trpc', protocols: ['palimpsest', `${PREFIX}c2VjcmV0`] }])
})

test('SX-8 the token is in no address', () => {
  subprotocolOf('secret')
  expect(opened[0]?.url).not.toContain('secret')
})

test('SX-8 whatever a token holds, its subprotocol is one that a browser accepts and reads back as the token', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (token) => {
      const subprotocol = subprotocolOf(token)
      expect(subprotocol).toMatch(/^palimpsest\.token\.[\w-]*$/)
      expect(decode(subprotocol)).toBe(token.toWellFormed())
    }),
  )
})

test.each(['???>>>', '~~~~', 'ünïcödé', '🖋️', 'a b,c;d"e', 'line\r\nbreak'])(
  'SX-8 the token “%s” passes as a subprotocol',
  (token) => {
    expect(decode(subprotocolOf(token))).toBe(token)
  },
)

test('SX-8 a long token passes whole', () => {
  const token = 'é'.repeat(5_000)
  expect(decode(subprotocolOf(token))).toBe(token)
})

test('AP-3 a socket with a token has the constants of a socket, by which the link reads its state', () => {
  expect(socketWithToken('t').OPEN).toBe(FakeSocket.OPEN)
})
