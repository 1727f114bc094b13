import { expect, test } from 'vitest'
import { isOwnAddress, isOwnOrigin } from './own-origin.ts'

const host = 'localhost:3000'

test.each([
  ['no browser at all', { host }, true],
  ['a page of ours', { host, origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }, true],
  ['a page of ours behind a proxy that speaks TLS', { host, origin: 'https://localhost:3000' }, true],
  ['a person who typed the address', { host, 'sec-fetch-site': 'none' }, true],
  ['another site', { host, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, false],
  [
    'another port of this host',
    { host, origin: 'http://localhost:4000', 'sec-fetch-site': 'same-site' },
    false,
  ],
  ['another site without an origin', { host, 'sec-fetch-site': 'cross-site' }, false],
  ['a page without an origin of its own', { host, origin: 'null', 'sec-fetch-site': 'cross-site' }, false],
  ['an old browser on another site', { host, origin: 'https://evil.example' }, false],
  ['a name that looks like ours', { host, origin: 'http://localhost:3000.evil.example' }, false],
])('SX-8 %s', (_who, headers, expected) => {
  expect(isOwnOrigin(headers)).toBe(expected)
})

const names = (one: string) => ['localhost', 'chat.example'].includes(one.replace(/:\d+$/, ''))

test.each([
  ['http://localhost:3000', host, true],
  ['https://localhost:3000', host, true],
  ['https://chat.example', host, true],
  ['https://chat.example', 'chat.example', true],
  ['http://chat.example', 'chat.example', true],
  ['http://chat.example', host, false],
  ['http://localhost:4000', host, false],
  ['http://localhost', host, false],
  ['https://chat.example:8443', host, false],
  ['https://evil.example', host, false],
  ['https://evil.example', 'evil.example', false],
  ['https://chat.example.evil.example', host, false],
  ['https://chat.example@evil.example', host, false],
  ['https://user@chat.example', host, false],
  ['https://chat.example/elsewhere', host, false],
  ['https://chat.example?x', host, false],
  ['javascript://chat.example', host, false],
  ['ftp://chat.example', host, false],
  ['null', host, false],
  ['', host, false],
  ['http://localhost:3000', undefined, false],
])(
  'MC-2 a sign-in that is begun for %s by a request for %s is for this server: %s',
  (origin, asked, expected) => {
    expect(isOwnAddress(origin, asked, names)).toBe(expected)
  },
)
