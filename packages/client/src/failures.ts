import { TRPCClientError } from '@trpc/client'

/** Whether the server answered and said no (4xx): asking again would change nothing. */
export function isRefusal(error: unknown): boolean {
  const status = statusOf(error)
  return status !== null && status >= 400 && status < 500
}

/** Whether no answer came at all. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof TRPCClientError && statusOf(error) === null
}

/** The `appCode` of a failed call; null when the failure is not the server's answer. */
export function appCodeOf(error: unknown): string | null {
  const code = error instanceof TRPCClientError ? dataOf(error)?.['appCode'] : null
  return typeof code === 'string' ? code : null
}

function statusOf(error: unknown): number | null {
  if (!(error instanceof TRPCClientError)) return null
  const status = dataOf(error)?.['httpStatus'] ?? refusedStatus(error.cause)
  return typeof status === 'number' ? status : null
}

function dataOf(error: TRPCClientError<never>): Record<string, unknown> | undefined {
  const data: unknown = error.data
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : undefined
}

/** An event source that was refused names the HTTP status as its code. */
function refusedStatus(cause: unknown): unknown {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : null
}
