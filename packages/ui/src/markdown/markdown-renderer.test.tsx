// @vitest-environment happy-dom
import { act, fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { MarkdownRenderer } from './markdown-renderer.tsx'

const settled = (text: string) => <MarkdownRenderer text={text} streaming={false} />
const growing = (text: string) => <MarkdownRenderer text={text} streaming />

test('UI-6 tables, task lists, emphasis and code become what they mean', () => {
  using page = show(
    settled('| a | b |\n|---|---|\n| 1 | *2* |\n\n- [x] done\n- [ ] open\n\n```js\nlet a\n```'),
  )
  expect(page.getByRole('cell', { name: '2' })).toBeTruthy()
  expect(page.getByRole('img', { name: 'Done' })).toBeTruthy()
  expect(page.getByRole('img', { name: 'To do' })).toBeTruthy()
  expect(page.getByRole('figure', { name: 'Code, js' }).querySelector('pre')?.textContent).toBe('let a\n')
  expect(page.getByRole('button', { name: 'Copy code' })).toBeTruthy()
})

test('UI-6 finished blocks keep their elements while the text grows and when it ends', () => {
  using page = show(growing('First words.\n\nSecond **bo'))
  const first = page.getByText('First words.')
  page.rerender(growing('First words.\n\nSecond **bold** and\n\nthird'))
  page.rerender(settled('First words.\n\nSecond **bold** and\n\nthird.'))
  expect(page.getByText('First words.')).toBe(first)
  expect(page.getByText('bold').tagName).toMatch(/STRONG|SPAN/)
})

test('UI-6 marks that are still open are drawn as what they will be', () => {
  using page = show(growing('Some **half'))
  expect(page.container.textContent).toBe('Some half')
})

test('UI-6 a diagram waits for its fence to close, and a closed one stays while another grows', () => {
  const first = '```mermaid\nflowchart LR\n  A --> B\n```'
  using page = show(growing('```mermaid\nflowchart LR\n  A'))
  expect(page.getByRole('figure', { name: 'Code, mermaid' })).toBeTruthy()
  page.rerender(growing(`${first}\n\nThen\n\n\`\`\`js\nlet`))
  expect(page.getByRole('figure', { name: 'Diagram' })).toBeTruthy()
  expect(page.getByRole('figure', { name: 'Code, js' })).toBeTruthy()
})

test('UI-6 code that was said before word for word is coloured again where it grows', async () => {
  const fence = '```js\nconst said = twice\n```'
  using first = show(settled(fence))
  await vi.waitFor(() => expect(first.container.querySelector('code > span')).toBeTruthy(), 10_000)
  using second = show(growing('```js\nconst said'))
  second.rerender(settled(fence))
  await vi.waitFor(() => expect(second.container.querySelector('code > span')).toBeTruthy())
})

test('UI-6 an image whose address is still being written takes no place', () => {
  using page = show(growing('See ![A leaf](https://images.exam'))
  expect(page.container.textContent).toBe('See ')
})

test('UI-6 formulas are set once their plugins are there', async () => {
  Object.defineProperty(document, 'compatMode', { value: 'CSS1Compat' })
  using page = show(settled('So $$a^2$$ it is.'))
  await vi.waitFor(() => expect(page.container.querySelector('.katex')).toBeTruthy(), { timeout: 20_000 })
})

test('UI-6 lists and quotes have the direction of their text', () => {
  using page = show(settled('3. مرحبا\n4. عالم\n\n> اقتباس\n\n- one\n- [x] two'))
  const marked = [...page.container.querySelectorAll('ol, ul, blockquote')]
  expect(marked.map((element) => element.getAttribute('dir'))).toEqual(['auto', 'auto', 'auto'])
  expect(page.container.querySelector('ol')?.getAttribute('start')).toBe('3')
  expect(page.container.querySelector('ul')?.className).toBe('contains-task-list')
})

test('UI-6 footnotes lead to their text', () => {
  using page = show(settled('Ink[^1]\n\n[^1]: Of oak galls.'))
  const target = page.getByRole('link', { name: '1' }).getAttribute('href')?.slice(1) ?? ''
  expect(document.getElementById(target)?.textContent).toContain('Of oak galls.')
})

test('SX-3 HTML stays text and makes no element', () => {
  using page = show(
    settled(
      'Hi <script>alert(1)</script> <img src=x onerror=alert(1)>\n\n<iframe src="https://example.org"></iframe>',
    ),
  )
  expect(page.container.querySelector('script, img, iframe')).toBeNull()
  expect(page.container.textContent).toContain('<script>alert(1)</script>')
})

test('SX-3 a line break tag breaks the line and nothing else', () => {
  using page = show(settled('one<br>two <b>three</b>'))
  expect(page.container.querySelectorAll('br')).toHaveLength(1)
  expect(page.container.textContent).toContain('<b>three</b>')
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  '/relative',
  'tel:1',
])('SX-3 a link to %s is text', (href) => {
  using page = show(settled(`[words](${href})`))
  expect(page.queryByRole('link')).toBeNull()
  expect(page.getByText('words')).toBeTruthy()
})

test('SX-3 an external link opens in a new tab and sends no referrer', () => {
  using page = show(settled('[words](https://example.org/a) and mail@example.org'))
  const link = page.getByRole('link', { name: /words/ })
  expect(link.getAttribute('href')).toBe('https://example.org/a')
  expect(link.getAttribute('target')).toBe('_blank')
  expect(link.getAttribute('rel')).toBe('noopener noreferrer')
  expect(page.getByRole('link', { name: /mail/ }).getAttribute('href')).toBe('mailto:mail@example.org')
})

test('SX-3 SX-11 a remote image is fetched only when the reader asks, in a frame of its own', () => {
  using page = show(settled('![A leaf](https://images.example.org/leaf.png?secret=1)'))
  expect(page.container.querySelector('iframe, img')).toBeNull()
  fireEvent.click(page.getByRole('button', { name: /Load image from images.example.org/ }))
  const frame = page.getByTitle('A leaf')
  expect(frame.getAttribute('src')).toBe(
    `/frames/image?url=${encodeURIComponent('https://images.example.org/leaf.png?secret=1')}`,
  )
  expect(frame.getAttribute('sandbox')).toBe('allow-scripts')
  expect(frame.getAttribute('referrerpolicy')).toBe('no-referrer')
})

test('UI-6 an image in its frame takes the size that the frame reports, and says when it can’t be loaded', () => {
  using page = show(settled('![A leaf](https://images.example.org/leaf.png)'))
  fireEvent.click(page.getByRole('button', { name: /Load image/ }))
  const frame = page.container.querySelector('iframe')
  if (frame === null) throw new Error('There is no frame.')
  const post = (data: unknown, source: Window | null) =>
    act(() => void window.dispatchEvent(new MessageEvent('message', { data, source })))
  post({ size: { width: 40, height: 20 } }, window)
  expect(frame.style.aspectRatio).toBe('320 / 180')
  post({ size: { width: 400, height: 200 } }, frame.contentWindow)
  expect(frame.style.aspectRatio).toBe('400 / 200')
  expect(frame.style.colorScheme).toBe('light')
  post({ size: null }, frame.contentWindow)
  expect(page.getByText(/The image from images.example.org can’t be loaded/)).toBeTruthy()
})

test.each([
  'data:image/svg+xml,<svg/>',
  'javascript:alert(1)',
  '/same-origin.png',
  'http://images.example.org/a.png',
])('SX-3 an image at %s is never offered', (src) => {
  using page = show(settled(`![A leaf](<${src}>)`))
  expect(page.queryByRole('button')).toBeNull()
  expect(page.container.querySelector('img')).toBeNull()
})

test('UI-23 headings of a reply are one level under it, whatever level they have in the text', () => {
  using page = show(settled('### Small\n\n# Large'))
  expect(page.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)).toEqual([
    'Small',
    'Large',
  ])
})
