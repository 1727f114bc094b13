import { expect, test } from 'vitest'
import { toMarkdown, toPlainText } from './to-markdown.ts'

/** Converts many pages in one worker; a rule divides them. */
async function each(pages: readonly string[]): Promise<string[]> {
  const markdown = await toMarkdown(pages.join('\n<hr>\n'))
  return markdown.split('\n***\n').map((text) => text.trim())
}

test('TO-5 Markdown keeps headings, lists, links, code, quotes and tables', async () => {
  const table: [string, string][] = [
    ['<h2>Title</h2>', '## Title'],
    ['<p>One<br>two</p>', 'One\\\ntwo'],
    ['<p><em>a</em> <strong>b</strong> <code>c</code> <del>d</del></p>', '*a* **b** `c` ~~d~~'],
    ['<ol><li>a<li>b</ol>', '1. a\n2. b'],
    ['<ul><li>a<ul><li>b</ul></ul>', '* a\n  * b'],
    ['<a href="https://x.example/?a=1&amp;b=2">link</a>', '[link](https://x.example/?a=1\\&b=2)'],
    ['<img src="/a.png" alt="A cat">', '![A cat](/a.png)'],
    ['<pre><code class="language-ts">a &lt; b</code></pre>', '```ts\na < b\n```'],
    ['<blockquote><p>a</blockquote>', '> a'],
    ['<table><tr><th>a<th>b<tr><td>1<td>2</table>', '| a | b |\n| - | - |\n| 1 | 2 |'],
  ]
  expect(await each(table.map(([html]) => html))).toEqual(table.map(([, markdown]) => markdown))
})

const HIDDEN = [
  '<p hidden>CANARY</p>',
  '<p hidden="until-found">CANARY</p>',
  '<p aria-hidden="true">CANARY</p>',
  '<p style="display:none">CANARY</p>',
  '<p style="color: red; DISPLAY : NONE !important">CANARY</p>',
  '<p style="visibility: hidden">CANARY</p>',
  '<p style="opacity:0">CANARY</p>',
  '<p style="opacity: 0.0">CANARY</p>',
  '<p style="font-size: 0">CANARY</p>',
  '<p style="font-size:0px">CANARY</p>',
  '<p style="font-size: .0em">CANARY</p>',
  '<div hidden><div><p>CANARY</p></div></div>',
  '<script>CANARY</script>',
  '<script type="text/template"><p>CANARY</p></script>',
  '<style>CANARY</style>',
  '<noscript><p>CANARY</p></noscript>',
  '<template><p>CANARY</p></template>',
  '<svg><text>CANARY</text></svg>',
  '<svg><title>CANARY</title></svg>',
  '<iframe srcdoc="CANARY">CANARY</iframe>',
  '<object data="x"><p>CANARY</p></object>',
  '<canvas>CANARY</canvas>',
  '<dialog open><p>CANARY</p></dialog>',
  '<!-- CANARY -->',
  '<!-- > <b>CANARY</b> -->',
  '<p onclick="CANARY" data-x="CANARY">a</p>',
]

test('TO-5 nothing that readers do not see is in Markdown', async () => {
  const found = await each(HIDDEN.map((html) => `<p>before</p>${html}<p>after</p>`))
  expect(found).toHaveLength(HIDDEN.length)
  expect(HIDDEN.filter((_, at) => found[at]?.includes('CANARY') === true)).toEqual([])
  expect(found.filter((text) => !text.includes('before') || !text.includes('after'))).toEqual([])
})

const SHOWN = [
  '<p style="opacity:0.5">SHOWN</p>',
  '<p style="opacity: .5">SHOWN</p>',
  '<p style="opacity: 0.05">SHOWN</p>',
  '<p style="font-size: 0.9em">SHOWN</p>',
  '<p style="font-size:0.875rem">SHOWN</p>',
  '<p style="font-size: 10px">SHOWN</p>',
  '<p style="display: block">SHOWN</p>',
  '<p style="visibility: visible">SHOWN</p>',
  '<p aria-hidden="false">SHOWN</p>',
  '<details><summary>a</summary>SHOWN</details>',
  '<main><article><p>SHOWN</p></article></main>',
  '<p class="hidden">SHOWN</p>',
]

test('TO-5 what readers see is in Markdown, in whatever style', async () => {
  const found = await each(SHOWN)
  expect(SHOWN.filter((_, at) => found[at]?.includes('SHOWN') !== true)).toEqual([])
})

test('TO-5 the head of a page is left out', async () => {
  const html = '<html><head><title>T</title><meta name="a" content="b"></head><body><p>a</body></html>'
  expect(await toMarkdown(html)).toBe('a\n')
})

test('TO-5 text that looks like Markdown is escaped, so that a page makes no heading of a sentence', async () => {
  const markdown = await toMarkdown('<p># not a heading</p><p>*a* [b](c)</p>')
  expect(markdown).toBe('\\# not a heading\n\n\\*a\\* \\[b]\\(c)\n')
})

test('TO-5 broken markup is read as a browser reads it', async () => {
  expect(await toMarkdown('<p>a<b>b</p>c')).toContain('a')
  expect(await toMarkdown('')).toBe('')
  expect(await toMarkdown('just words')).toBe('just words\n')
  expect(await toMarkdown('</div></p>x<')).toContain('x')
})

test('TO-5 pages that are converted at the same time do not mix', async () => {
  const found = await Promise.all(['a', 'b', 'c'].map((text) => toMarkdown(`<h1>${text}</h1>`)))
  expect(found).toEqual(['# a\n', '# b\n', '# c\n'])
})

test('TO-5 a page as text is converted by the rules of plain text', async () => {
  expect(await toPlainText('<h1>a</h1><p>b <b>c</b><script>x</script>')).toBe('a\nb c')
})
