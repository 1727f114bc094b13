import { z } from 'zod'
import type { McpServerSettings } from './adapters/mcp/mcp-servers.ts'

const secret = z.strictObject({ env: z.string().regex(/^[A-Za-z_]\w*$/) })

const client = {
  /** The authorisation server, by its issuer: no other one gets what proves the client. */
  issuer: z.url({ protocol: /^https?$/ }).max(2_048),
  clientId: z.string().min(1).max(1_000),
  /** What sign-ins ask for, separated by spaces; without it the choice is the server's. */
  scope: z.string().max(2_000).exactOptional(),
}

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'] as const

/** A client that the operator has registered. People sign in by it, or it signs in by itself, with a secret or a key. */
export const signInSchema = z.discriminatedUnion('as', [
  z.strictObject({ as: z.literal('person'), ...client, clientSecret: secret.exactOptional() }),
  z
    .strictObject({
      as: z.literal('machine'),
      ...client,
      clientSecret: secret.exactOptional(),
      /** A private key in PEM (PKCS #8). */
      privateKey: secret.exactOptional(),
      algorithm: z.enum(ALGORITHMS).default('RS256'),
    })
    .refine(
      ({ clientSecret, privateKey }) => (clientSecret === undefined) !== (privateKey === undefined),
      'takes either a clientSecret or a privateKey',
    ),
])

type SignInConfig = z.output<typeof signInSchema>
type Secret = z.output<typeof secret>

/** The variables that prove the client. */
export function proofOf(signIn: SignInConfig | undefined): Record<string, Secret> {
  if (signIn === undefined) return {}
  const { clientSecret } = signIn
  const privateKey = signIn.as === 'machine' ? signIn.privateKey : undefined
  return { ...(clientSecret && { clientSecret }), ...(privateKey && { privateKey }) }
}

/** The client with the values of these variables. */
export function signInOf(
  signIn: SignInConfig,
  { clientSecret, privateKey }: Readonly<Record<string, string>>,
): NonNullable<Extract<McpServerSettings, { kind: 'http' }>['signIn']> {
  const { issuer, clientId, scope } = signIn
  const shared = { issuer, clientId, ...(scope !== undefined && { scope }) }
  if (signIn.as === 'person')
    return { as: 'person', ...shared, ...(clientSecret !== undefined && { clientSecret }) }
  if (clientSecret !== undefined) return { as: 'machine', ...shared, proof: { clientSecret } }
  // In a variable the lines of a key are often one.
  const pem = (privateKey ?? '').replaceAll('\\n', '\n')
  return { as: 'machine', ...shared, proof: { privateKey: pem, algorithm: signIn.algorithm } }
}
