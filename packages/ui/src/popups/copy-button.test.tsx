// @vitest-environment happy-dom
import { act, fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { show } from '../testing/show.tsx'
import { CopyButton } from './copy-button.tsx'

const writeText = vi.fn<(text: string) => Promise<void>>()

beforeEach(() => {
  vi.useFakeTimers()
  writeText.mockReset()
  vi.stubGlobal('navigator', { ...navigator, userAgent: '', clipboard: { writeText } })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

test('UI-10 a copy button reads its text when it is pressed and confirms the copy for a moment', async () => {
  writeText.mockResolvedValue()
  let text = 'before'
  using page = show(<CopyButton label="Copy" copiedLabel="Copied" text={() => text} />)
  text = 'now'
  fireEvent.click(page.getByRole('button', { name: 'Copy' }))
  await pass(0)
  expect(writeText.mock.calls).toEqual([['now']])
  expect(page.getByRole('button', { name: 'Copied' })).toBeTruthy()
  await pass(1_600)
  expect(page.getByRole('button', { name: 'Copy' })).toBeTruthy()
})

test('UI-10 a copy that the browser refuses is not called one', async () => {
  writeText.mockRejectedValue(new Error('Not allowed'))
  using page = show(<CopyButton label="Copy" copiedLabel="Copied" text={() => 'words'} />)
  fireEvent.click(page.getByRole('button', { name: 'Copy' }))
  await pass(0)
  expect(page.getByRole('button', { name: 'Copy' })).toBeTruthy()
})

test('UI-10 a second copy is confirmed for as long as the first', async () => {
  writeText.mockResolvedValue()
  using page = show(<CopyButton label="Copy" copiedLabel="Copied" text={() => 'words'} />)
  fireEvent.click(page.getByRole('button', { name: 'Copy' }))
  await pass(1_500)
  fireEvent.click(page.getByRole('button', { name: 'Copied' }))
  await pass(1_500)
  expect(page.getByRole('button', { name: 'Copied' })).toBeTruthy()
  await pass(100)
  expect(page.getByRole('button', { name: 'Copy' })).toBeTruthy()
})
