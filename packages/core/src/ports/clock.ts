/** The time source of the core. Tests pass one that they control. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Milliseconds since a moment of its own. Unlike `now` it never jumps: durations are measured with it. */
  elapsed(): number
  /** Resolves after `ms`; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Resolves after the event loop has run all other work that is due. */
  yieldToLoop(): Promise<void>
  /** Calls `run` once after `ms`, unless disposed before. Never keeps the process alive. */
  after(ms: number, run: () => void): Disposable
}
