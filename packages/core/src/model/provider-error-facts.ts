import { TypeValidationError } from 'ai'
import { RefusedAnswerError } from './refused-answer.ts'

/** The facts that an error of the AI SDK, a provider or the network contains, at any depth. */
export type ProviderErrorFacts = {
  /** Class names along the chain of causes. */
  names: string[]
  /** Error codes and types, of the provider and of the network, as they are spelt. */
  codes: string[]
  /** What a person may read, outermost first. */
  messages: string[]
  /** Everything that was said, for looking up wordings. */
  text: string
  /** HTTP status. */
  status?: number
  /** Header names in lower case. */
  headers: Record<string, string>
  /** The provider package's own opinion. */
  retryable: boolean
  /** Why we did not take the answer. */
  refused?: string
}

/** The provider's message in an event that its package cannot read: it is more specific than the package's error. */
function reportedIn(error: unknown): unknown {
  if (!TypeValidationError.isInstance(error) || !isObject(error.value)) return error
  const { response, error: reported } = error.value
  const failure = reported ?? (isObject(response) ? response['error'] : null)
  return typeof failure === 'string' || isObject(failure) ? failure : error
}

/** Errors nest as `cause`, `lastError` (the SDK's retries), `error` (in-stream events) and `data` (parsed bodies). */
const NESTED = ['lastError', 'cause', 'error', 'data', 'response'] as const
const MAX_DEPTH = 8

/** Reads an error of any shape. Never throws. */
export function readProviderError(error: unknown): ProviderErrorFacts {
  const facts: ProviderErrorFacts = {
    names: [],
    codes: [],
    messages: [],
    text: '',
    headers: {},
    retryable: false,
  }
  collect(reportedIn(error), facts, 0)
  return facts
}

function collect(value: unknown, facts: ProviderErrorFacts, depth: number): void {
  if (depth > MAX_DEPTH) return
  if (typeof value === 'string') say(value, facts)
  if (!isObject(value)) return
  if (value instanceof RefusedAnswerError) facts.refused ??= value.message
  if (value instanceof Error) facts.names.push(value.name)
  for (const key of ['code', 'type', 'status'] as const) {
    const code = value[key]
    if (typeof code === 'string') {
      facts.codes.push(code)
      facts.text += `\n${code}`
    }
  }
  const status = statusOf(value)
  if (status !== undefined) facts.status ??= status
  if (isObject(value['responseHeaders'])) Object.assign(facts.headers, headersOf(value['responseHeaders']))
  if (value['isRetryable'] === true || value['is_retryable'] === true) facts.retryable = true
  if (typeof value['message'] === 'string') say(value['message'], facts)
  if (typeof value['responseBody'] === 'string') facts.text += `\n${value['responseBody']}`
  for (const key of NESTED) collect(value[key], facts, depth + 1)
}

function say(message: string, facts: ProviderErrorFacts): void {
  facts.text += `\n${message}`
  if (message.trim() !== '') facts.messages.push(message)
}

function statusOf(value: Record<string, unknown>): number | undefined {
  return [value['statusCode'], value['status_code'], value['status'], value['code']]
    .map((candidate) =>
      typeof candidate === 'string' && /^\d{3}$/.test(candidate) ? Number(candidate) : candidate,
    )
    .find(
      (candidate): candidate is number =>
        typeof candidate === 'number' && candidate >= 400 && candidate < 600,
    )
}

function headersOf(headers: Record<string, unknown>): Record<string, string> {
  const pairs = Object.entries(headers).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string',
  )
  return Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
