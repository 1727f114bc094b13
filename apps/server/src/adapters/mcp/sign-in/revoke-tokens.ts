import { isObject } from '@palimpsest/core/domain'
import type { StoredSignIn } from './credentials.ts'

/**
 * Asks the authorisation server to end the tokens of a sign-in (RFC 7009), where its metadata names an address for that. Never rejects: a
 * token that is not revoked ends by itself.
 */
export async function revokeTokens(stored: StoredSignIn, fetchBy: typeof fetch): Promise<void> {
  const { client, tokens = null, discovery } = stored
  const metadata = discovery?.['authorizationServerMetadata']
  const endpoint = isObject(metadata) ? metadata['revocation_endpoint'] : null
  if (client === undefined || !isObject(metadata) || typeof endpoint !== 'string') return
  const { headers, params } = authorisation(client, metadata['revocation_endpoint_auth_methods_supported'])
  const revoke = (token: string, token_type_hint: string) =>
    fetchBy(endpoint, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ token, token_type_hint, ...params }),
    })
  await Promise.allSettled([
    tokens?.refresh_token && revoke(tokens.refresh_token, 'refresh_token'),
    tokens && revoke(tokens.access_token, 'access_token'),
  ])
}

/** By the header, which is the default, or in the body; a client without a secret only names itself. */
function authorisation(client: NonNullable<StoredSignIn['client']>, methods: unknown) {
  const { client_id, client_secret: secret } = client
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  if (typeof secret !== 'string') return { headers, params: { client_id } }
  if (Array.isArray(methods) && !methods.includes('client_secret_basic'))
    return { headers, params: { client_id, client_secret: secret } }
  const pair = [client_id, secret].map(encodeURIComponent).join(':')
  const authorization = `Basic ${Buffer.from(pair).toString('base64')}`
  return { headers: { ...headers, authorization }, params: {} }
}
