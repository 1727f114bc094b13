// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { VariantChoice } from './variant-choice.tsx'

const variants = [
  { id: 'low', label: 'Low' },
  { id: 'high', label: 'High' },
]

function choice(value?: string) {
  const onChange = vi.fn<(variant: string | undefined) => void>()
  const page = show(<VariantChoice variants={variants} value={value} onChange={onChange} />)
  const checked = () =>
    page.getAllByRole('radio', { checked: true }).map((radio) => radio.parentElement?.textContent)
  return Object.assign(page, { onChange, checked })
}

test('UI-13 the default of a model comes before its variants, in one named group', () => {
  using page = choice()
  expect(page.getByRole('group', { name: 'Effort' })).toBeTruthy()
  expect(page.getAllByRole('radio').map((radio) => radio.parentElement?.textContent)).toEqual([
    'Default',
    'Low',
    'High',
  ])
})

test.each([
  [undefined, ['Default']],
  ['low', ['Low']],
  ['high', ['High']],
])('UI-13 of the variant %s exactly %j is checked', (value, expected) => {
  using page = choice(value)
  expect(page.checked()).toEqual(expected)
})

test('UI-13 each choice gives its id, the default gives none', () => {
  using page = choice('low')
  fireEvent.click(page.getByRole('radio', { name: 'High' }))
  fireEvent.click(page.getByRole('radio', { name: 'Default' }))
  expect(page.onChange.mock.calls).toEqual([['high'], [undefined]])
})

test('UI-13 the choice that is made already gives nothing', () => {
  using page = choice('low')
  fireEvent.click(page.getByRole('radio', { name: 'Low' }))
  expect(page.onChange).not.toHaveBeenCalled()
})

test('UI-13 two choices on a page are two groups of the keyboard', () => {
  using page = show(
    <>
      <VariantChoice variants={variants} value="low" onChange={vi.fn()} />
      <VariantChoice variants={variants} value="high" onChange={vi.fn()} />
    </>,
  )
  const names = page.getAllByRole('radio').map((radio) => radio.getAttribute('name'))
  expect(new Set(names.slice(0, 3)).size).toBe(1)
  expect(new Set(names).size).toBe(2)
})
