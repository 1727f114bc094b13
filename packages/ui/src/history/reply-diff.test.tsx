// @vitest-environment happy-dom
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { en } from '../messages/en.ts'
import { MessagesProvider } from '../messages/messages-context.tsx'
import { type Shown, show } from '../testing/show.tsx'
import { ReplyDiff } from './reply-diff.tsx'

const marks = (page: Shown) =>
  [...page.container.querySelectorAll('mark')].map(({ textContent }) => textContent)
const body = (page: Shown) => page.container.querySelector('[dir=auto]')

/** What a side shows: its text without the marked words. */
function shared(own: string, other: string): string {
  using page = show(<ReplyDiff own={own} other={other} />)
  for (const mark of page.container.querySelectorAll('mark')) mark.remove()
  return body(page)?.textContent ?? ''
}

test.each<[string, string, string, string[]]>([
  ['Iron ink.', 'Gall ink.', '1 word is only here.', ['Iron']],
  ['Iron gall ink.', 'Ink.', '3 words are only here.', ['Iron gall ink']],
  ['Ink.', 'Ink.', 'No word is only here.', []],
  ['Ink', 'Ink and wax', 'No word is only here.', []],
  ['Ink!', 'Ink.', 'No word is only here.', ['!']],
  ['', 'Ink', 'No word is only here.', []],
  ['Ink', '', '1 word is only here.', ['Ink']],
  ['Ink Ink', 'Ink', '1 word is only here.', [' Ink']],
])('UI-34 of %j beside %j it is said that %s', (own, other, words, marked) => {
  using page = show(<ReplyDiff own={own} other={other} />)
  expect(page.getByText(words)).toBeDefined()
  expect(marks(page)).toEqual(marked)
  expect(body(page)?.textContent).toBe(own)
})

test('UI-34 words that differ by their case only are different words', () => {
  using page = show(<ReplyDiff own="Ink is ink" other="ink is Ink" />)
  expect(marks(page)).toEqual(['Ink', 'ink'])
})

test('UI-34 replies that are too long are not compared, and it is said so', () => {
  using page = show(<ReplyDiff own={'x'.repeat(100_001)} other={'y'.repeat(100_000)} />)
  expect(page.getByText(en.history.compare.tooDifferent)).toBeDefined()
  expect(body(page)).toBeNull()
})

test('UI-34 a side is compared again when the other side is another reply', () => {
  using page = show(<ReplyDiff own="Iron ink" other="Gall ink" />)
  page.rerender(<ReplyDiff own="Iron ink" other="Iron wax" />)
  expect(marks(page)).toEqual(['ink'])
})

test('UI-25 the number of words follows the locale', () => {
  const many = Array.from({ length: 1_200 }, (_, at) => `w${at}`).join(' ')
  using page = show(
    <MessagesProvider messages={en} locale="de">
      <ReplyDiff own={many} other="" />
    </MessagesProvider>,
  )
  expect(page.getByText('1.200 words are only here.')).toBeDefined()
})

test('SX-3 markup in a compared reply stays text, whether it is marked or not', () => {
  using page = show(
    <ReplyDiff
      own="<b>Ink</b> <img src=x onerror=alert(1)>"
      other="<b>Ink</b> and [wax](https://example.org)"
    />,
  )
  expect(page.container.querySelector('b, img, a')).toBeNull()
  expect(body(page)?.textContent).toBe('<b>Ink</b> <img src=x onerror=alert(1)>')
})

test('UI-34 lines of a compared reply stay lines', () => {
  using page = show(<ReplyDiff own={'One\n\n- two'} other={'One\n\n- three'} />)
  expect(body(page)?.textContent).toBe('One\n\n- two')
  expect(body(page)?.className).toContain('whitespace-pre-wrap')
})

test('UI-34 what neither side has marked is the same on both', () => {
  expect(shared('ink wax', 'wax ink')).toBe(shared('wax ink', 'ink wax'))
  const word = fc.constantFrom('ink', 'wax', 'pen', ' ', ', ', '東京', '\n')
  const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(''))
  fc.assert(
    fc.property(text, text, (left, right) => {
      expect(shared(left, right)).toBe(shared(right, left))
    }),
  )
})

test('UI-34 every side shows the whole of its reply', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (own, other) => {
      using page = show(<ReplyDiff own={own} other={other} />)
      expect(body(page)?.textContent).toBe(own)
    }),
  )
})
