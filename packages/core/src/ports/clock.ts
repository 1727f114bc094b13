/** Time, as the core knows it. Tests hand in one whose hands they move. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Milliseconds since a moment of its own. Unlike `now` it never jumps: how long something took is told by this. */
  elapsed(): number
  /** Resolves after `ms`; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Resolves once the host has looked after all else that waits for it. */
  turn(): Promise<void>
  /** Calls `run` once after `ms`, unless disposed before. Never keeps the process alive. */
  after(ms: number, run: () => void): Disposable
}
