// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import fc from 'fast-check'
import { type KeyboardEvent, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { ListGroup, ListOption, ListSearch } from './search-list.tsx'
import { useListNavigation } from './use-list-navigation.ts'

type Facts = {
  groups: Record<string, string[]>
  chosen?: string
  onChoose?: (index: number) => void
  onKeyDown?: (event: KeyboardEvent) => void
}

function SearchedList({ groups, chosen, onChoose = () => undefined, onKeyDown }: Facts) {
  const [query, setQuery] = useState('')
  const flat = Object.values(groups).flat()
  const list = useListNavigation(flat.length, query, onChoose)
  return (
    <>
      <ListSearch
        list={list}
        label="Search"
        placeholder="Words"
        count={flat.length}
        query={query}
        onQueryChange={setQuery}
        {...(onKeyDown && { onKeyDown })}
      />
      <div id={list.listId} role="listbox" aria-label="Found">
        {Object.entries(groups).map(([label, options]) => (
          <ListGroup key={label} label={label}>
            {options.map((option) => {
              const at = flat.indexOf(option)
              return (
                <ListOption
                  key={option}
                  list={list}
                  at={at}
                  {...(chosen !== undefined && { selected: option === chosen })}
                  onChoose={() => onChoose(at)}
                  className="px-3"
                >
                  {option}
                </ListOption>
              )
            })}
          </ListGroup>
        ))}
      </div>
    </>
  )
}

function open(facts: Facts) {
  const page = show(<SearchedList {...facts} />)
  const search = page.getByRole('combobox', { name: 'Search' })
  const active = () =>
    document.getElementById(search.getAttribute('aria-activedescendant') ?? '')?.textContent ?? null
  const selected = () =>
    page
      .queryAllByRole('option')
      .filter((row) => row.getAttribute('aria-selected') === 'true')
      .map((row) => row.textContent)
  return Object.assign(page, { search, active, selected })
}

const GROUPS = { Chats: ['Iron', 'Oak'], Actions: ['New', 'Help'] }

test('UI-3 the search field names the list that its keys lead', () => {
  using page = open({ groups: GROUPS })
  const list = page.getByRole('listbox', { name: 'Found' })
  expect(page.search.getAttribute('aria-controls')).toBe(list.id)
  expect(page.search.getAttribute('aria-expanded')).toBe('true')
  expect(page.search.getAttribute('placeholder')).toBe('Words')
})

test('UI-3 options are in groups that are named once to a screen reader', () => {
  using page = open({ groups: GROUPS })
  const group = page.getByRole('group', { name: 'Chats' })
  expect([...group.querySelectorAll('[role=option]')].map((row) => row.textContent)).toEqual(['Iron', 'Oak'])
  expect(group.querySelector('p')?.getAttribute('aria-hidden')).toBe('true')
})

test('UI-3 a list without options names no active one', () => {
  using page = open({ groups: {} })
  expect(page.search.hasAttribute('aria-activedescendant')).toBe(false)
  expect(page.search.hasAttribute('aria-controls')).toBe(true)
})

test('UI-3 where nothing is chosen the active option is announced as the selected one', () => {
  using page = open({ groups: GROUPS })
  expect(page.selected()).toEqual(['Iron'])
  fireEvent.keyDown(page.search, { key: 'ArrowUp' })
  expect([page.active(), page.selected()]).toEqual(['Help', ['Help']])
})

test('UI-13 where one is chosen it stays the selected one while the arrows go on', () => {
  using page = open({ groups: GROUPS, chosen: 'Oak' })
  fireEvent.keyDown(page.search, { key: 'ArrowUp' })
  expect([page.active(), page.selected()]).toEqual(['Help', ['Oak']])
})

test('UI-3 the arrows pass from the last option of a group to the first of the next', () => {
  using page = open({ groups: GROUPS })
  fireEvent.keyDown(page.search, { key: 'ArrowDown' })
  fireEvent.keyDown(page.search, { key: 'ArrowDown' })
  expect(page.active()).toBe('New')
})

test('UI-3 a pointer makes the option under it active, from which the arrows go on', () => {
  using page = open({ groups: GROUPS })
  fireEvent.pointerMove(page.getByRole('option', { name: 'New' }))
  expect(page.active()).toBe('New')
  fireEvent.keyDown(page.search, { key: 'ArrowUp' })
  expect(page.active()).toBe('Oak')
})

test('UI-3 a pointer that rests on an option scrolls the list once', () => {
  using page = open({ groups: GROUPS })
  const row = page.getByRole('option', { name: 'Oak' })
  const scrolled = vi.spyOn(row, 'scrollIntoView')
  fireEvent.pointerMove(row)
  fireEvent.pointerMove(row)
  fireEvent.pointerMove(row)
  expect(scrolled.mock.calls).toEqual([[{ block: 'nearest' }]])
})

test('UI-3 a click chooses the option that is clicked, whichever is active', () => {
  const onChoose = vi.fn()
  using page = open({ groups: GROUPS, onChoose })
  fireEvent.click(page.getByRole('option', { name: 'Help' }))
  expect(onChoose.mock.calls).toEqual([[3]])
  expect(page.active()).toBe('Iron')
})

test('UI-3 options are outside the order of Tab: the field keeps the focus', () => {
  using page = open({ groups: GROUPS })
  for (const row of page.getAllByRole('option')) expect(row.tabIndex).toBe(-1)
})

test('UI-3 a list with keys of its own gets each of them, and none moves the active option', () => {
  const onKeyDown = vi.fn()
  using page = open({ groups: GROUPS, onKeyDown })
  for (const key of ['ArrowDown', 'Enter', 'a']) fireEvent.keyDown(page.search, { key })
  expect(onKeyDown).toHaveBeenCalledTimes(3)
  expect(page.active()).toBe('Iron')
})

test('UI-3 after any keys exactly one option is active, and Enter chooses that one', () => {
  const keys = fc.array(fc.constantFrom('ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'x'))
  const counts = fc.integer({ min: 1, max: 20 })
  fc.assert(
    fc.property(counts, keys, (count, pressed) => {
      const onChoose = vi.fn<(index: number) => void>()
      const options = Array.from({ length: count }, (_, at) => `Option ${at}`)
      using page = open({ groups: { All: options }, onChoose })
      for (const key of pressed) fireEvent.keyDown(page.search, { key })
      expect(page.selected()).toEqual([page.active()])
      fireEvent.keyDown(page.search, { key: 'Enter' })
      expect(onChoose.mock.calls.map(([index]) => options[index])).toEqual([page.active()])
    }),
    { numRuns: 25 },
  )
})
