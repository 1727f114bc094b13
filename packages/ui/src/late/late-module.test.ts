import { afterEach, expect, test, vi } from 'vitest'
import { lateArrival } from './late-arrival.ts'
import { lateModule } from './late-module.ts'

afterEach(() => void vi.useRealTimers())

test('PF-8 a late module is fetched once, however often it is wanted, and then told of', async () => {
  const fetched = vi.fn(() => Promise.resolve('code'))
  const module = lateModule(fetched)
  const told = vi.fn()
  const leave = module.subscribe(told)
  expect(fetched).not.toHaveBeenCalled()
  for (let time = 0; time < 3; time++) module.load()
  expect(module.get()).toBeNull()
  await vi.waitFor(() => expect(told).toHaveBeenCalledOnce())
  leave()
  module.load()
  expect(module.get()).toBe('code')
  expect(fetched).toHaveBeenCalledOnce()
})

test('PF-8 a late module that could not be fetched is asked for again', async () => {
  vi.useFakeTimers()
  const fetched = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('Offline'))
  fetched.mockResolvedValueOnce('code')
  const module = lateModule(fetched)
  module.load()
  await vi.advanceTimersByTimeAsync(1_999)
  expect(module.get()).toBeNull()
  await vi.advanceTimersByTimeAsync(1)
  expect(module.get()).toBe('code')
})

test('PF-8 whoever waits for a late module has it once it came, and at once when it is there', async () => {
  const fetched = vi.fn(() => Promise.resolve('code'))
  const module = lateModule(fetched)
  expect(await Promise.all([lateArrival(module), lateArrival(module)])).toEqual(['code', 'code'])
  expect(await lateArrival(module)).toBe('code')
  expect(fetched).toHaveBeenCalledOnce()
})
