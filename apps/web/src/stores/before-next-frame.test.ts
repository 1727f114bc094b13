import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { beforeNextFrame } from './before-next-frame.ts'

let frames: Map<number, () => void>

beforeEach(() => {
  vi.useFakeTimers()
  frames = new Map()
  vi.stubGlobal('requestAnimationFrame', (task: () => void) => {
    frames.set(frames.size + 1, task)
    return frames.size
  })
  vi.stubGlobal('cancelAnimationFrame', (id: number) => frames.delete(id))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const draw = () => {
  for (const task of [...frames.values()]) task()
}

test('UI-8 what waits for a frame runs with it, once', () => {
  const task = vi.fn()
  beforeNextFrame(task)
  expect(task).not.toHaveBeenCalled()
  draw()
  vi.advanceTimersByTime(10_000)
  expect(task).toHaveBeenCalledOnce()
})

test('UI-8 in a tab that nobody sees, where no frame is drawn, it runs a moment later all the same, once', () => {
  const task = vi.fn()
  beforeNextFrame(task)
  vi.advanceTimersByTime(249)
  expect(task).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  draw()
  expect(task).toHaveBeenCalledOnce()
  expect(frames.size).toBe(0)
})
