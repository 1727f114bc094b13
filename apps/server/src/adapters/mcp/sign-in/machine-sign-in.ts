import type { AuthProvider, OAuthClientProvider } from '@modelcontextprotocol/client'
import { createAuthFetch } from './auth-fetch.ts'
import type { Credentials, StoredSignIn } from './credentials.ts'
import { whySignInFailed } from './sign-in-failure.ts'

type Sdk = typeof import('@modelcontextprotocol/client')

/** A client of the configuration that signs in without a person (`client_credentials`). */
export type MachineClient = {
  as: 'machine'
  /** The only authorisation server that gets its credentials. */
  issuer: string
  clientId: string
  scope?: string
  proof: { clientSecret: string } | { privateKey: string; algorithm: string }
}

export type MachineServer = {
  name: string
  url: string
  signInServers: readonly string[]
  signIn: MachineClient
}

type Ports = { credentials: Credentials; redactFromLogs(secrets: readonly string[]): void }

/** The sign-in of one server by a client of the configuration. Its token is stored, and obtained anew when it is refused. */
export function createMachineSignIn(server: MachineServer, { credentials, redactFromLogs }: Ports) {
  const { name, url, signInServers, signIn } = server
  const { proof } = signIn
  const proofs = 'clientSecret' in proof ? [proof.clientSecret] : [proof.privateKey]
  const fetchFn = createAuthFetch([url, signIn.issuer, ...signInServers], () => [...proofs, ...secrets])
  // The token of another client, or of another authorisation server, is none of this one.
  const owner = JSON.stringify([url, signIn.issuer, signIn.clientId])
  let stored: Promise<StoredSignIn | null> | null = null
  let obtaining: Promise<void> | null = null
  let secrets: string[] = []

  function keep(token: string | undefined): void {
    if (token === undefined) return
    secrets = [token]
    redactFromLogs(secrets)
  }

  async function readToken(): Promise<string | undefined> {
    stored ??= credentials.read(name, owner)
    const token = (await stored)?.tokens?.access_token
    keep(token)
    return token
  }

  async function obtain(response: Response, sdk: Sdk): Promise<void> {
    const provider = providerOf(signIn, sdk)
    const { resourceMetadataUrl, scope: asked } = sdk.extractWWWAuthenticateParams(response)
    const scope = signIn.scope ?? asked
    try {
      await sdk.auth(provider, {
        serverUrl: url,
        fetchFn,
        ...(resourceMetadataUrl && { resourceMetadataUrl }),
        ...(scope !== undefined && { scope }),
      })
    } catch (error) {
      const reason = whySignInFailed(error)
      throw new sdk.UnauthorizedError(`The sign-in by the client of the configuration failed: ${reason}`)
    }
    const tokens = await provider.tokens()
    keep(tokens?.access_token)
    const signedIn = { redirect: '', ...(tokens && { tokens: { ...tokens } }) }
    stored = Promise.resolve(signedIn)
    await credentials.write(name, owner, signedIn)
  }

  return {
    secrets: () => secrets,
    provider: (sdk: Sdk): AuthProvider => ({
      token: readToken,
      async onUnauthorized({ response }) {
        // Requests that fail at the same time share one token.
        obtaining ??= obtain(response, sdk).finally(() => {
          obtaining = null
        })
        await obtaining
      },
    }),
  }
}

function providerOf({ clientId, issuer, scope, proof }: MachineClient, sdk: Sdk): OAuthClientProvider {
  const client = {
    clientId,
    expectedIssuer: issuer,
    clientName: 'Palimpsest',
    ...(scope !== undefined && { scope }),
  }
  return 'clientSecret' in proof
    ? new sdk.ClientCredentialsProvider({ ...client, clientSecret: proof.clientSecret })
    : new sdk.PrivateKeyJwtProvider({ ...client, privateKey: proof.privateKey, algorithm: proof.algorithm })
}
