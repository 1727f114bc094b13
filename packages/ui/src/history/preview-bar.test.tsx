// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { PreviewBar, type PreviewBarProps } from './preview-bar.tsx'

function bar(props: Partial<PreviewBarProps> = {}) {
  const on = { onRestore: vi.fn(), onBack: vi.fn() }
  const page = show(
    <PreviewBar name="before you rewound, 14:05" facts={['4 messages', '900 tokens']} {...on} {...props} />,
  )
  return Object.assign(page, { on })
}

test('UI-29 the bar over a preview names the state and what it holds', () => {
  using page = bar()
  const region = page.getByRole('region', { name: 'Preview of an earlier state' })
  expect(region.contains(page.getByRole('status'))).toBe(true)
  expect(page.getByRole('status').textContent).toBe(
    'Preview before you rewound, 14:05 · 4 messages · 900 tokens',
  )
})

test('UI-29 a state of which nothing is counted is named without a separator', () => {
  using page = bar({ facts: [] })
  expect(page.getByRole('status').textContent).toBe('Preview before you rewound, 14:05')
})

test('UI-29 a preview is restored by one press', () => {
  using page = bar()
  fireEvent.click(page.getByRole('button', { name: 'Restore this' }))
  expect(page.on.onRestore).toHaveBeenCalledOnce()
  expect(page.on.onBack).not.toHaveBeenCalled()
})

test('UI-29 a preview is left by one press, which restores nothing', () => {
  using page = bar()
  fireEvent.click(page.getByRole('button', { name: 'Back to now' }))
  expect(page.on.onBack).toHaveBeenCalledOnce()
  expect(page.on.onRestore).not.toHaveBeenCalled()
})

test('UI-29 the key of the way back is drawn beside it and is no part of its name', () => {
  using page = bar()
  const back = page.getByRole('button', { name: 'Back to now' })
  expect(back.querySelector('[aria-hidden] kbd')).not.toBeNull()
})

test('UI-39 the name of the next state replaces the former in the same live region', () => {
  using page = bar()
  const status = page.getByRole('status')
  page.rerender(<PreviewBar name="before the summary, 15:00" facts={['2 messages']} {...page.on} />)
  expect(page.getByRole('status')).toBe(status)
  expect(status.textContent).toBe('Preview before the summary, 15:00 · 2 messages')
})

test('SX-3 a name with markup stays text', () => {
  using page = bar({ name: 'before “<img src=x onerror=alert(1)>”, 14:05' })
  expect(page.container.querySelector('img')).toBeNull()
  expect(page.getByRole('status').textContent).toContain('<img src=x onerror=alert(1)>')
})
