import { afterEach, expect, test, vi } from 'vitest'
import { lazyModule, whenLoaded } from './lazy-module.ts'

afterEach(() => void vi.useRealTimers())

test('PF-8 a lazy module is fetched once, and its listeners are called when it is loaded', async () => {
  const fetched = vi.fn(() => Promise.resolve('code'))
  const module = lazyModule(fetched)
  const listener = vi.fn()
  const unsubscribe = module.subscribe(listener)
  expect(fetched).not.toHaveBeenCalled()
  for (let time = 0; time < 3; time++) module.load()
  expect(module.get()).toBeNull()
  await vi.waitFor(() => expect(listener).toHaveBeenCalledOnce())
  unsubscribe()
  module.load()
  expect(module.get()).toBe('code')
  expect(fetched).toHaveBeenCalledOnce()
})

test('PF-8 a lazy module that failed to load is fetched again after two seconds', async () => {
  vi.useFakeTimers()
  const fetched = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('Offline'))
  fetched.mockResolvedValueOnce('code')
  const module = lazyModule(fetched)
  module.load()
  await vi.advanceTimersByTimeAsync(1_999)
  expect(module.get()).toBeNull()
  await vi.advanceTimersByTimeAsync(1)
  expect(module.get()).toBe('code')
})

test('PF-8 whenLoaded resolves with the module, at once when it is loaded already', async () => {
  const fetched = vi.fn(() => Promise.resolve('code'))
  const module = lazyModule(fetched)
  expect(await Promise.all([whenLoaded(module), whenLoaded(module)])).toEqual(['code', 'code'])
  expect(await whenLoaded(module)).toBe('code')
  expect(fetched).toHaveBeenCalledOnce()
})
