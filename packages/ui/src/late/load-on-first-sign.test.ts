// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lateModule } from './late-module.ts'
import { loadOnFirstSign } from './load-on-first-sign.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function openPage() {
  const fetched = vi.fn(() => Promise.resolve('code'))
  return { fetched, leave: loadOnFirstSign([lateModule(fetched)]) }
}

test.for(['pointermove', 'keydown', 'touchstart', 'wheel'])(
  'PF-8 a first %s fetches what may be wanted',
  (sign) => {
    const { fetched } = openPage()
    expect(fetched).not.toHaveBeenCalled()
    window.dispatchEvent(new Event(sign))
    expect(fetched).toHaveBeenCalledOnce()
  },
)

test('PF-8 a page that nobody touches fetches it once it has been quiet', () => {
  const { fetched } = openPage()
  vi.advanceTimersByTime(2_999)
  expect(fetched).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(fetched).toHaveBeenCalledOnce()
})

test('PF-8 a page that is left fetches nothing any more', () => {
  const { fetched, leave } = openPage()
  leave()
  window.dispatchEvent(new Event('pointermove'))
  vi.advanceTimersByTime(10_000)
  expect(fetched).not.toHaveBeenCalled()
})
