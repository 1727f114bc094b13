const FIRST_MS = 500
const CAP_MS = 30_000
const JITTER = 0.1
/** The longest wait. Timers overflow at 24.8 days; a longer wait that a provider asks for is cut to this. */
const MAX_RETRY_DELAY_MS = 15 * 60_000

/**
 * Milliseconds to wait before trying again: 500 doubling with each attempt, give or take 10 %, at most 30,000.
 * `attempt` is the number of the try that just failed, from 1; `random` lies in [0, 1). A provider that said how long
 * to wait is taken at its word.
 */
export function backoff(attempt: number, random: number, retryAfterMs?: number): number {
  if (retryAfterMs !== undefined) return Math.min(Math.max(0, retryAfterMs), MAX_RETRY_DELAY_MS)
  const nominal = FIRST_MS * 2 ** Math.max(0, attempt - 1)
  return Math.min(CAP_MS, Math.round(nominal * (1 + JITTER * (2 * random - 1))))
}
