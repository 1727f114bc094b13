import { randomBytes } from 'node:crypto'
import type { AuthProvider, InsufficientScopeError } from '@modelcontextprotocol/client'
import type { Clock, McpSignIns } from '@palimpsest/core/ports'
import { createAuthFetch } from './auth-fetch.ts'
import type { Credentials, StoredSignIn } from './credentials.ts'
import { type Attempt, createPersonClient, type PersonClient } from './person-client.ts'
import { revokeTokens } from './revoke-tokens.ts'
import { SignInError, signInFailure } from './sign-in-failure.ts'
import { type RefusedScope, refuseScope, scopeUnion, signedInFor } from './wider-scope.ts'

type Sdk = typeof import('@modelcontextprotocol/client')

/** Milliseconds in which a person has to come back from the authorisation page. */
const PENDING_MS = 600_000
/** Milliseconds that a sign-out waits for the authorisation server to end the tokens. */
const REVOCATION_MS = 3_000
const NEEDED = 'The server needs a sign-in.'
const CALLBACK = '/mcp/callback'

/** A client that the operator has registered at an authorisation server, the only one that gets its secret. */
export type RegisteredClient = {
  as: 'person'
  issuer: string
  clientId: string
  clientSecret?: string
  scope?: string
}

/** A server at an address, as far as a sign-in needs it. Without `signIn` a client is registered. */
export type SignInServer = {
  name: string
  url: string
  signInServers: readonly string[]
  signIn?: RegisteredClient
}

/** Signs in at MCP servers that ask for it, and hands their connections the tokens. */
export type SignIns = McpSignIns & {
  /** What a transport of this server authorises its requests with. */
  providerOf(server: SignInServer, sdk: Sdk): AuthProvider
  /** What no reason may show. */
  secretsOf(name: string): string[]
  /** Notes that a call was refused because it needs a wider scope. */
  refuse(server: SignInServer, error: InsufficientScopeError): Promise<RefusedScope>
}

