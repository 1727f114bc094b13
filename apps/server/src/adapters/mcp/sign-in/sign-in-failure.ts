import { NotPublicError } from '../../web/not-public-error.ts'

/** Characters of a message that a person reads as it is. */
const READABLE = 300

/** A failure whose message is a sentence for a person. */
export class SignInError extends Error {
  override name = 'SignInError'
}

/** A failure of a sign-in at a server, as one sentence: what a validator or a parser says of an answer is none. */
export function signInFailure(server: string, error: unknown): SignInError {
  if (error instanceof SignInError) return error
  return new SignInError(`The sign-in at ${server} failed: ${whySignInFailed(error)}`, { cause: error })
}

/** Why a sign-in failed, as the end of a sentence. */
export function whySignInFailed(error: unknown): string {
  if (!(error instanceof Error)) return 'nothing says why.'
  const { message } = error
  if (isMalformed(error)) return 'its authorisation server sent an answer that cannot be read.'
  const cause = error.cause instanceof Error ? error.cause : null
  if (cause instanceof NotPublicError) return `${cause.message}.`
  if (/Timeout/.test(`${error.name} ${cause?.name ?? ''}`)) return 'its authorisation server took too long.'
  if (message === 'fetch failed') return 'its authorisation server does not answer.'
  const status = statusOf(error)
  if (status !== null) return `its authorisation server answered with status ${status}.`
  if (isReadable(message)) return /[.!?]$/.test(message) ? message : `${message}.`
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return /^\w{1,60}$/.test(code)
    ? `its authorisation server answered with the error ${code}.`
    : 'its authorisation server sent an answer that cannot be read.'
}

/** What a validator of schemas, a parser of JSON or one of addresses says. */
function isMalformed(error: Error): boolean {
  if ('issues' in error && Array.isArray(error.issues)) return true
  return error instanceof SyntaxError || ('code' in error && error.code === 'ERR_INVALID_URL')
}

/** The status of an answer whose body is no error of OAuth, or that refuses to register a client. */
function statusOf(error: Error): string | null {
  if ('status' in error && typeof error.status === 'number') return String(error.status)
  return /^HTTP (\d{3}): Invalid OAuth error response/.exec(error.message)?.[1] ?? null
}

function isReadable(message: string): boolean {
  return message !== '' && message.length <= READABLE && !/\n|^\{|^\[\s*[{"]/.test(message)
}
