// @vitest-environment happy-dom

import { modelCost } from '@palimpsest/core/domain'
import { fireEvent } from '@testing-library/react'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { sampleModel } from '../testing/samples.ts'
import { show } from '../testing/show.tsx'
import { findModel, modelLabel } from './find-model.ts'
import { modelGroups } from './model-groups.ts'
import type { ModelPickerProps } from './model-panel.tsx'
import { ModelPicker } from './model-picker.tsx'

const UNPRICED = { input: null, output: null, cacheRead: null, cacheWrite: null }
const opus = sampleModel('opus', {
  variants: [{ id: 'high', label: 'High' }],
  inputs: ['text', 'image', 'pdf'],
})
const mini = sampleModel('mini', { contextLimit: 8_000, tools: false, reasoning: false })
const gratis = sampleModel('gratis', { prices: { ...UNPRICED, input: 0, output: 0 } })
const local = sampleModel('local', {
  providerId: 'home',
  providerLabel: 'Home',
  contextLimit: null,
  prices: UNPRICED,
})
const models = [opus, mini, gratis, local]
const ref = (model: typeof opus) => ({ providerId: model.providerId, modelId: model.modelId })

function picker(props: Partial<ModelPickerProps> = {}) {
  const onChange = vi.fn()
  const onOpenChange = vi.fn()
  const page = show(
    <ModelPicker
      models={models}
      value={ref(opus)}
      onChange={onChange}
      onOpenChange={onOpenChange}
      open
      {...props}
    />,
  )
  const search = page.getByRole('combobox', { name: 'Search models' })
  return Object.assign(page, { onChange, onOpenChange, search })
}

test('UI-13 each row shows what a model can read and do', () => {
  using page = picker()
  const text = (name: RegExp) => page.getByRole('option', { name }).textContent
  for (const piece of ['Reads images', 'Reads PDF', 'Calls tools', 'Reasons'])
    expect(text(/^opus/)).toContain(piece)
  expect(text(/^mini/)).not.toContain('Calls tools')
  expect(text(/^mini/)).not.toContain('Reasons')
})

test('UI-13 a model that costs nothing is free, one whose price is unknown has none', () => {
  using page = picker()
  expect(page.getByRole('option', { name: /^gratis/ }).textContent).toContain('free')
  expect(page.getByRole('option', { name: /^local/ }).textContent).not.toMatch(/free|\$/)
})

test('UI-13 choosing closes the list and gives the model', () => {
  using page = picker()
  fireEvent.click(page.getByRole('option', { name: /^mini/ }))
  expect(page.onChange.mock.calls).toEqual([[ref(mini)]])
  expect(page.onOpenChange.mock.calls).toEqual([[false]])
})

test('UI-13 choosing the model that is chosen keeps its variant', () => {
  const value = { ...ref(opus), variant: 'high' }
  using page = picker({ value })
  fireEvent.click(page.getByRole('option', { name: /^opus/ }))
  expect(page.onChange.mock.calls.at(-1)?.[0] ?? value).toEqual(value)
})

test('UI-13 what is typed begins at the first match, and Enter takes it', () => {
  using page = picker({ recents: [ref(mini)] })
  fireEvent.keyDown(page.search, { key: 'ArrowDown' })
  fireEvent.change(page.search, { target: { value: 'HOME' } })
  fireEvent.keyDown(page.search, { key: 'Enter' })
  expect(page.onChange.mock.calls).toEqual([[ref(local)]])
})

test('UI-13 a search that finds nothing says so, and Enter takes nothing', () => {
  using page = picker()
  fireEvent.change(page.search, { target: { value: 'zzz' } })
  expect(page.getByText('No model matches “zzz”')).toBeTruthy()
  expect(page.search.getAttribute('aria-activedescendant')).toBeNull()
  fireEvent.keyDown(page.search, { key: 'Enter' })
  expect(page.onChange).not.toHaveBeenCalled()
})

test.each([
  ['compacts', 'Earlier messages will be summarised first'],
  ['too-small', 'Does not fit, even summarised'],
] as const)('UI-13 a model in which the chat %s says so before it is chosen', (outcome, words) => {
  using page = picker({ outcomeOf: (model) => (model === mini ? outcome : 'fits'), usedTokens: 9_000 })
  expect(page.getByRole('option', { name: /^mini/ }).textContent).toContain(words)
  expect(page.getByRole('option', { name: /^opus/ }).textContent).not.toContain(words)
})

test('UI-13 a window that is unknown is not called too small', () => {
  using page = picker({ usedTokens: 1_000_000 })
  expect(page.getByRole('option', { name: /^local/ }).textContent).not.toContain('Smaller')
  expect(page.getByRole('option', { name: /^opus/ }).textContent).toContain('Smaller')
})

test('UI-13 a model that the catalogue lacks is called by its id, and none is selected', () => {
  const gone = { providerId: 'acme', modelId: 'retired-7' }
  using page = picker({ value: gone })
  expect(page.getByRole('button', { name: /Model: retired-7/, hidden: true })).toBeTruthy()
  const selected = page.getAllByRole('option').filter((row) => row.getAttribute('aria-selected') === 'true')
  expect(selected).toEqual([])
  expect(modelLabel(models, gone)).toBe('retired-7')
  expect(modelLabel(models, undefined)).toBeUndefined()
})

test('UI-13 the link to add a model is under the list', () => {
  using page = picker({ addModelHref: '#add-a-model' })
  expect(page.getByRole('link', { name: 'Add a model' }).getAttribute('href')).toBe('#add-a-model')
})

test('UI-13 the chosen variant is named on the button', () => {
  using page = picker({ value: { ...ref(opus), variant: 'high' } })
  expect(page.getByRole('button', { name: /Model: opus ?High/, hidden: true })).toBeTruthy()
})

test('UI-13 every model that matches is always listed once under its provider', () => {
  const recents = fc.array(fc.constantFrom(...models.map(ref), { providerId: 'x', modelId: 'gone' }))
  fc.assert(
    fc.property(recents, fc.constantFrom('', ' ', 'o', 'acme', 'home local'), (recent, query) => {
      const groups = modelGroups(models, recent, query, 'Recent')
      const own = groups.filter(({ id }) => id !== 'recents').flatMap((group) => group.models)
      expect(new Set(own).size).toBe(own.length)
      if (query.trim() === '') expect(own.length).toBe(models.length)
      const first = groups.find(({ id }) => id === 'recents')?.models ?? []
      expect(first.length).toBeLessThanOrEqual(3)
      expect(first.every((model) => findModel(models, ref(model)) === model)).toBe(true)
    }),
  )
})

test('UI-10 a cost is the sum of its parts at their prices', () => {
  const counts = fc.record({
    input: fc.nat(1e6),
    output: fc.nat(1e6),
    reasoning: fc.nat(1e6),
    cacheRead: fc.nat(1e6),
    cacheWrite: fc.nat(1e6),
  })
  const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: null }
  fc.assert(
    fc.property(counts, (used) => {
      const expected =
        (used.input * 3 + (used.output + used.reasoning) * 15 + used.cacheRead * 0.3 + used.cacheWrite * 3) /
        1e6
      expect(modelCost(used, prices)).toBeCloseTo(expected, 9)
    }),
  )
})
