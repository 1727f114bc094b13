import type { OAuthClientInformationMixed, OAuthClientProvider } from '@modelcontextprotocol/client'
import type { StoredSignIn } from './credentials.ts'
import { SignInError } from './sign-in-failure.ts'

/** A sign-in that a person has begun. `scope` is what its page asks for. */
export type Attempt = { state: string; redirect: string; verifier: string; scope: string | undefined }

type Parts = {
  stored(): StoredSignIn | null
  save(change: Partial<StoredSignIn>): Promise<void>
  remove(...keys: ('client' | 'tokens' | 'discovery')[]): Promise<void>
  redactFromLogs(secrets: readonly string[]): void
  /** The client of the configuration; null for one that registers itself. */
  configured: OAuthClientInformationMixed | null
}

export type PersonClient = OAuthClientProvider & { page?: URL }

/** The provider of one sign-in; without `attempt` it only renews, and asks nobody. */
export function createPersonClient(attempt: Attempt | null, parts: Parts): PersonClient {
  const { stored, save, remove, redactFromLogs, configured } = parts
  const redirect = attempt?.redirect ?? stored()?.redirect ?? ''
  const client: PersonClient = {
    redirectUrl: redirect,
    clientMetadata: {
      client_name: 'Palimpsest',
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    ...(attempt !== null && { state: () => attempt.state }),
    clientInformation: () => configured ?? stored()?.client,
    // Without a way to save one none is registered.
    ...(configured === null && {
      saveClientInformation: (information) => save({ client: { ...information } }),
    }),
    tokens: () => stored()?.tokens,
    saveTokens: (tokens) => save({ tokens: { ...tokens } }),
    redirectToAuthorization(page) {
      if (attempt === null) throw new SignInError('The sign-in at the server could not be renewed.')
      attempt.scope = page.searchParams.get('scope') ?? undefined
      client.page = page
    },
    saveCodeVerifier(verifier) {
      redactFromLogs([verifier])
      if (attempt !== null) attempt.verifier = verifier
    },
    codeVerifier: () => attempt?.verifier ?? '',
    discoveryState: () => stored()?.discovery,
    saveDiscoveryState: (discovery) => save({ discovery: { ...discovery } }),
    invalidateCredentials: (scope) =>
      scope === 'all'
        ? remove('client', 'tokens', 'discovery')
        : scope === 'verifier'
          ? Promise.resolve()
          : remove(scope),
  }
  return client
}
