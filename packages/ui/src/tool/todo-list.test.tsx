// @vitest-environment happy-dom
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toolCall } from '../testing/samples.ts'
import { show } from '../testing/show.tsx'
import { todoItems } from './todo-items.ts'
import { TodoList } from './todo-list.tsx'

test('UI-9 a to-do list counts what is done, and says the state of each item in words', () => {
  using page = show(
    <TodoList
      items={[
        { text: 'Grind', state: 'completed' },
        { text: 'Boil', state: 'in-progress' },
        { text: 'Strain', state: 'pending' },
        { text: 'Paint', state: 'cancelled' },
      ]}
    />,
  )
  const list = page.getByRole('region', { name: 'To-do list' })
  expect(list.textContent).toContain('1 of 4 done')
  const items = page.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(items).toEqual(['GrindDone', 'BoilIn progress', 'StrainTo do', 'PaintCancelled'])
})

test('UI-9 a cancelled item is struck out and does not count as done', () => {
  using page = show(<TodoList items={[{ text: 'Paint', state: 'cancelled' }]} />)
  expect(page.getByText('0 of 1 done')).toBeTruthy()
  expect(page.getByText('Paint').className).toContain('line-through')
})

test('UI-9 items of one text are all shown, in their order', () => {
  using page = show(
    <TodoList
      items={[
        { text: 'Stir', state: 'completed' },
        { text: 'Stir', state: 'pending' },
        { text: 'Stir', state: 'completed' },
      ]}
    />,
  )
  expect(page.getAllByText('Stir')).toHaveLength(3)
  expect(page.getByText('2 of 3 done')).toBeTruthy()
})

test('UI-9 an item is text, whatever it looks like', () => {
  const text = '<img src=x onerror=alert(1)> **bold**'
  using page = show(<TodoList items={[{ text, state: 'pending' }]} />)
  expect(page.getByText(text)).toBeTruthy()
  expect(page.container.querySelector('img, strong')).toBeNull()
})

const statesOf = (...statuses: unknown[]) =>
  todoItems(toolCall('todo', { items: statuses.map((status) => ({ text: 'Stir', status })) }))?.map(
    ({ state }) => state,
  )

test('UI-9 a status is read in both spellings', () => {
  expect(statesOf('pending', 'in_progress', 'in-progress', 'completed', 'done', 'cancelled')).toEqual([
    'pending',
    'in-progress',
    'in-progress',
    'completed',
    'completed',
    'cancelled',
  ])
})

test.each(['constructor', 'toString', '__proto__', 'valueOf', '', 'DONE', null, 1, true, undefined])(
  'UI-9 an item of the status %j is to do',
  (status) => {
    expect(statesOf(status)).toEqual(['pending'])
  },
)

test('UI-9 a status that can’t be made a text is to do', () => {
  expect(statesOf({ toString: 1 }, { toString: 1, valueOf: 1 }, [['done']], {})).toEqual([
    'pending',
    'pending',
    'pending',
    'pending',
  ])
})

test('UI-9 a list under the newer name is read before one under the other', () => {
  const both = { todos: [{ content: 'New' }], items: [{ text: 'Old' }] }
  expect(todoItems(toolCall('todo', both))).toEqual([{ text: 'New', state: 'pending' }])
  const nested = { todos: [{ text: 'Others', content: 'Words' }] }
  expect(todoItems(toolCall('todo', nested))?.[0]?.text).toBe('Words')
})

test('UI-9 a list without items is a list, and says so', () => {
  expect(todoItems(toolCall('todo', { items: [] }))).toEqual([])
  using page = show(<TodoList items={[]} />)
  expect(page.getByText('0 of 0 done')).toBeTruthy()
})

test('UI-9 whatever JSON a to-do call holds, its list can be drawn', () => {
  const status = fc.oneof(fc.jsonValue(), fc.constantFrom('done', 'constructor', '__proto__'))
  const item = fc.oneof(fc.jsonValue(), fc.record({ text: fc.string(), status }))
  fc.assert(
    fc.property(fc.array(item, { maxLength: 5 }), (items) => {
      const read = todoItems(toolCall('todo', { items })) ?? []
      using page = show(<TodoList items={read} />)
      expect(page.queryAllByRole('listitem')).toHaveLength(read.length)
      expect(read.length).toBeLessThanOrEqual(items.length)
    }),
    { numRuns: 40 },
  )
})
