/** Every error that leaves the core has one of these codes; each surface maps them exhaustively. */
export const ERROR_CODES = [
  'SESSION_NOT_FOUND',
  'SESSION_BUSY',
  'SESSION_NOT_RUNNING',
  'SESSION_ARCHIVED',
  'MESSAGE_NOT_FOUND',
  'INVALID_INPUT',
  'CONFLICT',
  'MODEL_NOT_FOUND',
  'MODEL_TOO_SMALL',
  'CONTEXT_EXHAUSTED',
  'COMPACTION_FAILED',
  'PROVIDER_ERROR',
  'BUDGET_EXHAUSTED',
  'PERMISSION_DENIED',
  'HOOK_DENIED',
  'RESUME_MISMATCH',
  'STORE_ERROR',
  'WORKER_OFFLINE',
  'UNAUTHORIZED',
  'RATE_LIMITED',
  'FILES_PENDING',
  'INTERNAL',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

export type AppErrorOptions = {
  /** Path of the input field at fault, such as `message.parts.0.text`. */
  field?: string
  /** Kept for logs; never sent to a client. */
  cause?: unknown
}

/** The one error class. `message` is written for the person who reads it and never holds a path, SQL or a key. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly field: string | undefined

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.field = options.field
  }
}

/** Whether an error is a failure of this server; every other one only refuses what was asked of it. */
export function isServerFault(error: unknown): boolean {
  const { code } = toAppError(error)
  return code === 'INTERNAL' || code === 'STORE_ERROR'
}

/** The level at which an error is logged that ends the work of a caller. */
export function levelOf(error: unknown): 'error' | 'warn' {
  return isServerFault(error) ? 'error' : 'warn'
}

/** The error itself when it is an `AppError`, else one of code `fallback` that keeps it as its cause. */
export function toAppError(error: unknown, fallback: ErrorCode = 'INTERNAL'): AppError {
  if (error instanceof AppError) return error
  return new AppError(fallback, 'Something went wrong inside the server.', { cause: error })
}
