import { APICallError, TypeValidationError, UnsupportedFunctionalityError } from '@ai-sdk/provider'
import { isContextOverflow, namedLimit } from './context-overflow.ts'
import { type ProviderErrorFacts, readProviderError } from './provider-error-facts.ts'
import { redact } from './redact.ts'
import { retryAfter } from './retry-after.ts'

/** `transient` and `rate-limit` are worth another try; `context-overflow` needs a compaction; the others end the run. */
export type ProviderErrorKind =
  | 'transient'
  | 'rate-limit'
  | 'context-overflow'
  | 'auth'
  | 'invalid-request'
  | 'fatal'
  | 'aborted'

/** `message` is a sentence for a person, free of keys and addresses. */
export type ProviderError = {
  kind: ProviderErrorKind
  message: string
  retryAfterMs?: number
  /** The model's window in tokens, where a refusal names it. */
  contextLimit?: number
}

/**
 * Says what kind of failure a model call ended in, whether it was thrown before the first chunk or arrived inside the
 * stream. `now` (epoch milliseconds) turns a retry-after date into a wait; `redactSecrets` takes the secrets of the
 * provider out of its words. Never throws.
 */
export function classifyProviderError(
  error: unknown,
  now: number,
  redactSecrets: Redact = (text) => text,
): ProviderError {
  const facts = readProviderError(error)
  if (facts.refused !== undefined) return { kind: 'fatal', message: facts.refused }
  const kind = kindOf(facts)
  const wait =
    kind === 'transient' || kind === 'rate-limit' ? retryAfter(facts.headers, facts.text, now) : undefined
  const message = messageFor(kind, facts, redactSecrets)
  const contextLimit = kind === 'context-overflow' ? namedLimit(facts.text) : null
  return {
    kind,
    message,
    ...(wait !== undefined && { retryAfterMs: wait }),
    ...(contextLimit !== null && { contextLimit }),
  }
}

export function isRetryable(kind: ProviderErrorKind): boolean {
  return kind === 'transient' || kind === 'rate-limit'
}

/** Errors of the same meaning that the packages don't export, by name. */
const UNWRITABLE: ReadonlySet<string> = new Set([
  'AI_MissingToolResultsError',
  'AI_InvalidPromptError',
  'ZodError',
])

/**
 * True when an error may come from writing a request, before any of it was sent: the packages check what they made of
 * earlier answers with the schemas of their tools, and refuse a conversation for one part that does not fit them.
 */
export function isUnwritable(error: unknown): boolean {
  if (APICallError.isInstance(error)) return false
  if (TypeValidationError.isInstance(error) || UnsupportedFunctionalityError.isInstance(error)) return true
  return error instanceof Error && UNWRITABLE.has(error.name)
}

const NETWORK = /^(E[A-Z]{4,}|UND_ERR_\w+|Connection(Refused|Closed)|FailedToOpenSocket)$/
const BROKEN_OFF = /stream ended without|provider reported a failure|expected a normalized \w+ stream error/i
const NETWORK_WORDS =
  /fetch failed|failed to fetch|terminated|socket hang up|other side closed|network error|cannot connect/i
const TIMEOUT = /timeout|timed out|^ETIMEDOUT$/i
/** Failures that some servers name in a sentence alone. */
const PASSING =
  /^(overloaded|overloaded error|model overloaded|internal server error|service unavailable)\.?$/i
const OVERLOADED = /overloaded|unavailable|capacity/i
const SERVER = /^(server_error|api_error|internal|internal_error|INTERNAL|internal_server_error)$/
const UNREADABLE =
  /^AI_(JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|NoOutputGenerated)Error$/
const QUOTA = /insufficient_quota|billing_hard_limit|exceeded your current quota|credit balance is too low/i
const KEY = /^AI_Load(APIKey|Setting)Error$/
const KEY_WORDS =
  /api key not valid|invalid_api_key|incorrect api key|authentication_error|permission_(error|denied)/i

