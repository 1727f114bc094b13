// @vitest-environment happy-dom
import { act, fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { RetryNotice } from './retry-notice.tsx'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

test('UI-11 a refused run counts down to its next attempt and can be stopped', () => {
  const onStop = vi.fn()
  const status = {
    state: 'retrying',
    runId: 'r',
    startedAt: 0,
    attempt: 2,
    message: 'Wait.',
    retryAt: 4_000,
  } as const
  using page = show(<RetryNotice status={status} onStop={onStop} />)
  expect(page.container.textContent).toContain('Trying again in 4 s.')
  act(() => vi.advanceTimersByTime(3_000))
  expect(page.container.textContent).toContain('Trying again in 1 s.')
  act(() => vi.advanceTimersByTime(2_000))
  expect(page.container.textContent).toContain('Trying again.')
  fireEvent.click(page.getByRole('button', { name: 'Stop' }))
  expect(onStop).toHaveBeenCalledOnce()
})
