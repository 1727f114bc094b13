// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { FitDialog, type Misfit } from './fit-dialog.tsx'

const COMPACTS: Misfit = {
  outcome: 'compacts',
  modelLabel: 'Oak mini',
  used: 42_000,
  usable: 8_000,
  branchAt: null,
}
const TOO_SMALL: Misfit = { ...COMPACTS, outcome: 'too-small', branchAt: 'Of “ink”?' }

function dialog(misfit: Misfit | null) {
  const on = { onClose: vi.fn(), onSwitch: vi.fn(), onBranch: vi.fn(), onNewChat: vi.fn() }
  const element = (next: Misfit | null) => <FitDialog misfit={next} {...on} />
  return Object.assign(show(element(misfit)), { on, element })
}

test('UI-13 without a misfit there is no dialog', () => {
  using page = dialog(null)
  expect(page.queryByRole('dialog')).toBeNull()
})

test('UI-13 before a switch that summarises it is said what the model can read, and that nothing is deleted', () => {
  using page = dialog(COMPACTS)
  expect(page.getByRole('dialog', { name: 'Oak mini will read a summary' }).textContent).toContain(
    'This chat has 42k tokens and Oak mini can read 8k. Before its next reply, earlier messages are summarised. Nothing is deleted',
  )
})

test('UI-13 a point where the chat still fits is quoted, and without one it is said that there is none', () => {
  using page = dialog(TOO_SMALL)
  expect(page.getByRole('dialog', { name: 'This chat does not fit Oak mini' }).textContent).toContain(
    'after “Of ‘ink’?”, where the chat still fits.',
  )
  page.rerender(page.element({ ...TOO_SMALL, branchAt: null }))
  expect(page.getByText(/No earlier point of it fits either/)).toBeDefined()
})

test('UI-13 a branch at a message without words is still offered', () => {
  using page = dialog({ ...TOO_SMALL, branchAt: '' })
  fireEvent.click(page.getByRole('button', { name: 'Branch instead' }))
  expect(page.on.onBranch).toHaveBeenCalledOnce()
})

test('UI-13 Esc closes the dialog and switches nothing', () => {
  using page = dialog(COMPACTS)
  fireEvent.keyDown(page.getByRole('dialog'), { key: 'Escape' })
  expect(page.on.onClose).toHaveBeenCalledOnce()
  expect(page.on.onSwitch).not.toHaveBeenCalled()
})

test('UI-23 the dialog has the focus on Cancel, so that Enter alone changes nothing', async () => {
  using page = dialog(COMPACTS)
  await vi.waitFor(() => expect(document.activeElement).toBe(page.getByRole('button', { name: 'Cancel' })))
})

test('UI-13 a second misfit has its own words', () => {
  using page = dialog(COMPACTS)
  page.rerender(page.element({ ...COMPACTS, modelLabel: 'Iron nano', usable: 4_000 }))
  expect(page.getByRole('dialog', { name: 'Iron nano will read a summary' }).textContent).toContain('4k')
})
