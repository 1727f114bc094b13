// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Choice, SelectField, TextArea, TextField } from './field.tsx'

afterEach(cleanup)

const FIELDS = { TextField, TextArea, SelectField } as const
const KINDS = ['TextField', 'TextArea', 'SelectField'] as const

function show(kind: (typeof KINDS)[number], props: { hint?: string; problem?: string | null }) {
  const Field = FIELDS[kind]
  render(<Field label="Name" {...props} />)
  return screen.getByLabelText('Name')
}

const described = (field: HTMLElement) =>
  field
    .getAttribute('aria-describedby')
    ?.split(' ')
    .map((id) => document.getElementById(id)?.textContent)

test.for(KINDS)('UI-31 a %s without a hint or a problem is described by nothing', (kind) => {
  const field = show(kind, {})
  expect(field.hasAttribute('aria-describedby')).toBe(false)
  expect(field.hasAttribute('aria-invalid')).toBe(false)
  expect(screen.queryByRole('alert')).toBeNull()
})

test.for(KINDS)('UI-31 the hint of a %s is read with it', (kind) => {
  const field = show(kind, { hint: 'Shown in the list.', problem: null })
  expect(described(field)).toEqual(['Shown in the list.'])
  expect(field.hasAttribute('aria-invalid')).toBe(false)
})

test.for(KINDS)('UI-31 the problem of a %s is announced and read after its hint', (kind) => {
  const field = show(kind, { hint: 'Shown in the list.', problem: 'It is taken.' })
  expect(described(field)).toEqual(['Shown in the list.', 'It is taken.'])
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByRole('alert').textContent).toBe('It is taken.')
})

test.for(KINDS)('UI-31 a %s with an empty problem is a valid one', (kind) => {
  const field = show(kind, { problem: '' })
  expect(field.hasAttribute('aria-invalid')).toBe(false)
  expect(field.hasAttribute('aria-describedby')).toBe(false)
})

test('UI-31 two fields with the same label keep their own problems', () => {
  render(
    <>
      <TextField label="Name" problem="One" />
      <TextField label="Name" problem="Two" />
    </>,
  )
  expect(screen.getAllByLabelText('Name').map(described)).toEqual([['One'], ['Two']])
})

const NAMES = { small: 'Small', normal: 'Normal', large: 'Large' } as const
const OPTIONS = ['small', 'normal', 'large'] as const

function choose(value: (typeof OPTIONS)[number], hint?: string) {
  const onChange = vi.fn<(size: (typeof OPTIONS)[number]) => void>()
  const hinted = hint === undefined ? {} : { hint }
  render(
    <Choice label="Size" options={OPTIONS} names={NAMES} value={value} onChange={onChange} {...hinted} />,
  )
  return onChange
}

const checked = () =>
  screen
    .getAllByRole<HTMLInputElement>('radio')
    .filter((radio) => radio.checked)
    .map((radio) => radio.value)

test.for(OPTIONS)('UI-31 exactly the chosen one of a few is checked: %s', (value) => {
  choose(value)
  expect(checked()).toEqual([value])
})

test('UI-31 a press on an option reports it and leaves the choice to its owner', () => {
  const onChange = choose('normal')
  fireEvent.click(screen.getByRole('radio', { name: 'Large' }))
  expect(onChange.mock.calls).toEqual([['large']])
  expect(checked()).toEqual(['normal'])
})

test('UI-31 a press on the option that is chosen already reports nothing', () => {
  const onChange = choose('normal')
  fireEvent.click(screen.getByRole('radio', { name: 'Normal' }))
  expect(onChange).not.toHaveBeenCalled()
})

test('UI-31 the options are one group under the label, apart from those of another choice', () => {
  choose('small')
  choose('large', 'Kept in this browser.')
  const names = screen.getAllByRole<HTMLInputElement>('radio').map(({ name }) => name)
  expect(new Set(names.slice(0, 3)).size).toBe(1)
  expect(new Set(names.slice(3)).size).toBe(1)
  expect(new Set(names).size).toBe(2)
  expect(screen.getAllByRole('group', { name: 'Size' })).toHaveLength(2)
  expect(checked()).toEqual(['small', 'large'])
  screen.getByText('Kept in this browser.')
})
