// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lazyModule } from './lazy-module.ts'
import { preloadOnInteraction } from './preload-on-interaction.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function openPage() {
  const fetched = vi.fn(() => Promise.resolve('code'))
  return { fetched, cancel: preloadOnInteraction([lazyModule(fetched)]) }
}

test.for(['pointermove', 'keydown', 'touchstart', 'wheel'])(
  'PF-8 the first %s preloads the modules',
  (interaction) => {
    const { fetched } = openPage()
    expect(fetched).not.toHaveBeenCalled()
    window.dispatchEvent(new Event(interaction))
    expect(fetched).toHaveBeenCalledOnce()
  },
)

test('PF-8 without an interaction the modules are preloaded after 3 s', () => {
  const { fetched } = openPage()
  vi.advanceTimersByTime(2_999)
  expect(fetched).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(fetched).toHaveBeenCalledOnce()
})

test('PF-8 a cancelled preload fetches nothing', () => {
  const { fetched, cancel } = openPage()
  cancel()
  window.dispatchEvent(new Event('pointermove'))
  vi.advanceTimersByTime(10_000)
  expect(fetched).not.toHaveBeenCalled()
})
