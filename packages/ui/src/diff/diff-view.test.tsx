// @vitest-environment happy-dom
import type { FileChange } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { show } from '../testing/show.tsx'
import { diffLines } from './diff-lines.ts'
import { DiffView } from './diff-view.tsx'

const change: FileChange = {
  path: 'src/ink.ts',
  diff: '--- a/src/ink.ts\n+++ b/src/ink.ts\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+3\n',
  added: 2,
  removed: 1,
}

const lines = (page: ReturnType<typeof show>) =>
  [...page.container.querySelectorAll('pre > span')].map(({ textContent }) => textContent)

test('UI-9 a change is named by its path, with its counts in words and signs', () => {
  using page = show(<DiffView change={change} />)
  const view = page.getByRole('region', { name: 'Changes of src/ink.ts' })
  expect(view.querySelector('header')?.textContent).toMatch(/^src\/ink\.ts.*\+2 .*−1$/)
  expect(lines(page)).toEqual([' one', '−two', '+2', '+3'])
})

test('UI-9 the headers of the two files are no lines of a change', () => {
  using page = show(<DiffView change={change} />)
  expect(page.container.querySelector('pre')?.textContent).not.toContain('a/src')
})

test('UI-9 only a new file is called new, and only a cut difference is called cut', () => {
  using page = show(<DiffView change={change} />)
  const before = page.container.textContent
  page.rerender(<DiffView change={{ ...change, created: true }} />)
  expect(page.container.textContent).not.toBe(before)
  expect(page.queryByText('The rest of this difference is not shown.')).toBeNull()
  page.rerender(<DiffView change={{ ...change, truncated: true }} />)
  expect(page.getByText('The rest of this difference is not shown.')).toBeTruthy()
})

test('UI-23 the lines of a change are reached by keyboard, and its signs are not copied with them', () => {
  using page = show(<DiffView change={change} />)
  expect(page.container.querySelector('pre')?.tabIndex).toBe(0)
  for (const line of page.container.querySelectorAll('pre > span'))
    expect(line.firstElementChild?.className).toContain('select-none')
})

test.each([
  ['a change of direction', 'if (\u202Eadmin)', 'if (\\u{202e}admin)'],
  ['a sign without width', 'na\u200Bme', 'na\\u{200b}me'],
  ['a carriage return', 'line\r', 'line\\u{d}'],
  ['an escape', '\u001B[2Khidden', '\\u{1b}[2Khidden'],
  ['a byte order mark', '\uFEFFimport', '\\u{feff}import'],
])('UI-16 in a line of a change %s is written as its code', (_, text, shown) => {
  using page = show(<DiffView change={{ ...change, diff: `@@ -1 +1 @@\n+${text}\n` }} />)
  expect(lines(page)).toEqual([`+${shown}`])
})

test('UI-16 a path with unseen characters is written with their codes', () => {
  using page = show(<DiffView change={{ ...change, path: 'a\u202Est.exe' }} />)
  expect(page.getByRole('region', { name: 'Changes of a\\u{202e}st.exe' })).toBeTruthy()
  expect(page.container.querySelector('header')?.textContent).toContain('a\\u{202e}st.exe')
})

test('SX-3 a line of a change is text, whatever it looks like', () => {
  using page = show(<DiffView change={{ ...change, diff: '@@ -0,0 +1 @@\n+<img src=x><b>x</b>\n' }} />)
  expect(page.container.querySelector('img, b')).toBeNull()
  expect(lines(page)).toEqual(['+<img src=x><b>x</b>'])
})

test('UI-9 an empty line of a change keeps its place', () => {
  using page = show(<DiffView change={{ ...change, diff: '@@ -1,2 +1 @@\n-\n \n+\n' }} />)
  expect(lines(page)).toEqual(['− ', '  ', '+ '])
})

test('UI-9 a gap is between the hunks of a change, and none before the first', () => {
  using page = show(
    <DiffView change={{ ...change, diff: '@@ -1 +1 @@\n-a\n@@ -9 +9 @@ function x()\n-b\n' }} />,
  )
  expect(lines(page)).toEqual(['−a', '⋯ ', '−b'])
})

test('UI-9 a change without a difference is its path and its counts', () => {
  for (const diff of ['', '\n', 'Binary files differ', '--- a\n+++ b\n']) {
    using page = show(<DiffView change={{ ...change, diff }} />)
    expect(lines(page)).toEqual([])
    expect(page.getByRole('region', { name: 'Changes of src/ink.ts' })).toBeTruthy()
  }
})

test('UI-9 lines that look like the marks of a difference are lines', () => {
  const texts = ['@@ -1 +1 @@', '--- a', '+++ b', '\\ No newline', '']
  const diff = `@@ -1,5 +1,5 @@\n${texts.map((text) => `+${text}`).join('\n')}\n`
  expect(diffLines(diff)).toEqual(texts.map((text) => ({ kind: 'added', text })))
})

const signs = { added: '+', removed: '-', same: ' ' } as const
const text = fc.string({ maxLength: 12 }).filter((line) => !/\n/.test(line))
const line = fc.record({ kind: fc.constantFrom('added', 'removed', 'same'), text })
const hunks = fc.array(fc.array(line, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 })

test('UI-9 every line of every hunk is in the list, in its order and as it is', () => {
  fc.assert(
    fc.property(hunks, (all) => {
      const body = all.map((hunk) => hunk.map((one) => `${signs[one.kind]}${one.text}\n`).join(''))
      const diff = `--- a\n+++ b\n${body.map((piece) => `@@ -1 +1 @@\n${piece}`).join('')}`
      const shown = diffLines(diff)
      expect(shown.filter(({ kind }) => kind !== 'gap')).toEqual(all.flat())
      expect(shown.filter(({ kind }) => kind === 'gap')).toHaveLength(all.length - 1)
    }),
  )
})

test('UI-9 whatever a difference holds, it can be drawn', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('@@', '\n', '+', '-', ' ', '\\', 'x', '\r', '@')), (pieces) => {
      using page = show(<DiffView change={{ ...change, diff: pieces.join('') }} />)
      expect(lines(page)).toHaveLength(diffLines(pieces.join('')).length)
    }),
    { numRuns: 40 },
  )
})
