// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { nextMode } from './mode-menu.tsx'
import { PlanBar } from './plan-bar.tsx'

test('UI-16 a plan is carried out in the mode that is chosen beside it, or goes on', () => {
  const [onRun, onKeepPlanning] = [vi.fn(), vi.fn()]
  using page = show(<PlanBar onRun={onRun} onKeepPlanning={onKeepPlanning} />)
  const run = page.getByRole('button', { name: 'Approve and run' })
  fireEvent.click(run)
  fireEvent.change(page.getByRole('combobox', { name: 'Mode to run the plan in' }), {
    target: { value: 'accept-edits' },
  })
  fireEvent.click(run)
  fireEvent.click(page.getByRole('button', { name: 'Keep planning' }))
  expect(onRun.mock.calls).toEqual([['ask'], ['accept-edits']])
  expect(onKeepPlanning).toHaveBeenCalledOnce()
})

test('UI-16 one key goes through the modes, and never to full access', () => {
  expect(nextMode('ask')).toBe('accept-edits')
  expect(nextMode('accept-edits')).toBe('plan')
  expect(nextMode('plan')).toBe('ask')
  expect(nextMode('full-access')).toBe('ask')
})
