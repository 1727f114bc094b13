import type { ErrorCode } from '../domain/errors.ts'
import type { ProviderError, ProviderErrorKind } from '../model/provider-error.ts'
import type { RunEnd } from './run-types.ts'

const CODES: Record<ProviderErrorKind, ErrorCode> = {
  transient: 'PROVIDER_ERROR',
  'rate-limit': 'RATE_LIMITED',
  'context-overflow': 'CONTEXT_EXHAUSTED',
  auth: 'PROVIDER_ERROR',
  'invalid-request': 'PROVIDER_ERROR',
  fatal: 'PROVIDER_ERROR',
  aborted: 'PROVIDER_ERROR',
}

/** How a run ends that its provider failed. */
export function failureEnd({ kind, message }: ProviderError): RunEnd {
  return { finishReason: 'error', error: { code: CODES[kind], message } }
}
