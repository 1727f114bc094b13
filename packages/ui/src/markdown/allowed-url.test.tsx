// @vitest-environment happy-dom
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { show } from '../testing/show.tsx'
import { allowedImage, allowedLink } from './allowed-url.ts'
import { MarkdownRenderer } from './markdown-renderer.tsx'
import { SafeLink } from './safe-link.tsx'

test.each([
  ['https://a.example/x?y#z', true, true],
  ['HTTPS://A.EXAMPLE', true, true],
  ['  https://a.example  ', true, true],
  ['http://a.example', true, false],
  ['mailto:a@b.example', true, false],
  ['ftp://a.example', false, false],
  ['data:image/png;base64,AA==', false, false],
  ['blob:https://a.example/1', false, false],
  ['file:///etc/passwd', false, false],
  ['javascript:alert(1)', false, false],
  ['java\nscript:alert(1)', false, false],
  ['\u0001javascript:alert(1)', false, false],
  ['JAVASCRIPT:alert(1)', false, false],
  ['vbscript:x', false, false],
  ['view-source:https://a.example', false, false],
  ['intent://a.example#Intent;end', false, false],
  ['//a.example/x', false, false],
  ['/settings', false, false],
  ['?query', false, false],
  ['', false, false],
  ['https://', false, false],
  ['https://a b.example', false, false],
])('SX-3 whether a link and an image may lead to %j: %s, %s', (address, link, image) => {
  expect([allowedLink(address) !== null, allowedImage(address) !== null]).toEqual([link, image])
})

test('SX-3 no address is none', () => {
  expect([allowedLink(undefined), allowedImage(undefined)]).toEqual([null, null])
})

test('SX-3 whatever an address holds, a link that is drawn leads to http, https or mail', () => {
  const piece = fc.constantFrom(
    'java',
    'script',
    ':',
    'https',
    '//',
    '\t',
    '\n',
    ' ',
    'a.example',
    '#',
    '@',
    '\u0000',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      using page = show(<SafeLink href={pieces.join('')}>words</SafeLink>)
      const href = page.container.querySelector('a')?.getAttribute('href')
      expect(href ?? 'https:').toMatch(/^(?:https?:|mailto:|#)/)
      expect(page.container.textContent).toContain('words')
    }),
    { numRuns: 60 },
  )
})

test('SX-3 a link opens in a tab of its own, sends no referrer and says so', () => {
  using page = show(<SafeLink href="https://a.example/x">words</SafeLink>)
  const link = page.getByRole('link', { name: 'words (opens in a new tab)' })
  expect(link.getAttribute('rel')).toBe('noopener noreferrer')
  expect(link.getAttribute('target')).toBe('_blank')
  expect(link.getAttribute('title')).toBe('https://a.example/x')
})

test('SX-3 the title of a link is its own where it has one, and the address', () => {
  using page = show(
    <SafeLink href="https://a.example/x" title="On inks">
      words
    </SafeLink>,
  )
  expect(page.getByRole('link').getAttribute('title')).toBe('On inks\nhttps://a.example/x')
})

test('SX-3 a link with a host in another script shows the host that it leads to', () => {
  using page = show(<SafeLink href="https://аpple.example/x">apple.example</SafeLink>)
  expect(page.getByRole('link').getAttribute('title')).toMatch(/^https:\/\/xn--/)
  expect(page.getByRole('link').textContent).toContain('apple.example (xn--')
})

test.each([
  ['[https://bank.example](https://evil.example)', 'https://bank.example (evil.example)'],
  ['[**bank**.example](https://evil.example)', 'bank.example (evil.example)'],
  ['[`bank.example`](https://evil.example)', 'bank.example (evil.example)'],
  ['https://bank.example@evil.example', 'https://bank.example@evil.example (evil.example)'],
  ['[our bank](https://evil.example)', 'our bank'],
  ['https://evil.example/a', 'https://evil.example/a'],
])('SX-3 the link %s of a reply reads as %s', async (source, shown) => {
  using page = show(<MarkdownRenderer text={source} streaming={false} />)
  const link = await page.findByRole('link')
  expect(link.textContent?.replace(/ \(opens in a new tab\)$/, '')).toBe(shown)
})

test('SX-3 a link that is not allowed is its words, with the address to be read', () => {
  const href = 'javascript:alert(1)'
  using page = show(<SafeLink href={href}>words</SafeLink>)
  expect(page.queryByRole('link')).toBeNull()
  expect(page.getByText('words').getAttribute('title')).toBe(href)
})

test('UI-6 a link to a footnote stays in the page', () => {
  using page = show(<SafeLink href="#user-content-fn-1">1</SafeLink>)
  const link = page.getByRole('link', { name: '1' })
  expect(link.getAttribute('href')).toBe('#user-content-fn-1')
  expect(link.hasAttribute('target')).toBe(false)
})
