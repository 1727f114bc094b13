import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { portOf } from '../../listen.ts'
import { startLabHttp } from './http-server.ts'

/** What an authorisation server does in place of what it should. */
export type AuthLie = {
  metadata?: object
  token?: () => { status: number; body: object }
  /** The scope that is granted, by what was asked for. */
  grants?: (scope: string) => string
}

/** The machine that may sign in by itself. */
export const MACHINE = { clientId: 'machine', clientSecret: 'machine-secret-1' }

/**
 * An authorisation server of tests, and the lab server behind it. Every token counts until `expire`. A tool of `needs` is
 * refused to a token without its scope.
 */
export async function startProtectedLab(lie: AuthLie = {}, needs: Readonly<Record<string, string>> = {}) {
  const codes = new Map<string, { challenge: string; client: string; redirect: string; scope: string }>()
  const access = new Map<string, string>()
  const refresh = new Map<string, string>()
  const seen = {
    registered: 0,
    scopes: [] as string[],
    refused: 0,
    tokens: [] as Record<string, string>[],
    revoked: [] as Record<string, string>[],
  }
  let issued = 0
  let origin = ''

  const auth = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin)
    let text = ''
    for await (const piece of request) text += piece
    const json = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    switch (url.pathname) {
      case '/.well-known/oauth-authorization-server':
        return void json(200, { ...metadataOf(origin), ...lie.metadata })
      case '/register':
        seen.registered += 1
        return void json(201, { ...JSON.parse(text), client_id: `client-${seen.registered}` })
      case '/authorize':
        return authorize(url.searchParams, response)
      case '/token': {
        const { authorization = '' } = request.headers
        const params = { ...Object.fromEntries(new URLSearchParams(text)), authorization }
        seen.tokens.push(params)
        const { status, body } = lie.token?.() ?? exchange(params)
        return void json(status, body)
      }
      case '/revoke': {
        const params = Object.fromEntries(new URLSearchParams(text))
        seen.revoked.push(params)
        access.delete(params['token'] ?? '')
        refresh.delete(params['token'] ?? '')
        return void json(200, {})
      }
      default:
        return void json(404, {})
    }
  }

  /** Signs in at once, and leads back. */
  function authorize(asked: URLSearchParams, response: ServerResponse): void {
    issued += 1
    const code = `code-${issued}`
    const redirect = asked.get('redirect_uri') ?? ''
    const client = asked.get('client_id') ?? ''
    const scope = asked.get('scope') ?? ''
    seen.scopes.push(scope)
    codes.set(code, { challenge: asked.get('code_challenge') ?? '', client, redirect, scope })
    const back = new URL(redirect)
    back.searchParams.set('code', code)
    back.searchParams.set('state', asked.get('state') ?? '')
    response.writeHead(302, { location: back.href }).end()
  }

  function exchange(params: Record<string, string>): { status: number; body: object } {
    const refused = { status: 400, body: { error: 'invalid_grant' } }
    if (params['grant_type'] === 'client_credentials') return machineGrant(params)
    if (params['grant_type'] === 'refresh_token') {
      const scope = refresh.get(params['refresh_token'] ?? '')
      refresh.delete(params['refresh_token'] ?? '')
      return scope === undefined ? refused : grant(scope)
    }
    const code = codes.get(params['code'] ?? '')
    codes.delete(params['code'] ?? '')
    const digest = createHash('sha256')
      .update(params['code_verifier'] ?? '')
      .digest('base64url')
    const isRight = code?.challenge === digest && code.redirect === params['redirect_uri']
    return isRight ? grant(code.scope) : refused
  }

  /** By a secret, or by a signed statement that is not checked here. */
  function machineGrant({ authorization, client_assertion, scope = '' }: Record<string, string>) {
    const pair = Buffer.from(`${MACHINE.clientId}:${MACHINE.clientSecret}`).toString('base64')
    const isKnown = authorization === `Basic ${pair}` || client_assertion !== undefined
    if (!isKnown) return { status: 401, body: { error: 'invalid_client' } }
    issued += 1
    access.set(`access-${issued}`, scope)
    return { status: 200, body: { access_token: `access-${issued}`, token_type: 'Bearer', expires_in: 60 } }
  }

  function grant(asked: string) {
    issued += 1
    const scope = lie.grants?.(asked) ?? asked
    access.set(`access-${issued}`, scope)
    refresh.set(`refresh-${issued}`, scope)
    const tokens = { access_token: `access-${issued}`, refresh_token: `refresh-${issued}` }
    return { status: 200, body: { ...tokens, token_type: 'Bearer', expires_in: 3_600 } }
  }

  await new Promise<void>((resolve) => auth.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${portOf(auth)}`
  const lab = await startLabHttp((request, response) => {
    if (request.url?.startsWith('/.well-known/oauth-protected-resource') === true) {
      const resource = `http://${request.headers.host}/mcp`
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ resource, authorization_servers: [origin] }))
      return true
    }
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const granted = access.get(token)
    const needed = needs[`${request.headers['mcp-name']}`]
    if (granted === undefined) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
      return true
    }
    if (needed === undefined || granted.split(' ').includes(needed)) return false
    seen.refused += 1
    const challenge = `Bearer error="insufficient_scope", scope="${needed}"`
    response.writeHead(403, { 'www-authenticate': challenge }).end()
    return true
  })
  return {
    url: lab.url,
    origin,
    seen,
    requests: lab.requests,
    /** No access token counts any more. */
    expire: () => access.clear(),
    /** No refresh token counts any more. */
    revoke: () => refresh.clear(),
    async [Symbol.asyncDispose]() {
      auth.closeAllConnections()
      await new Promise((resolve) => auth.close(resolve))
      await lab[Symbol.asyncDispose]()
    },
  }
}

function metadataOf(origin: string): object {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    revocation_endpoint: `${origin}/revoke`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
  }
}
