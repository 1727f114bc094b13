import { randomBytes } from 'node:crypto'
import type { AuthProvider, OAuthClientProvider } from '@modelcontextprotocol/client'
import type { Clock, McpSignIns } from '@palimpsest/core/ports'
import { createAuthFetch } from './auth-fetch.ts'
import type { Credentials, StoredSignIn } from './credentials.ts'
import { revokeTokens } from './revoke-tokens.ts'

type Sdk = typeof import('@modelcontextprotocol/client')

/** Milliseconds in which a person has to come back from the authorisation page. */
const PENDING_MS = 600_000
/** Milliseconds that a sign-out waits for the authorisation server to end the tokens. */
const REVOCATION_MS = 3_000
const NEEDED = 'The server needs a sign-in.'
const CALLBACK = '/mcp/callback'

/** A server at an address, as far as a sign-in needs it. */
export type SignInServer = { name: string; url: string; signInServers: readonly string[] }

/** Signs in at MCP servers that ask for it, and hands their connections the tokens. */
export type SignIns = McpSignIns & {
  /** What a transport of this server authorises its requests with. */
  providerOf(server: SignInServer, sdk: Sdk): AuthProvider
  /** What no reason may show. */
  secretsOf(name: string): string[]
}

type Pending = { server: SignInServer; state: string; redirect: string; verifier: string; since: number }

/** What is known of one server. */
type Known = {
  stored: StoredSignIn | null
  needed: boolean
  challenge: { resourceMetadataUrl?: URL; scope?: string }
  renewing: Promise<void> | null
}

type SignInPorts = {
  credentials: Credentials
  clock: Clock
  /** Removes these values from every line of the log from now on. */
  redactFromLogs(secrets: readonly string[]): void
}