function kindOf(facts: ProviderErrorFacts): ProviderErrorKind {
  const { names, codes, status } = facts
  if (names[0] === 'AbortError' || names[0] === 'ResponseAborted') return 'aborted'
  if (isQuota(facts)) return 'fatal'
  if (status === 429 || codes.some((code) => /rate_limit|RESOURCE_EXHAUSTED/.test(code))) return 'rate-limit'
  if (isContextOverflow(facts.text)) return 'context-overflow'
  if (status === 401 || status === 403 || names.some((name) => KEY.test(name)) || KEY_WORDS.test(facts.text))
    return 'auth'
  if (isTransient(facts)) return 'transient'
  if (status !== undefined || codes.some((code) => /invalid|not_found|unsupported/i.test(code)))
    return 'invalid-request'
  return 'fatal'
}

function isQuota(facts: ProviderErrorFacts): boolean {
  // Google words a per-minute limit as an exceeded quota too, and names the wait.
  const waits = facts.text.includes('retryDelay')
  return facts.status === 402 || (QUOTA.test(facts.text) && !waits)
}

function isTransient(facts: ProviderErrorFacts): boolean {
  const { status, codes } = facts
  if (status !== undefined) return status >= 500 || [408, 409, 425].includes(status)
  return (
    facts.retryable ||
    isOffline(facts) ||
    isTimeout(facts) ||
    isUnreadable(facts) ||
    facts.messages.some((message) => PASSING.test(message.trim())) ||
    codes.some((code) => SERVER.test(code) || OVERLOADED.test(code))
  )
}

function isOffline({ codes, messages }: ProviderErrorFacts): boolean {
  return codes.some((code) => NETWORK.test(code)) || messages.some((message) => NETWORK_WORDS.test(message))
}

function isTimeout({ names, codes }: ProviderErrorFacts): boolean {
  return (
    names.includes('TimeoutError') ||
    names.includes('StalledError') ||
    codes.some((code) => TIMEOUT.test(code))
  )
}

function isUnreadable({ names, messages }: ProviderErrorFacts): boolean {
  return names.some((name) => UNREADABLE.test(name)) || messages.some((message) => BROKEN_OFF.test(message))
}

type Redact = (text: string) => string

function messageFor(kind: ProviderErrorKind, facts: ProviderErrorFacts, redactSecrets: Redact): string {
  switch (kind) {
    case 'aborted':
      return 'The reply was stopped.'
    case 'context-overflow':
      return 'The conversation no longer fits into the context window of this model.'
    case 'auth':
      return 'The provider did not accept the API key, or the key may not use this model.'
    case 'rate-limit':
      return 'The provider limits how often it can be asked.'
    case 'transient':
      return transientMessage(facts)
    case 'invalid-request':
      return quote('The provider refused the request', facts, redactSecrets)
    case 'fatal':
      return isQuota(facts)
        ? 'The provider says that the quota or the credit of this account is used up.'
        : quote('The model could not answer', facts, redactSecrets)
  }
}

function transientMessage(facts: ProviderErrorFacts): string {
  if (facts.status === 529 || facts.status === 503 || facts.codes.some((code) => OVERLOADED.test(code)))
    return 'The provider is overloaded right now.'
  if (facts.status === 408 || facts.status === 504 || isTimeout(facts))
    return 'The provider did not answer in time.'
  if (facts.status !== undefined) return `The provider had an internal problem (HTTP ${facts.status}).`
  if (isOffline(facts)) return 'The connection to the provider failed.'
  if (facts.names.some((name) => UNREADABLE.test(name)))
    return 'The answer of the provider broke off or was unreadable.'
  return 'The provider had a passing problem.'
}

function quote(lead: string, facts: ProviderErrorFacts, redactSecrets: Redact): string {
  const words = redact(redactSecrets(facts.messages[0] ?? ''))
  return words === '' ? `${lead}.` : `${lead}: ${words}`
}
