import { isUnreachable } from './failures.ts'

const TRIES = 7
const FIRST_DELAY_MS = 100

/** Milliseconds before attempt number `attempt` (from 1), doubling, at most 5 s. */
export function retryDelay(attempt: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), 5000)
}

/** Retries while the server can't be reached. Only for idempotent calls. */
export async function untilReached<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (attempt >= TRIES || !isUnreachable(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, retryDelay(attempt)))
    }
  }
}
