// @vitest-environment happy-dom
import { act, fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { Reasoning } from './reasoning.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))

test('UI-9 thoughts are open while they stream, then close to how long they took', () => {
  using page = show(<Reasoning text="Hmm" streaming />)
  const line = () => page.getByRole('button')
  expect(line().textContent).toBe('Thinking')
  expect(line().getAttribute('aria-expanded')).toBe('true')
  pass(3_000)
  page.rerender(<Reasoning text="Hmm" streaming={false} />)
  expect(line().textContent).toBe('Thought for 3\u00A0s')
  expect(line().getAttribute('aria-expanded')).toBe('true')
  pass(1_000)
  expect(line().getAttribute('aria-expanded')).toBe('false')
})

test('UI-9 what a reader opened stays open, what a reader closed stays closed', () => {
  using page = show(<Reasoning text="Hmm" streaming />)
  const line = () => page.getByRole('button')
  fireEvent.click(line())
  pass(500)
  expect(line().getAttribute('aria-expanded')).toBe('false')
  fireEvent.click(line())
  page.rerender(<Reasoning text="Hmm" streaming={false} />)
  pass(5_000)
  expect(line().getAttribute('aria-expanded')).toBe('true')
})

test('UI-9 hardly any time is no figure', () => {
  using page = show(<Reasoning text="Hmm" streaming={false} durationMs={20} />)
  expect(page.getByRole('button').textContent).toBe('Thought for a moment')
})

test('UI-9 the time that the run measured wins', () => {
  using page = show(<Reasoning text="Hmm" streaming={false} durationMs={6_200} />)
  expect(page.getByRole('button').textContent).toBe('Thought for 6.2\u00A0s')
  expect(page.getByRole('button').getAttribute('aria-expanded')).toBe('false')
})
