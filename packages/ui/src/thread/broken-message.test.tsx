// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { ThreadRow, type ThreadRowProps } from './thread-row.tsx'

const row = (id: string, text: string, extras?: ThreadRowProps['extras']): ThreadRowProps => ({
  message: {
    id,
    role: 'assistant',
    metadata: { schemaVersion: 1, createdAt: 0 },
    parts: [{ type: 'text', text, state: 'done' }],
  },
  streaming: false,
  last: false,
  anchored: false,
  models: [],
  actions: {},
  extras,
})

function Broken(): never {
  throw new Error('It does not draw.')
}

test('SX-11 a message that fails to draw is shown as plain text, and the others stay', () => {
  const silent = vi.spyOn(console, 'error').mockReturnValue(undefined)
  const failing = { instead: () => <Broken /> }
  using page = show(
    <>
      <ThreadRow {...row('a', 'Words of the first', failing)} />
      <ThreadRow {...row('b', 'Words of the second')} />
    </>,
  )
  expect(page.getByText(/Shown as plain text/)).toBeTruthy()
  expect(page.getByText('Words of the first')).toBeTruthy()
  expect(page.getByText('Words of the second')).toBeTruthy()
  silent.mockRestore()
})

test('SX-11 a part that fails to draw leaves the rest of its message', () => {
  const silent = vi.spyOn(console, 'error').mockReturnValue(undefined)
  const props = row('a', 'Words')
  // What an older version or another program has stored.
  const parts = JSON.parse('[{"type":"text","text":null},{"type":"step-start"}]')
  using page = show(
    <ThreadRow {...props} message={{ ...props.message, parts: [...parts, ...props.message.parts] }} />,
  )
  expect(page.getAllByText(/Shown as plain text/)).toHaveLength(1)
  expect(page.getByText('Words')).toBeTruthy()
  silent.mockRestore()
})
