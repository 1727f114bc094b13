// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type LazyModule, lazyModule, whenLoaded } from './lazy-module.ts'
import { useLazy } from './use-lazy.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const settle = () => act(() => vi.advanceTimersByTimeAsync(0))

function stubModule() {
  const fetched = vi.fn(() => Promise.resolve('code'))
  return { fetched, module: lazyModule(fetched) }
}

test('PF-8 a module that is not wanted is not fetched until it is', async () => {
  const { fetched, module } = stubModule()
  const hook = renderHook(({ wanted }) => useLazy(module, wanted), { initialProps: { wanted: false } })
  await settle()
  expect([hook.result.current, fetched.mock.calls.length]).toEqual([null, 0])
  hook.rerender({ wanted: true })
  await settle()
  expect(hook.result.current).toBe('code')
  hook.unmount()
})

test('PF-8 a module that another part loaded is there at the first render, wanted or not', async () => {
  const { fetched, module } = stubModule()
  module.load()
  await settle()
  const hook = renderHook(() => useLazy(module, false))
  expect(hook.result.current).toBe('code')
  expect(fetched).toHaveBeenCalledOnce()
  hook.unmount()
})

test('PF-8 a module stays loaded when it is no longer wanted', async () => {
  const { module } = stubModule()
  const hook = renderHook(({ wanted }) => useLazy(module, wanted), { initialProps: { wanted: true } })
  await settle()
  hook.rerender({ wanted: false })
  expect(hook.result.current).toBe('code')
  hook.unmount()
})

test('PF-8 every part that waits for a module is rendered when it arrives, with one fetch', async () => {
  const { fetched, module } = stubModule()
  const hooks = [1, 2, 3].map(() => renderHook(() => useLazy(module)))
  expect(hooks.map(({ result }) => result.current)).toEqual([null, null, null])
  await settle()
  expect(hooks.map(({ result }) => result.current)).toEqual(['code', 'code', 'code'])
  expect(fetched).toHaveBeenCalledOnce()
  for (const hook of hooks) hook.unmount()
})

test('PF-8 a part that left before its module arrived is not rendered again', async () => {
  const { module } = stubModule()
  const rendered = vi.fn()
  const hook = renderHook(() => {
    rendered()
    return useLazy(module)
  })
  hook.unmount()
  const times = rendered.mock.calls.length
  await settle()
  expect(rendered).toHaveBeenCalledTimes(times)
})

function Part({ module }: { module: LazyModule<string> }) {
  return <p>{useLazy(module) ?? 'none'}</p>
}

test('PF-8 nothing that is lazy is part of the page that the server renders', async () => {
  const { fetched, module } = stubModule()
  module.load()
  await settle()
  expect(renderToString(<Part module={module} />)).toBe('<p>none</p>')
  expect(fetched).toHaveBeenCalledOnce()
})

test('PF-8 a load that keeps failing is tried every two seconds, once at a time, until it succeeds', async () => {
  const fetched = vi.fn<() => Promise<string>>()
  for (let time = 0; time < 3; time++) fetched.mockRejectedValueOnce(new Error('Offline'))
  fetched.mockResolvedValueOnce('code')
  const module = lazyModule(fetched)
  const loaded = whenLoaded(module)
  for (const tries of [1, 2, 3, 4]) {
    module.load()
    expect(fetched).toHaveBeenCalledTimes(tries)
    await vi.advanceTimersByTimeAsync(2_000)
  }
  expect(await loaded).toBe('code')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(fetched).toHaveBeenCalledTimes(4)
})

test('PF-8 a listener that unsubscribes while the others are called leaves them called', async () => {
  const { module } = stubModule()
  const called: string[] = []
  const leave = module.subscribe(() => {
    called.push('first')
    leave()
  })
  module.subscribe(() => called.push('second'))
  module.load()
  await vi.advanceTimersByTimeAsync(0)
  expect(called).toEqual(['first', 'second'])
})
