import { silentLogger } from '@palimpsest/testing'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createStopper } from './stopper.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
  const before = process.exitCode
  onTestFinished(() => {
    vi.useRealTimers()
    process.exitCode = before
  })
})

/** A server whose runs end when the test ends them. */
function withRuns() {
  const runs = Promise.withResolvers<void>()
  const shutdown = vi.fn((_graceMs: number) => runs.promise)
  const exit = vi.fn()
  const stopper = createStopper({ shutdown, activeRuns: 1 }, { graceMs: 5_000, logger: silentLogger, exit })
  return { stopper, shutdown, exit, runs }
}

test('RV-3 the first signal gives runs the grace period, and the process exits 0 once they are over', async () => {
  const { stopper, shutdown, exit, runs } = withRuns()
  const stopped = stopper.signal('SIGTERM')
  expect(shutdown.mock.calls).toEqual([[5_000]])
  runs.resolve()
  await stopped
  expect(process.exitCode).toBe(0)
  expect(exit).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1_000)
  expect(exit.mock.calls).toEqual([[]])
})

test('RV-3 a signal that is forwarded within half a second counts as the same one', async () => {
  const { stopper, shutdown, exit } = withRuns()
  void stopper.signal('SIGINT')
  vi.advanceTimersByTime(499)
  await stopper.signal('SIGINT')
  await stopper.signal('SIGTERM')
  expect(shutdown.mock.calls).toEqual([[5_000]])
  expect(exit).not.toHaveBeenCalled()
})

test('RV-3 a second signal ends the grace period, its echo changes nothing, and a third exits at once', () => {
  const { stopper, shutdown, exit } = withRuns()
  void stopper.signal('SIGINT')
  vi.advanceTimersByTime(500)
  void stopper.signal('SIGINT')
  expect(shutdown.mock.calls).toEqual([[5_000], [0]])
  vi.advanceTimersByTime(499)
  void stopper.signal('SIGINT')
  expect(exit).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  void stopper.signal('SIGINT')
  expect(exit.mock.calls).toEqual([[1]])
  expect(shutdown).toHaveBeenCalledTimes(2)
})

test('RV-3 a stop for another reason does not shorten the grace period, however often it is called', async () => {
  const { stopper, shutdown, exit } = withRuns()
  void stopper.stop('npx has ended')
  vi.advanceTimersByTime(60_000)
  await stopper.stop('SIGHUP')
  expect(shutdown.mock.calls).toEqual([[5_000]])
  expect(exit).not.toHaveBeenCalled()
})

test('RV-3 a server that fails to stop in good order exits 1, also after a second signal', async () => {
  const { stopper, runs } = withRuns()
  const stopped = stopper.signal('SIGTERM')
  vi.advanceTimersByTime(500)
  const hurried = stopper.signal('SIGTERM')
  runs.reject(new Error('The disk is gone'))
  await Promise.all([stopped, hurried])
  expect(process.exitCode).toBe(1)
})
