import { ERROR_CODES, type ErrorCode } from '@palimpsest/core/domain'

/** The text of a failed call, and the path of the input at fault. Without a code the server could not be reached, and a retry may help. */
export type Failure = { code: ErrorCode | null; message: string; field?: string }

const UNREACHABLE = 'The server can’t be reached.'

/** Reads an error of the client; the server's messages are written for people and are shown as they are. */
export function describeFailure(error: unknown): Failure {
  const code = appCode(error)
  if (code === null) return { code, message: UNREACHABLE }
  const field = fieldOf(error)
  return {
    code,
    message: error instanceof Error ? error.message : UNREACHABLE,
    ...(field !== null && { field }),
  }
}

function fieldOf(error: unknown): string | null {
  const data = dataOf(error)
  const field: unknown = isObject(data) && 'field' in data ? data.field : null
  return typeof field === 'string' ? field : null
}

function dataOf(error: unknown): unknown {
  return isObject(error) && 'data' in error ? error.data : null
}

function appCode(error: unknown): ErrorCode | null {
  const data = dataOf(error)
  const code: unknown = isObject(data) && 'appCode' in data ? data.appCode : null
  return ERROR_CODES.find((known) => known === code) ?? null
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
