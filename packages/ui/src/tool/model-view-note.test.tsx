// @vitest-environment happy-dom
import type { CondensedOutput } from '@palimpsest/core/domain'
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { toolCall } from '../testing/samples.ts'
import { show } from '../testing/show.tsx'
import { ModelViewNote, modelViewOf } from './model-view-note.tsx'
import { ToolCall } from './tool-call.tsx'

const condensed: CondensedOutput = {
  text: 'Three galls, one oak.',
  model: { providerId: 'acme', modelId: 'mini' },
  ofCharacters: 9_000,
  beforeTokens: 12_400,
  afterTokens: 300,
  spentTokens: 50,
}

test('PR-1 a result that was dropped says so, whatever else is stored of it', () => {
  using page = show(<ModelViewNote condensed={condensed} pruned onUseFullResult={vi.fn()} />)
  expect(page.container.textContent).toBe('The model no longer reads this result. It is still stored.')
  expect(page.queryByRole('button')).toBeNull()
})

test('PR-4 a result that the model reads as it is stored has no note', () => {
  using page = show(<ModelViewNote condensed={null} pruned={false} onUseFullResult={vi.fn()} />)
  expect(page.container.textContent).toBe('')
})

test('PR-4 a condensed result names its tokens before and after, and opens to its text and its model', () => {
  using page = show(<ModelViewNote condensed={condensed} pruned={false} />)
  const head = page.getByRole('button', {
    name: 'The model reads a condensed result: 300 instead of 12.4k tokens',
  })
  expect(page.queryByText('Three galls, one oak.')).toBeNull()
  fireEvent.click(head)
  expect(page.getByRole('region', { name: 'Condensed by mini' }).querySelector('pre')?.textContent).toBe(
    'Three galls, one oak.',
  )
})

test('PR-4 the full result and the condensed one are offered in turn', () => {
  const onUse = vi.fn()
  using page = show(<ModelViewNote condensed={condensed} pruned={false} onUseFullResult={onUse} />)
  fireEvent.click(page.getByRole('button', { name: 'Use the full result' }))
  page.rerender(
    <ModelViewNote condensed={{ ...condensed, unused: true }} pruned={false} onUseFullResult={onUse} />,
  )
  expect(page.container.textContent).toContain('The model reads the full result of 12.4k tokens')
  fireEvent.click(page.getByRole('button', { name: 'Use the condensed result' }))
  expect(onUse.mock.calls).toEqual([[true], [false]])
})

test('PR-4 where it can’t be changed what the model reads, no button is there', () => {
  using page = show(<ModelViewNote condensed={condensed} pruned={false} />)
  expect(page.getAllByRole('button')).toHaveLength(1)
})

test('PR-4 a note belongs to the call of its id, and a choice names that call', () => {
  const onUse = vi.fn()
  const views = { condensed: { c1: condensed }, onUseFullResult: onUse }
  expect(modelViewOf(views, 'c1', 0).condensed).toBe(condensed)
  expect(modelViewOf(views, 'c2', 0).condensed).toBeNull()
  modelViewOf(views, 'c2', 0).onUseFullResult?.(true)
  expect(onUse.mock.calls).toEqual([['c2', true]])
})

test.each(['constructor', 'toString', '__proto__'])(
  'PR-4 a call of the id %s has no note of its own',
  (id) => {
    expect(modelViewOf({ condensed: {} }, id, 0)).toEqual({
      condensed: null,
      pruned: false,
      onUseFullResult: undefined,
    })
  },
)

test('PR-1 a result is dropped by the place of its part, not by its place among the calls', () => {
  expect(modelViewOf({ prunedParts: [3] }, 'c', 3).pruned).toBe(true)
  expect(modelViewOf({ prunedParts: [3] }, 'c', 0).pruned).toBe(false)
  expect(modelViewOf({}, 'c', 0).pruned).toBe(false)
})

test('PR-1 a dropped result is still shown in its call', () => {
  const part = toolCall('read', { path: 'a.ts' }, 'the whole file')
  using page = show(<ToolCall part={part} live={false} modelView={{ condensed: null, pruned: true }} />)
  fireEvent.click(page.getByRole('button'))
  expect(page.getByRole('region', { name: 'Result' }).textContent).toContain('the whole file')
  expect(page.getByText(/no longer reads this result/)).toBeTruthy()
})

test('PR-4 a call that failed has no note on what the model reads of it', () => {
  const base = { type: 'dynamic-tool', toolName: 'read', toolCallId: 'c', input: {} } as const
  using page = show(
    <ToolCall
      part={{ ...base, state: 'output-error', errorText: 'No file' }}
      live={false}
      modelView={{ condensed, pruned: false }}
    />,
  )
  fireEvent.click(page.getByRole('button'))
  expect(page.queryByText(/condensed/)).toBeNull()
})
