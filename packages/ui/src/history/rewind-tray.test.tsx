// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { RewindTray, type RewindTrayProps } from './rewind-tray.tsx'

function tray(props: Partial<RewindTrayProps> = {}) {
  const on = { onPeek: vi.fn(), onRestore: vi.fn(), onTimeline: vi.fn(), onDismiss: vi.fn() }
  const page = show(
    <RewindTray
      hidden={0}
      total={0}
      restored={0}
      editTakenBack={false}
      files={0}
      earlier={null}
      peeking={false}
      {...on}
      {...props}
    />,
  )
  return Object.assign(page, { on })
}

test.each([
  [{ hidden: 1 }, '1 message hidden', 'Restore'],
  [{ hidden: 5, total: 7 }, '5 more messages hidden, 7 in all', 'Restore'],
  [{ hidden: 12, files: 1 }, '12 messages hidden · 1 file restored', 'Restore'],
  [{ hidden: 0, restored: 4 }, '4 messages restored', 'Redo'],
  [{ hidden: 2, restored: 4 }, 'Back to an earlier state', 'Redo'],
  [
    { hidden: 2, restored: 4, editTakenBack: true, files: 3 },
    'Back to before your edit · 3 files restored',
    'Redo',
  ],
])('UI-17 after %o it is said what went, with the way back', (counts, words, back) => {
  using page = tray(counts)
  expect(page.getByRole('status').textContent).toBe(words)
  fireEvent.click(page.getByRole('button', { name: back }))
  expect(page.on.onRestore).toHaveBeenCalledOnce()
})

test('UI-17 what went is looked at and put out of sight again by one button that says which', () => {
  using page = tray({ hidden: 2 })
  const show = page.getByRole('button', { name: 'Show' })
  expect(show.getAttribute('aria-pressed')).toBe('false')
  fireEvent.click(show)
  expect(page.on.onPeek).toHaveBeenCalledOnce()
  using looking = tray({ hidden: 2, peeking: true })
  expect(looking.getByRole('button', { name: 'Hide' }).getAttribute('aria-pressed')).toBe('true')
})
