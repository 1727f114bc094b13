// @vitest-environment happy-dom
import { searchTerms } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { findRanges, markRanges, removeMarks } from './find-marks.ts'

afterEach(() => void vi.unstubAllGlobals())

function rootOf(html: string): HTMLElement {
  const root = document.createElement('div')
  root.innerHTML = html
  return root
}

function rangesIn(root: Element, query: string): Range[] {
  const terms = searchTerms(query)
  return terms === null ? [] : findRanges(root, terms)
}

/** A browser with highlights, by the names that the style sheet has. */
function withHighlights() {
  const shown = new Map<string, string[]>()
  class FakeHighlight {
    readonly texts: string[]
    constructor(...ranges: Range[]) {
      this.texts = ranges.map(String)
    }
  }
  vi.stubGlobal('Highlight', FakeHighlight)
  vi.stubGlobal('CSS', {
    highlights: {
      set: (name: string, { texts }: FakeHighlight) => void shown.set(name, texts),
      delete: (name: string) => shown.delete(name),
    },
  })
  return shown
}

test('UI-30 all matches are marked and the current one apart', () => {
  const shown = withHighlights()
  const ranges = rangesIn(rootOf('<p>ink and inks</p>'), 'ink')
  markRanges(ranges, ranges[1])
  expect(Object.fromEntries(shown)).toEqual({ find: ['ink', 'inks'], 'find-current': ['inks'] })
})

test('UI-30 without a current match none is marked apart, and new marks replace the old', () => {
  const shown = withHighlights()
  const ranges = rangesIn(rootOf('<p>ink and inks</p>'), 'ink')
  markRanges(ranges, ranges[0])
  markRanges([], undefined)
  expect(Object.fromEntries(shown)).toEqual({ find: [], 'find-current': [] })
})

test('UI-30 when find closes no mark stays', () => {
  const shown = withHighlights()
  const ranges = rangesIn(rootOf('<p>ink</p>'), 'ink')
  markRanges(ranges, ranges[0])
  removeMarks()
  expect(shown.size).toBe(0)
})

test.each([
  ['without CSS', { CSS: undefined }],
  ['without highlights', { CSS: {} }],
  ['without the class of a highlight', { CSS: { highlights: new Map() }, Highlight: undefined }],
])('UI-30 find works in a browser %s, without marks', (_, globals) => {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
  const ranges = rangesIn(rootOf('<p>ink</p>'), 'ink')
  expect(() => {
    markRanges(ranges, ranges[0])
    removeMarks()
  }).not.toThrow()
})

test.each([
  ['in a control', '<button>ink</button>'],
  ['deep in a control', '<button><span><b>ink</b></span></button>'],
  ['in the heading of something folded', '<details><summary>ink</summary></details>'],
  ['in a field', '<textarea>ink</textarea>'],
  ['hidden from screen readers', '<span aria-hidden="true"><i>ink</i></span>'],
  ['for screen readers alone', '<p class="sr-only">ink</p>'],
])('UI-30 text %s is not marked', (_, html) => {
  expect(rangesIn(rootOf(html), 'ink')).toEqual([])
})

test.each([
  ['in code', '<pre><code>ink = 1</code></pre>', 'ink', ['ink']],
  ['in a table', '<table><tbody><tr><td>ink</td><td>gall</td></tr></tbody></table>', 'ink', ['ink']],
  ['in the folded part', '<details><summary>more</summary><p>ink</p></details>', 'ink', ['ink']],
  ['before and after an element', '<p>ink <b>and</b> ink</p>', 'ink', ['ink', 'ink']],
  ['that is not hidden', '<p aria-hidden="false">ink</p>', 'ink', ['ink']],
  ['with an accent that is written apart', '<p>i\u0301nk</p>', 'ink', ['i\u0301nk']],
])('UI-30 text %s is marked', (_, html, query, marked) => {
  expect(rangesIn(rootOf(html), query).map(String)).toEqual(marked)
})

test('UI-30 a search without a word marks nothing', () => {
  expect(rangesIn(rootOf('<p>!? ink</p>'), '!?')).toEqual([])
})

test('UI-30 whatever a page says, marks are inside of one text, in order, and never overlap', () => {
  const word = fc.constantFrom('ink', 'Inks', 'íNK', 'drink', 'gall', '東京', '🖋️', ' ', '\n', '-')
  const texts = fc.array(
    fc.array(word, { maxLength: 8 }).map((list) => list.join(' ')),
    { maxLength: 5 },
  )
  fc.assert(
    fc.property(texts, fc.constantFrom('ink', 'gall ink', '京', 'i'), (paragraphs, query) => {
      const root = document.createElement('div')
      for (const text of paragraphs) root.appendChild(document.createElement('p')).textContent = text
      let [node, end]: [Node | null, number] = [null, 0]
      for (const range of rangesIn(root, query)) {
        expect(range.startContainer).toBe(range.endContainer)
        expect(range.endOffset).toBeGreaterThan(range.startOffset)
        if (range.startContainer === node) expect(range.startOffset).toBeGreaterThanOrEqual(end)
        ;[node, end] = [range.startContainer, range.endOffset]
        expect(String(range)).toBe(node.textContent?.slice(range.startOffset, end))
      }
    }),
  )
})