type Pending = Attempt & { server: SignInServer; since: number }

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

  async function knownOf(server: SignInServer): Promise<Known> {
    const { name } = server
    const found = known.get(name)
    if (found !== undefined) return found
    const stored = await credentials.read(name, ownerOf(server))
    redactFromLogs(secretsIn(stored))
    const read = known.get(name) ?? { stored, needed: false, challenge: {}, renewing: null }
    known.set(name, read)
    return read
  }

  function serverOf(name: string): SignInServer {
    const server = servers.find((one) => one.name === name)
    if (server === undefined) throw new SignInError('There is no sign-in at this server.')
    return server
  }

  /** Stores a sign-in; null forgets it. */
  async function store(server: SignInServer, of: Known, stored: StoredSignIn | null): Promise<void> {
    of.stored = stored
    redactFromLogs(secretsIn(stored))
    await credentials.write(server.name, ownerOf(server), stored)
  }

  function clientOf(server: SignInServer, of: Known, mine: Pending | null): PersonClient {
    const redirect = mine?.redirect ?? of.stored?.redirect ?? ''
    return createPersonClient(mine, {
      configured: configuredClient(server),
      stored: () => of.stored,
      save: (change) => store(server, of, { ...of.stored, redirect, ...change }),
      remove(...keys) {
        const rest: StoredSignIn = { ...(of.stored ?? { redirect }) }
        for (const key of keys) delete rest[key]
        return store(server, of, rest)
      },
      redactFromLogs,
    })
  }

  async function renew(server: SignInServer, of: Known, sdk: Sdk): Promise<void> {
    const client = configuredClient(server) ?? of.stored?.client
    if (client === undefined || of.stored?.tokens?.refresh_token === undefined)
      throw new sdk.UnauthorizedError(NEEDED)
    const fetchFn = fetchFor(server, of)
    await sdk
      .auth(clientOf(server, of, null), { serverUrl: server.url, fetchFn, ...of.challenge })
      .catch((error: unknown) => {
        throw error instanceof sdk.UnauthorizedError ? error : signInFailure(server.name, error)
      })
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
    async refuse(server, { requiredScope, resourceMetadataUrl }) {
      const of = await knownOf(server)
      const refused = refuseScope(of.stored?.refused, requiredScope)
      if (resourceMetadataUrl !== undefined) of.challenge = { ...of.challenge, resourceMetadataUrl }
      await store(server, of, { redirect: '', ...of.stored, refused })
      return refused
    },
    widerScope(name) {
      const refused = known.get(name)?.stored?.refused
      return refused?.open === true ? refused.scope : null
    },
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
      const since = clock.elapsed()
      const mine: Pending = { server, state, redirect, verifier: '', scope: undefined, since }
      // A client that was registered for another way back is of no use; where to sign in is found out anew.
      const { client, discovery: _, ...rest } = of.stored ?? { redirect }
      of.stored = { ...rest, redirect, ...(client && of.stored?.redirect === redirect && { client }) }
      const provider = clientOf(server, of, mine)
      const scope = scopeToAsk(server, of)
      await sdk
        .auth(provider, {
          serverUrl: server.url,
          fetchFn: fetchFor(server, of),
          forceReauthorization: true,
          ...of.challenge,
          ...(scope !== undefined && { scope }),
        })
        .catch((error: unknown) => {
          throw signInFailure(name, error)
        })
      const { page } = provider
      if (page === undefined || (page.protocol !== 'https:' && !isAllowed(page, server)))
        throw new SignInError(`The MCP server ${name} names no page for a sign-in.`)
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
        throw new SignInError('This sign-in is not known any more. Begin it again.')
      const { server } = mine
      redactFromLogs([params.get('code') ?? ''])
      const sdk = await import('@modelcontextprotocol/client')
      const of = await knownOf(server)
      const transport = new sdk.StreamableHTTPClientTransport(new URL(server.url), {
        authProvider: clientOf(server, of, mine),
        fetch: fetchFor(server, of),
      })
      try {
        await transport.finishAuth(params)
      } catch (error) {
        // The next sign-in asks for no more than the server does.
        if (params.get('error') === 'invalid_scope') await store(server, of, withoutScopes(of.stored))
        throw signInFailure(server.name, error)
      }
      of.needed = false
      const { scope: asked } = mine
      const refused = of.stored?.refused
      await store(server, of, {
        ...(of.stored ?? { redirect: mine.redirect }),
        ...(asked !== undefined && { scope: asked }),
        ...(refused && { refused: signedInFor(refused) }),
      })
      return server.name
    },
    async end(name) {
      const server = serverOf(name)
      const of = await knownOf(server)
      const { stored } = of
      of.needed = false
      await store(server, of, null)
      if (stored === null) return
      const client = configuredClient(server)
      const revoked = revokeTokens({ ...stored, ...(client && { client }) }, fetchFor(server, { stored }))
      await Promise.race([revoked, clock.sleep(REVOCATION_MS)])
    },
  }
}

function fetchFor({ url, signInServers, signIn }: SignInServer, of: Pick<Known, 'stored'>): typeof fetch {
  const allowed = [url, ...signInServers, ...(signIn ? [signIn.issuer] : [])]
  return createAuthFetch(allowed, () => [...secretsIn(of.stored), signIn?.clientSecret ?? ''])
}

/** For what a sign-in counts: this address, and the client that the configuration names. */
function ownerOf({ url, signIn }: SignInServer): string {
  return signIn === undefined ? url : JSON.stringify([url, signIn.issuer, signIn.clientId])
}

function configuredClient({ signIn }: SignInServer): NonNullable<StoredSignIn['client']> | null {
  if (signIn === undefined) return null
  const { clientId, clientSecret, issuer } = signIn
  return {
    client_id: clientId,
    issuer,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
  }
}

/** What the next sign-in asks for. One that is needed for every request asks for no more than before. */
function scopeToAsk({ signIn }: SignInServer, { stored, challenge, needed }: Known): string | undefined {
  const first = signIn?.scope ?? challenge.scope
  const refused = stored?.refused?.open === true && !needed ? stored.refused.scope : undefined
  // Without a scope of an earlier sign-in it is the authorisation server's choice.
  return scopeUnion(stored?.scope, first, refused)
}

function withoutScopes(stored: StoredSignIn | null): StoredSignIn | null {
  if (stored === null) return null
  const { scope: _, refused: __, ...rest } = stored
  return rest
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
