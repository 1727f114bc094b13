import { AppError, type ErrorCode, toAppError } from '@palimpsest/core/domain'
import { TRPCError } from '@trpc/server'
import { ZodError } from 'zod'
import { fieldOf, messageOf } from '../zod-issue.ts'

type TrpcCode = TRPCError['code']

/** What each error is on the wire. 5xx makes subscribers come again, 4xx makes them stop. */
const TRPC_CODES: Record<ErrorCode, TrpcCode> = {
  SESSION_NOT_FOUND: 'NOT_FOUND',
  SESSION_BUSY: 'CONFLICT',
  SESSION_NOT_RUNNING: 'CONFLICT',
  SESSION_ARCHIVED: 'CONFLICT',
  MESSAGE_NOT_FOUND: 'NOT_FOUND',
  INVALID_INPUT: 'BAD_REQUEST',
  CONFLICT: 'CONFLICT',
  MODEL_NOT_FOUND: 'NOT_FOUND',
  MODEL_TOO_SMALL: 'UNPROCESSABLE_CONTENT',
  CONTEXT_EXHAUSTED: 'UNPROCESSABLE_CONTENT',
  COMPACTION_FAILED: 'UNPROCESSABLE_CONTENT',
  PROVIDER_ERROR: 'BAD_GATEWAY',
  BUDGET_EXHAUSTED: 'PAYMENT_REQUIRED',
  PERMISSION_DENIED: 'FORBIDDEN',
  HOOK_DENIED: 'FORBIDDEN',
  RESUME_MISMATCH: 'PRECONDITION_FAILED',
  STORE_ERROR: 'SERVICE_UNAVAILABLE',
  WORKER_OFFLINE: 'SERVICE_UNAVAILABLE',
  UNAUTHORIZED: 'UNAUTHORIZED',
  RATE_LIMITED: 'TOO_MANY_REQUESTS',
  INTERNAL: 'INTERNAL_SERVER_ERROR',
}

/** Errors that tRPC raises by itself, before a procedure runs. What is not named here is the caller's fault. */
const OWN_CODES: Partial<Record<TrpcCode, ErrorCode>> = {
  INTERNAL_SERVER_ERROR: 'INTERNAL',
  UNAUTHORIZED: 'UNAUTHORIZED',
  FORBIDDEN: 'PERMISSION_DENIED',
  TOO_MANY_REQUESTS: 'RATE_LIMITED',
}

/** The error as tRPC carries it; the `AppError` is its cause. */
export function toTrpcError(error: unknown): TRPCError {
  if (error instanceof TRPCError) return error
  const known = toAppError(error)
  return new TRPCError({ code: TRPC_CODES[known.code], message: known.message, cause: known })
}

/** The error of a procedure as the core means it: bad input names its field, everything unknown is `INTERNAL`. */
export function toWireError(error: TRPCError): AppError {
  const { cause } = error
  if (cause instanceof AppError) return cause
  if (error.code === 'BAD_REQUEST' && cause instanceof ZodError) return badInput(cause)
  const code = OWN_CODES[error.code] ?? 'INVALID_INPUT'
  if (code === 'INTERNAL') return toAppError(cause ?? error)
  return new AppError(code, ownMessage(error), { cause: error })
}

function badInput(error: ZodError): AppError {
  const [issue] = error.issues
  if (issue === undefined) return new AppError('INVALID_INPUT', 'The input is not right.', { field: 'input' })
  const field = fieldOf(issue) || 'input'
  return new AppError('INVALID_INPUT', `${field}: ${messageOf(issue)}`, { field })
}

function ownMessage(error: TRPCError): string {
  switch (error.code) {
    case 'PARSE_ERROR':
      return 'The request is not valid JSON.'
    case 'PAYLOAD_TOO_LARGE':
      return 'The request is too large.'
    case 'NOT_FOUND':
      return 'There is no such procedure.'
    case 'METHOD_NOT_SUPPORTED':
      return 'This procedure is not called by that method.'
    case 'UNSUPPORTED_MEDIA_TYPE':
      return 'The request is not JSON.'
    default:
      return 'The request is not right.'
  }
}
