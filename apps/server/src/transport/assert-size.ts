import { AppError, LIMITS } from '@palimpsest/core/domain'
import { SERVER_LIMITS } from '../limits.ts'
import type { JsonOutline } from './outline-json.ts'

/** Procedures whose input holds messages with their files, or a whole export. */
const LARGE = ['session.send', 'queue.edit', 'session.import']

/** Returns how many bytes a request with calls of these procedures may have. */
export function bytesFor(procedures: readonly string[], calls = procedures.length): number {
  if (procedures.some((path) => LARGE.includes(path))) return LIMITS.requestBytes
  return Math.min(LIMITS.requestBytes, SERVER_LIMITS.smallRequestBytes * Math.max(1, calls))
}

/** Fails with `INVALID_INPUT` for input that would take long to parse. */
export function assertShape({ excess }: JsonOutline, field: string): void {
  if (excess === null) return
  const { nesting, valuesPerRequest } = SERVER_LIMITS
  const words = {
    nesting: `JSON is nested at most ${nesting} times.`,
    values: `A request takes at most ${valuesPerRequest} values.`,
  }
  throw new AppError('INVALID_INPUT', words[excess], { field })
}

/** The error for a request with more bytes than its procedures take. */
export function tooLarge(bytes: number): AppError {
  return new AppError('INVALID_INPUT', `This request takes at most ${bytes} bytes.`, { field: 'body' })
}
