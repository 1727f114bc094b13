// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { sampleSession } from '../testing/samples.ts'
import { show } from '../testing/show.tsx'
import type { SidebarSession } from './group-sessions.ts'
import { SessionRow, type SessionRowProps } from './session-row.tsx'

function row(facts: Partial<SidebarSession> = {}, props: Partial<SessionRowProps> = {}) {
  const actions = {
    hrefFor: (id: string, messageId?: string) => (messageId ? `/c/${id}#${messageId}` : `/c/${id}`),
    onSelect: vi.fn(),
    onRename: vi.fn(),
    onArchive: vi.fn(),
    onUnarchive: vi.fn(),
    onDelete: vi.fn(),
    onRestore: vi.fn(),
    onPurge: vi.fn(),
  }
  const session = sampleSession('s', { title: 'Iron gall', ...facts })
  const page = show(
    <ul>
      <SessionRow session={session} depth={0} selected={false} now={0} actions={actions} {...props} />
    </ul>,
  )
  return Object.assign(page, { actions })
}

const found = (text: string, hit: string) => ({ found: { messageId: 'msg', text, hit } })

/** What is before the words that a search found, and those words. */
function marked(text: string, hit: string): [before: string, words: string, whole: string] {
  using page = row(found(text, hit))
  const mark = page.container.querySelector('mark')
  return [
    mark?.previousSibling?.textContent ?? '',
    mark?.textContent ?? '',
    mark?.parentElement?.textContent ?? '',
  ]
}

test.each<[why: string, text: string, hit: string, before: string]>([
  ['the first place', 'ink and ink', 'ink', ''],
  ['a word, not the end of one before it', 'the start of art', 'art', 'the start of '],
  ['a word, not the beginning of one before it', 'an inkwell of ink', 'ink', 'an inkwell of '],
  ['a word, not the middle of one before it', 'drinking ink.', 'ink', 'drinking '],
  ['a word beside signs', '(ink), inks', 'ink', '('],
  ['a word in a script without spaces', '鉄墨と墨', '墨', '鉄'],
  ['a word with accents', 'café, fé', 'fé', 'café, '],
])('UI-1 a search marks %s', (_, text, hit, before) => {
  expect(marked(text, hit)).toEqual([before, hit, text])
})

test('UI-1 a text without a hit is shown whole, with nothing marked', () => {
  expect(marked('no mark', '')).toEqual(['', '', 'no mark'])
})

test('UI-1 the text that was found is always shown whole and once, with a hit that is in it', () => {
  const words = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '.', '墨'), maxLength: 8 })
  fc.assert(
    fc.property(words, words, words, (before, hit, after) => {
      const text = `${before}${hit}${after}`
      const [, shown, whole] = marked(text, hit)
      expect([shown, whole]).toEqual([hit, text])
    }),
    { numRuns: 40 },
  )
})

test('UI-1 a chat that was found leads to the message in which it was', () => {
  using page = row(found('ink', 'ink'))
  const link = page.getByRole('link')
  expect(link.getAttribute('href')).toBe('/c/s#msg')
  fireEvent.click(link)
  expect(page.actions.onSelect.mock.calls).toEqual([['s', 'msg']])
})

test('UI-1 only the chat that is open is the current page', () => {
  using page = row({}, { selected: true })
  expect(page.getByRole('link').getAttribute('aria-current')).toBe('page')
})

test('UI-1 other chats have no state of a page', () => {
  using page = row()
  expect(page.getByRole('link').hasAttribute('aria-current')).toBe(false)
})

test.each([
  [0, 0],
  [1, 1],
  [4, 4],
  [5, 4],
  [40, 4],
])(
  'UI-1 a branch %i steps deep is indented by %i, so that its title stays in the sidebar',
  (depth, steps) => {
    using page = row({}, { depth })
    expect(page.getByRole('listitem').getAttribute('style')).toContain(`calc(${steps} *`)
    expect(page.queryByLabelText('branch') !== null).toBe(depth > 0)
  },
)

test.each(['F2', 'double click'])(
  'UI-1 %s opens the name of a chat, and the new one is given with its id',
  (way) => {
    using page = row()
    const link = page.getByRole('link')
    if (way === 'F2') fireEvent.keyDown(link, { key: 'F2' })
    else fireEvent.doubleClick(link)
    const field = page.getByRole('textbox', { name: 'Name of the chat' })
    expect(page.queryByRole('link')).toBeNull()
    fireEvent.change(field, { target: { value: 'Oak gall' } })
    fireEvent.keyDown(field, { key: 'Enter' })
    expect(page.actions.onRename.mock.calls).toEqual([['s', 'Oak gall']])
    expect(document.activeElement).toBe(page.getByRole('link'))
  },
)

test('UI-32 a chat in the bin is no link: it is restored first', () => {
  using page = row({ deletedAt: 0 })
  expect(page.queryByRole('link')).toBeNull()
  expect(page.queryByRole('button', { name: 'Actions for Iron gall' })).toBeNull()
  fireEvent.click(page.getByRole('button', { name: 'Restore Iron gall' }))
  expect(page.actions.onRestore.mock.calls).toEqual([['s']])
})

test('UI-1 the title of a chat has the direction of its own script, and markup in it is text', () => {
  using page = row({ title: '<img src=x onerror=alert(1)> שלום' })
  expect(page.getByText(/שלום/).getAttribute('dir')).toBe('auto')
  expect(page.container.querySelector('img')).toBeNull()
})

test('UI-1 the menu of an archived chat offers the way back in the place of Archive', async () => {
  using page = row({ archivedAt: 1 })
  fireEvent.click(page.getByRole('button', { name: 'Actions for Iron gall' }))
  const items = await page.findAllByRole('menuitem')
  expect(items.map((item) => item.textContent)).toEqual(['Rename', 'Restore from archive', 'Delete…'])
})
