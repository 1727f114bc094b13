// @vitest-environment happy-dom
import { createEvent, fireEvent } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useListNavigation } from '../primitives/use-list-navigation.ts'
import { show } from '../testing/show.tsx'
import type { SlashCommand } from './slash-command.ts'
import { SlashMenu } from './slash-menu.tsx'

afterEach(() => void vi.restoreAllMocks())

const commands: SlashCommand[] = [
  { name: 'model', description: 'Choose a model' },
  { name: 'rename', description: 'Name this chat', takes: 'title' },
]

type MenuFacts = { commands?: readonly SlashCommand[]; onChoose?: (index: number) => void; scrolls?: boolean }

function Menu({ commands: shown = commands, onChoose = () => undefined, scrolls = false }: MenuFacts) {
  const list = useListNavigation(shown.length, '/', onChoose)
  return (
    <div data-testid="scroller" style={{ overflowY: scrolls ? 'auto' : 'visible' }}>
      <div data-testid="composer">
        <SlashMenu commands={shown} list={list} onChoose={onChoose} />
      </div>
    </div>
  )
}

/** Places the elements with a test id so many pixels under the top of the window. */
function place(tops: Record<string, number>) {
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    return new DOMRect(0, tops[this.dataset['testid'] ?? ''] ?? 0, 100, 100)
  })
}

test('UI-12 a command shows its name, what it takes and what it does', () => {
  using page = show(<Menu />)
  expect(page.getByRole('listbox', { name: 'Commands' })).toBeTruthy()
  expect(
    page.getAllByRole('option').map((row) => [...row.children].map((piece) => piece.textContent)),
  ).toEqual([
    ['/model', 'Choose a model'],
    ['/rename', 'title', 'Name this chat'],
  ])
})

test('UI-12 where no command fits the list says that the words are sent, and has no option', () => {
  using page = show(<Menu commands={[]} />)
  expect(page.getByRole('listbox').textContent).toBe('No such command: it is sent as text.')
  expect(page.queryByRole('option')).toBeNull()
})

test('UI-12 a press on a command takes the focus from no field, and a click chooses it', () => {
  const onChoose = vi.fn()
  using page = show(<Menu onChoose={onChoose} />)
  const row = page.getByRole('option', { name: /rename/ })
  const press = createEvent.pointerDown(row)
  fireEvent(row, press)
  expect(press.defaultPrevented).toBe(true)
  fireEvent.click(row)
  expect(onChoose.mock.calls).toEqual([[1]])
})

test('UI-12 a pointer makes a command the selected one', () => {
  using page = show(<Menu />)
  const selected = () => page.getAllByRole('option').map((row) => row.getAttribute('aria-selected'))
  expect(selected()).toEqual(['true', 'false'])
  fireEvent.pointerMove(page.getByRole('option', { name: /rename/ }))
  expect(selected()).toEqual(['false', 'true'])
})

test.each<[where: string, tops: Record<string, number>, scrolls: boolean, height: string]>([
  ['with much space above the list is 288 pixels high', { composer: 700 }, false, '288px'],
  ['with less the list ends 8 pixels under the top of the window', { composer: 216 }, false, '200px'],
  ['without space the list keeps 96 pixels', { composer: 20 }, false, '96px'],
  ['what scrolls around it cuts the space', { composer: 400, scroller: 200 }, true, '184px'],
  ['what does not scroll cuts nothing', { composer: 400, scroller: 200 }, false, '288px'],
  ['a top that is above the window counts as the window’s', { composer: 216, scroller: -500 }, true, '200px'],
])('UI-12 %s', (_, tops, scrolls, height) => {
  place(tops)
  using page = show(<Menu scrolls={scrolls} />)
  expect(page.getByRole('listbox').style.maxHeight).toBe(height)
})
