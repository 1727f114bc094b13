import fc from 'fast-check'
import { expect, test } from 'vitest'
import { realHost } from './real-host.ts'

const of = (text: string, href: string) => realHost(text, new URL(href))

test.each([
  ['https://bank.example', 'https://evil.example/', 'evil.example'],
  ['bank.example/login', 'https://evil.example/login', 'evil.example'],
  ['www.bank.example', 'https://evil.example', 'evil.example'],
  ['HTTPS://BANK.EXAMPLE', 'https://evil.example', 'evil.example'],
  ['//bank.example', 'https://evil.example', 'evil.example'],
  ['Sign in at bank.example now', 'https://evil.example', 'evil.example'],
  ['(bank.example)', 'https://evil.example', 'evil.example'],
  ['https://bank.example@evil.example/x', 'https://bank.example@evil.example/x', 'evil.example'],
  ['https://bank.example:443@evil.example', 'https://evil.example', 'evil.example'],
  ['bank.example', 'https://bank.example.evil.example', 'bank.example.evil.example'],
  ['bank.example.', 'https://evil.example', 'evil.example'],
  ['ba\u200Bnk.exam\u00ADple', 'https://evil.example', 'evil.example'],
  ['\u202Ebank.example', 'https://evil.example', 'evil.example'],
  ['bank。example', 'https://evil.example', 'evil.example'],
  ['ｂａｎｋ．ｅｘａｍｐｌｅ', 'https://evil.example', 'evil.example'],
  ['https://192.168.0.1/', 'https://evil.example', 'evil.example'],
  ['localhost:3000', 'http://localhost:4000', 'localhost:4000'],
  ['bank.example', 'https://bаnk.example', 'xn--bnk-6cd.example'],
  ['bаnk.example', 'https://bаnk.example', 'xn--bnk-6cd.example'],
  ['https://bank.example\\@evil.example', 'https://evil.example', 'evil.example'],
  ['help@bank.example', 'mailto:me@evil.example', 'me@evil.example'],
  ['https://bank', 'https://evil.example', 'evil.example'],
])('SX-3 the link %s to %s shows %s', (text, href, shown) => {
  expect(of(text, href)).toBe(shown)
})

test.each([
  ['https://bank.example', 'https://bank.example/login'],
  ['bank.example', 'https://www.bank.example/'],
  ['www.bank.example/a', 'https://bank.example./a'],
  ['BANK.example', 'https://bank.example'],
  ['https://bank.example:443/', 'https://bank.example'],
  ['https://archive.example/https://bank.example', 'https://archive.example/https://bank.example'],
  ['the docs', 'https://evil.example'],
  ['tool-call.tsx', 'https://code.example/tool-call.tsx'],
  ['Node.js 24.1', 'https://nodejs.example'],
  ['v1.2.3', 'https://code.example'],
  ['e.g. this', 'https://code.example'],
  ['me@bank.example', 'mailto:me@bank.example'],
  ['Write to me', 'mailto:me@bank.example'],
  ['', 'https://bank.example'],
])('SX-3 the link %s to %s shows no host', (text, href) => {
  expect(of(text, href)).toBeNull()
})

const host = fc.domain()

test('SX-3 a text that is another host shows the real one, and one that is the same shows none', () => {
  fc.assert(
    fc.property(host, host, fc.constantFrom('', 'https://', 'http://'), (named, real, scheme) => {
      const url = new URL(`https://${real}/`)
      expect(realHost(`${scheme}${real}`, url)).toBeNull()
      fc.pre(named.replace(/^www\./, '') !== real.replace(/^www\./, '') && /\.[a-z]{2,}$/.test(named))
      fc.pre(scheme !== '' || !/\.(?:go|c|h|env)$/.test(named))
      expect(realHost(`${scheme}${named}`, url)).toBe(real)
    }),
    { numRuns: 30 },
  )
})

test('SX-3 whatever a text holds, its host is found in little time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = of(text, 'https://evil.example')
      expect([null, 'evil.example']).toContain(shown)
    }),
  )
  const before = performance.now()
  for (const text of ['a.'.repeat(100_000), 'a-'.repeat(100_000), '/'.repeat(100_000)])
    of(text, 'https://evil.example')
  expect(performance.now() - before).toBeLessThan(5_000)
})
