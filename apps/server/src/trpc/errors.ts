import { AppError, type ErrorCode, LIMITS, toAppError } from '@palimpsest/core/domain'
import { TRPCError } from '@trpc/server'
import { ZodError } from 'zod'
import { SERVER_LIMITS } from '../limits.ts'
import { fieldOf, messageOf } from '../zod-issue.ts'

type TrpcCode = TRPCError['code']

/** The tRPC code of each error. 5xx makes subscribers reconnect, 4xx makes them stop. */
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
  FILES_PENDING: 'CONFLICT',
  INTERNAL: 'INTERNAL_SERVER_ERROR',
}

/** Errors that tRPC throws itself, before a procedure runs. Those not listed here are the caller's fault. */
const OWN_CODES: Partial<Record<TrpcCode, ErrorCode>> = {
  INTERNAL_SERVER_ERROR: 'INTERNAL',
  UNAUTHORIZED: 'UNAUTHORIZED',
  FORBIDDEN: 'PERMISSION_DENIED',
  TOO_MANY_REQUESTS: 'RATE_LIMITED',
}

const OWN_WORDS: Partial<Record<TrpcCode, { field: string; message: string }>> = {
  PARSE_ERROR: { field: 'body', message: 'The request is not valid JSON.' },
  PAYLOAD_TOO_LARGE: { field: 'body', message: `A request takes at most ${LIMITS.requestBytes} bytes.` },
  UNSUPPORTED_MEDIA_TYPE: { field: 'content-type', message: 'The request is not JSON.' },
  NOT_FOUND: { field: 'path', message: 'There is no such procedure.' },
  METHOD_NOT_SUPPORTED: { field: 'method', message: 'This procedure is not called by that method.' },
}

/** The error as tRPC carries it; the `AppError` is its cause. */
export function toTrpcError(error: unknown): TRPCError {
  if (error instanceof TRPCError) return error
  const known = toAppError(error)
  return new TRPCError({ code: TRPC_CODES[known.code], message: known.message, cause: known })
}

/** The error of a procedure as the core threw it: bad input names its field, every unknown error is `INTERNAL`. */
export function toWireError(error: TRPCError): AppError {
  const { cause } = error
  if (cause instanceof AppError) return cause
  if (error.code === 'BAD_REQUEST' && cause instanceof ZodError) return badInput(cause)
  if (error.code === 'BAD_REQUEST' && cause instanceof SyntaxError) {
    return new AppError('INVALID_INPUT', 'The input is not valid JSON.', { field: 'input', cause: error })
  }
  if (error.code === 'BAD_REQUEST' && error.message === TOO_MANY_CALLS) return tooManyCalls(error)
  if (error.code === 'PARSE_ERROR' && cause instanceof Error && !(cause instanceof SyntaxError)) {
    const words = 'The request is JSON, but no call of a procedure.'
    return new AppError('INVALID_INPUT', words, { field: 'body', cause: error })
  }
  const code = OWN_CODES[error.code] ?? 'INVALID_INPUT'
  if (code === 'INTERNAL') return toAppError(cause ?? error)
  const { field, message } = OWN_WORDS[error.code] ?? { field: 'input', message: 'The request is not right.' }
  return new AppError(code, message, { field, cause: error })
}

/** The message of tRPC for a batch beyond the limit. */
const TOO_MANY_CALLS = 'Batch call exceeds maximum size'

function tooManyCalls(cause: TRPCError): AppError {
  const { callsPerRequest, callsPerMessage } = SERVER_LIMITS
  const words = `A request takes at most ${callsPerRequest} calls, a socket message ${callsPerMessage}.`
  return new AppError('INVALID_INPUT', words, { field: 'batch', cause })
}

function badInput(error: ZodError): AppError {
  const [issue] = error.issues
  if (issue === undefined) return new AppError('INVALID_INPUT', 'The input is not right.', { field: 'input' })
  const field = fieldOf(issue) || 'input'
  return new AppError('INVALID_INPUT', `${field}: ${messageOf(issue)}`, { field })
}
