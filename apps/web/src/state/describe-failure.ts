import { ERROR_CODES, type ErrorCode } from '@palimpsest/core/domain'

/** A failed call in words for a person. Without a code the server was out of reach, and trying again may help. */
export type Failure = { code: ErrorCode | null; message: string }

const OUT_OF_REACH = 'The server is out of reach.'

/** Reads an error of the client; the server's messages are written for people and are shown as they are. */
export function describeFailure(error: unknown): Failure {
  const code = appCode(error)
  if (code === null) return { code, message: OUT_OF_REACH }
  return { code, message: error instanceof Error ? error.message : OUT_OF_REACH }
}

function appCode(error: unknown): ErrorCode | null {
  const data: unknown = isObject(error) && 'data' in error ? error.data : null
  const code: unknown = isObject(data) && 'appCode' in data ? data.appCode : null
  return ERROR_CODES.find((known) => known === code) ?? null
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
