import { ERROR_CODES, type ErrorCode } from '@palimpsest/core/domain'

/** The text of a failed call. Without a code the server could not be reached, and a retry may help. */
export type Failure = { code: ErrorCode | null; message: string }

const UNREACHABLE = 'The server can’t be reached.'

/** Reads an error of the client; the server's messages are written for people and are shown as they are. */
export function describeFailure(error: unknown): Failure {
  const code = appCode(error)
  if (code === null) return { code, message: UNREACHABLE }
  return { code, message: error instanceof Error ? error.message : UNREACHABLE }
}

function appCode(error: unknown): ErrorCode | null {
  const data: unknown = isObject(error) && 'data' in error ? error.data : null
  const code: unknown = isObject(data) && 'appCode' in data ? data.appCode : null
  return ERROR_CODES.find((known) => known === code) ?? null
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