export function createSignIns(
  servers: readonly SignInServer[],
  { credentials, clock, redactFromLogs }: SignInPorts,
): SignIns {
  const known = new Map<string, Known>()
  const pending = new Map<string, Pending>()

  async function knownOf({ name, url }: SignInServer): Promise<Known> {
    const found = known.get(name)
    if (found !== undefined) return found
    const stored = await credentials.read(name, url)
    redactFromLogs(secretsIn(stored))
    const read = known.get(name) ?? { stored, needed: false, challenge: {}, renewing: null }
    known.set(name, read)
    return read
  }

  function serverOf(name: string): SignInServer {
    const server = servers.find((one) => one.name === name)
    if (server === undefined) throw new Error('There is no sign-in at this server.')
    return server
  }

  /** The provider of one sign-in; without `mine` it only renews, and asks nobody. */
  function clientOf(
    server: SignInServer,
    of: Known,
    mine: Pending | null,
  ): OAuthClientProvider & { page?: URL } {
    const redirect = mine?.redirect ?? of.stored?.redirect ?? ''
    const save = async (change: Partial<StoredSignIn>) => {
      of.stored = { ...of.stored, redirect, ...change }
      redactFromLogs(secretsIn(of.stored))
      await credentials.write(server.name, server.url, of.stored)
    }
    const client: OAuthClientProvider & { page?: URL } = {
      redirectUrl: redirect,
      clientMetadata: {
        client_name: 'Palimpsest',
        redirect_uris: [redirect],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      ...(mine !== null && { state: () => mine.state }),
      clientInformation: () => of.stored?.client,
      saveClientInformation: (information) => save({ client: { ...information } }),
      tokens: () => of.stored?.tokens,
      saveTokens: (tokens) => save({ tokens: { ...tokens } }),
      redirectToAuthorization(page) {
        if (mine === null) throw new Error('The sign-in at the server could not be renewed.')
        client.page = page
      },
      saveCodeVerifier(verifier) {
        redactFromLogs([verifier])
        if (mine !== null) mine.verifier = verifier
      },
      codeVerifier: () => mine?.verifier ?? '',
      discoveryState: () => of.stored?.discovery,
      saveDiscoveryState: (discovery) => save({ discovery: { ...discovery } }),
      async invalidateCredentials(scope) {
        const { client: registered, tokens, discovery, ...rest } = of.stored ?? { redirect }
        of.stored = {
          ...rest,
          ...(registered && scope !== 'all' && scope !== 'client' && { client: registered }),
          ...(tokens && scope !== 'all' && scope !== 'tokens' && { tokens }),
          ...(discovery && scope !== 'all' && scope !== 'discovery' && { discovery }),
        }
        await credentials.write(server.name, server.url, of.stored)
      },
    }
    return client
  }

  async function renew(server: SignInServer, of: Known, sdk: Sdk): Promise<void> {
    const { client, tokens } = of.stored ?? {}
    if (client === undefined || tokens?.refresh_token === undefined) throw new sdk.UnauthorizedError(NEEDED)
    const { url: serverUrl, signInServers } = server
    const fetchFn = createAuthFetch([serverUrl, ...signInServers])
    await sdk.auth(clientOf(server, of, null), { serverUrl, fetchFn, ...of.challenge })
  }

  return {
    providerOf: (server, sdk) => ({
      async token() {
        return (await knownOf(server)).stored?.tokens?.access_token
      },
      async onUnauthorized({ response }) {
        const of = await knownOf(server)
        of.challenge = challengeIn(response, sdk)
        of.needed = true
        // A refresh token counts once: requests that fail at the same time share one renewal.
        of.renewing ??= renew(server, of, sdk).finally(() => {
          of.renewing = null
        })
        await of.renewing
        of.needed = false
      },
    }),
    secretsOf: (name) => secretsIn(known.get(name)?.stored ?? null),
    state(name) {
      const server = servers.find((one) => one.name === name)
      if (server === undefined) return null
      const of = known.get(name)
      if (of === undefined) knownOf(server).catch(() => undefined)
      if (of?.needed === true) return 'needed'
      return of?.stored?.tokens === undefined ? 'none' : 'done'
    },
    async begin(name, origin) {
      const server = serverOf(name)
      const sdk = await import('@modelcontextprotocol/client')
      const of = await knownOf(server)
      const redirect = new URL(CALLBACK, origin).href
      const state = randomBytes(32).toString('base64url')
      const mine: Pending = { server, state, redirect, verifier: '', since: clock.elapsed() }
      // A client that was registered for another way back is of no use; where to sign in is found out anew.
      const client = of.stored?.redirect === redirect ? of.stored.client : undefined
      of.stored = {
        redirect,
        ...(client && { client }),
        ...(of.stored?.tokens && { tokens: of.stored.tokens }),
      }
      const provider = clientOf(server, of, mine)
      const { url: serverUrl, signInServers } = server
      const fetchFn = createAuthFetch([serverUrl, ...signInServers])
      await sdk.auth(provider, { serverUrl, fetchFn, forceReauthorization: true, ...of.challenge })
      const { page } = provider
      if (page === undefined || (page.protocol !== 'https:' && !isAllowed(page, server)))
        throw new Error('The server names no page for a sign-in.')
      for (const [key, one] of pending) if (one.server.name === name) pending.delete(key)
      pending.set(state, mine)
      return page.href
    },
    async finish(params) {
      const state = params.get('state') ?? ''
      const mine = pending.get(state)
      // A state counts once.
      pending.delete(state)
      if (mine === undefined || clock.elapsed() - mine.since > PENDING_MS)
        throw new Error('This sign-in is not known any more. Begin it again.')
      const { server } = mine
      redactFromLogs([params.get('code') ?? ''])
      const sdk = await import('@modelcontextprotocol/client')
      const of = await knownOf(server)
      const transport = new sdk.StreamableHTTPClientTransport(new URL(server.url), {
        authProvider: clientOf(server, of, mine),
        fetch: createAuthFetch([server.url, ...server.signInServers]),
      })
      await transport.finishAuth(params)
      of.needed = false
      return server.name
    },
    async end(name) {
      const server = serverOf(name)
      const of = await knownOf(server)
      const { stored } = of
      of.stored = null
      of.needed = false
      await credentials.write(name, server.url, null)
      if (stored === null) return
      const revoked = revokeTokens(stored, createAuthFetch([server.url, ...server.signInServers]))
      await Promise.race([revoked, clock.sleep(REVOCATION_MS)])
    },
  }
}

function secretsIn(stored: StoredSignIn | null): string[] {
  const { tokens, client } = stored ?? {}
  const secrets = [tokens?.access_token, tokens?.refresh_token, client?.['client_secret']]
  return secrets.filter((one) => typeof one === 'string')
}

function isAllowed({ origin }: URL, { url, signInServers }: SignInServer): boolean {
  return [url, ...signInServers].some((one) => URL.canParse(one) && new URL(one).origin === origin)
}

function challengeIn(response: Response, sdk: Sdk): Known['challenge'] {
  const { resourceMetadataUrl, scope } = sdk.extractWWWAuthenticateParams(response)
  return { ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(scope !== undefined && { scope }) }
}
