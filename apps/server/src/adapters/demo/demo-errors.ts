import { APICallError } from '@ai-sdk/provider'

/** Refusals before the demo model answers, and how each names the wait. */
const REFUSALS = [{ 'retry-after-ms': '1500' }, { 'retry-after': '2' }] as const

/** The refusal number `attempt` (from 0), or null when the call goes through. */
export function rateLimitError(attempt: number): APICallError | null {
  const responseHeaders = REFUSALS[attempt]
  if (responseHeaders === undefined) return null
  return demoError({
    statusCode: 429,
    message: 'Rate limit reached for this demonstration.',
    responseHeaders,
  })
}

export function brokenError(): APICallError {
  const message = 'This failure was asked for. Nothing is wrong, and the next message will work.'
  return demoError({ statusCode: 400, message, isRetryable: false })
}

export function overflowError(tokens: number, limit: number): APICallError {
  const message = `prompt is too long: ${tokens} tokens > ${limit} maximum`
  return demoError({ statusCode: 400, message, isRetryable: false })
}

type Details = Pick<
  ConstructorParameters<typeof APICallError>[0],
  'message' | 'statusCode' | 'responseHeaders' | 'isRetryable'
>

function demoError(details: Details): APICallError {
  return new APICallError({ url: 'demo:', requestBodyValues: {}, ...details })
}
