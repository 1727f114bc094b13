// @vitest-environment happy-dom

import { modelCost } from '@palimpsest/core/domain'
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { sampleModel } from '../testing/samples.ts'
import { show } from '../testing/show.tsx'
import { modelGroups } from './model-groups.ts'
import { ModelPicker } from './model-picker.tsx'

const opus = sampleModel('opus', { variants: [{ id: 'high', label: 'High' }] })
const mini = sampleModel('mini', { contextLimit: 8_000 })
const local = sampleModel('local', {
  providerId: 'home',
  providerLabel: 'Home',
  contextLimit: null,
  prices: { input: null, output: null, cacheRead: null, cacheWrite: null },
})
const demo = sampleModel('demo', { providerId: 'demo', providerLabel: 'Built in', demo: true })
const models = [opus, mini, local, demo]
const ref = (model: typeof opus) => ({ providerId: model.providerId, modelId: model.modelId })

test('UI-13 recents come first, once each, then providers', () => {
  const groups = modelGroups(models, [ref(mini), { ...ref(mini), variant: 'x' }, ref(demo)], '', 'Recent')
  expect(groups.map((group) => [group.label, group.models.map((model) => model.modelId)])).toEqual([
    ['Recent', ['mini', 'demo']],
    ['Acme', ['opus', 'mini']],
    ['Home', ['local']],
    ['Built in', ['demo']],
  ])
})

test('UI-13 a search looks at names and providers, and leaves recents out', () => {
  expect(modelGroups(models, [ref(opus)], 'home lo', 'Recent').map((group) => group.id)).toEqual(['home'])
})

test('UI-13 the list is used by keyboard alone', () => {
  const onChange = vi.fn()
  using page = show(<ModelPicker models={models} value={ref(opus)} onChange={onChange} />)
  fireEvent.click(page.getByRole('button', { name: /Model: opus/ }))
  const search = page.getByRole('combobox', { name: 'Search models' })
  fireEvent.keyDown(search, { key: 'ArrowDown' })
  expect(document.getElementById(search.getAttribute('aria-activedescendant') ?? '')?.textContent).toContain(
    'mini',
  )
  fireEvent.keyDown(search, { key: 'Enter' })
  expect(onChange.mock.calls).toEqual([[ref(mini)]])
})

test('UI-13 rows tell window, price and that a model is too small', () => {
  using page = show(
    <ModelPicker models={models} value={ref(opus)} onChange={vi.fn()} usedTokens={9_000} open />,
  )
  const row = (name: RegExp) => page.getByRole('option', { name })
  expect(row(/^opus/).textContent).toContain('200k context·$3.00 in · $15.00 out')
  expect(row(/^opus/).getAttribute('aria-selected')).toBe('true')
  expect(row(/^mini/).textContent).toContain('Smaller than this conversation')
  expect(row(/^local/).textContent).toContain('context unknown')
})

test('UI-13 a variant is chosen and given back', () => {
  const onChange = vi.fn()
  using page = show(<ModelPicker models={models} value={ref(opus)} onChange={onChange} open />)
  fireEvent.click(page.getByRole('radio', { name: 'High' }))
  page.rerender(
    <ModelPicker models={models} value={{ ...ref(opus), variant: 'high' }} onChange={onChange} open />,
  )
  fireEvent.click(page.getByRole('radio', { name: 'Default' }))
  expect(onChange.mock.calls).toEqual([[{ ...ref(opus), variant: 'high' }], [ref(opus)]])
})

test('UI-10 a cost is known only with prices, and counts reasoning as output', () => {
  const counts = { input: 1_000_000, output: 500_000, reasoning: 500_000, cacheRead: 0, cacheWrite: 0 }
  expect(modelCost(counts, opus.prices)).toBe(18)
  expect(modelCost(counts, local.prices)).toBeNull()
})
