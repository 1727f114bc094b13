import { AppError } from '@palimpsest/core/domain'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { SERVER_LIMITS } from '../limits.ts'

export type RateLimits = {
  /** Counts one request of this address; `RATE_LIMITED` when it was one too many. */
  request(address: string): Promise<void>
  /** Checks a token in its own time: after too many wrong ones from this address not even the right one is looked at. */
  tryToken(address: string, isRight: () => boolean): Promise<boolean>
}

const MINUTE_SECONDS = 60

/** Counters in memory, by the minute. `requestsPerMinute` 0 counts no requests. */
export function createRateLimits(requestsPerMinute: number): RateLimits {
  const requests = new RateLimiterMemory({ points: requestsPerMinute, duration: MINUTE_SECONDS })
  const wrongTokens = new RateLimiterMemory({
    points: SERVER_LIMITS.wrongTokensPerMinute,
    duration: MINUTE_SECONDS,
  })

  return {
    async request(address) {
      if (requestsPerMinute === 0) return
      try {
        await requests.consume(address)
      } catch {
        throw tooMany('Too many requests. Wait a minute, or raise PALIMPSEST_RATE_LIMIT.')
      }
    },
    async tryToken(address, isRight) {
      const counted = await wrongTokens.get(address)
      if (counted !== null && counted.remainingPoints <= 0)
        throw tooMany('Too many wrong tokens. Wait a minute.')
      if (isRight()) return true
      await wrongTokens.penalty(address)
      return false
    },
  }
}

function tooMany(message: string): AppError {
  return new AppError('RATE_LIMITED', message)
}
