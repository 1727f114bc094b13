// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { show } from '../testing/show.tsx'
import { SourceParts } from './source-parts.tsx'

const source = (url: string, title?: string) =>
  ({ type: 'source-url', sourceId: url, url, ...(title !== undefined && { title }) }) as const

test.each([
  ['mailto:scribe@example.org', 'mailto:scribe@example.org'],
  ['file:///etc/passwd', 'file:///etc/passwd'],
  ['data:text/html,x', 'data:text/html,x'],
  ['not an address', 'not an address'],
  ['https://Ink.Example.org:8443/a?b#c', 'ink.example.org'],
])('UI-10 a source without a title at %s is called %s', (url, name) => {
  using page = show(<SourceParts parts={[source(url)]} />)
  expect(page.getByRole('listitem').textContent?.replace(/ \(opens.*/, '')).toBe(name)
})

test.each(['file:///etc/passwd', 'data:text/html,x', 'JavaScript:alert(1)', '//example.org', '/s/other', ''])(
  'SX-3 a source at %j is no link',
  (url) => {
    using page = show(<SourceParts parts={[source(url, 'On inks')]} />)
    expect(page.queryByRole('link')).toBeNull()
    expect(page.getByText('On inks')).toBeTruthy()
  },
)

test('SX-3 a source opens in a tab of its own and is sent no referrer', () => {
  using page = show(<SourceParts parts={[source('https://example.org/a', 'On inks')]} />)
  const link = page.getByRole('link')
  expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual(['_blank', 'noopener noreferrer'])
  expect(link.getAttribute('title')).toBe('https://example.org/a')
})

test('UI-10 sources stay in their order', () => {
  using page = show(
    <SourceParts
      parts={[
        { type: 'source-document', sourceId: 'd', mediaType: 'application/pdf', title: 'A treatise' },
        source('https://example.org/a', 'On inks'),
      ]}
    />,
  )
  const texts = page.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(texts[0]).toBe('A treatise')
  expect(texts[1]).toMatch(/^On inks/)
})
