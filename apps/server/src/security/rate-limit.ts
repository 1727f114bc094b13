import { AppError } from '@palimpsest/core/domain'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { SERVER_LIMITS } from '../limits.ts'

export type RateLimits = {
  /**
   * Counts calls of this address, those with the valid secret apart from all others, so that guesses from behind the same proxy
   * do not use up their rate. `RATE_LIMITED` when they are too many.
   */
  request(address: string, calls: number, isIn: boolean): Promise<void>
  /** Counts a wrong secret of this address; `RATE_LIMITED` when the limit is exceeded. A valid one is never counted. */
  wrongSecret(address: string): Promise<void>
}

const MINUTE_SECONDS = 60

/** Counters in memory, by the minute. `requestsPerMinute` 0 counts no requests. */
export function createRateLimits(requestsPerMinute: number): RateLimits {
  const requests = new RateLimiterMemory({ points: requestsPerMinute, duration: MINUTE_SECONDS })
  const wrongSecrets = new RateLimiterMemory({
    points: SERVER_LIMITS.wrongTokensPerMinute,
    duration: MINUTE_SECONDS,
  })

  return {
    async request(address, calls, isIn) {
      if (requestsPerMinute === 0) return
      try {
        await requests.consume(`${isIn ? 'in' : 'out'} ${address}`, calls)
      } catch {
        throw tooMany('Too many requests. Wait a minute, or raise PALIMPSEST_RATE_LIMIT.')
      }
    },
    async wrongSecret(address) {
      try {
        await wrongSecrets.consume(address)
      } catch {
        throw tooMany('Too many wrong tokens. Wait a minute, or send the right one.')
      }
    },
  }
}

function tooMany(message: string): AppError {
  return new AppError('RATE_LIMITED', message)
}
