import { expect, test } from 'vitest'
import type { AuthLie } from '../../../testing/mcp/auth-server.ts'
import { toolNamed } from '../../../testing/mcp/lab-settings.ts'
import {
  echo,
  ORIGIN,
  openSignInLab as openLab,
  signIn,
  soon,
  visit,
} from '../../../testing/mcp/sign-in-lab.ts'

test('MC-2 a person signs in at a server that asks for it, with PKCE and a client that is registered once', async () => {
  await using lab = await openLab()
  const host = lab.host()
  expect(host.signIns?.state('lab')).toBe('none')
  await expect(host.connect('lab', soon())).rejects.toThrow('The server needs a sign-in.')
  expect(host.signIns?.state('lab')).toBe('needed')
  expect(lab.server.seen.registered).toBe(0)
  await signIn(host)
  expect(host.signIns?.state('lab')).toBe('done')
  expect(await echo(host, 'in')).toMatchObject({ text: 'echo: in' })
  await signIn(host)
  expect(lab.server.seen.registered).toBe(1)
  expect(lab.server.seen.tokens[0]).toMatchObject({
    grant_type: 'authorization_code',
    redirect_uri: `${ORIGIN}/mcp/callback`,
    resource: lab.server.url,
  })
})

test('MC-2 a sign-in outlives its host, is encrypted, and counts for its address only', async () => {
  await using lab = await openLab()
  await signIn(lab.host())
  expect(await echo(lab.host(), 'on')).toMatchObject({ text: 'echo: on' })
  const stored = JSON.stringify([...(await lab.store.settings.values())])
  expect(stored).toContain('mcp.sign-in.lab')
  expect(stored).not.toContain('access-')
  expect(stored).not.toContain('refresh-')
  const elsewhere = lab.host({ url: lab.server.url.replace('/mcp', '/other') })
  await expect(elsewhere.connect('lab', soon())).rejects.toThrow('needs a sign-in')
})

test('MC-2 a token that has expired is renewed once for all requests', async () => {
  await using lab = await openLab()
  const host = lab.host()
  await signIn(host)
  const connection = await host.connect('lab', soon())
  lab.server.expire()
  const calls = ['a', 'b', 'c'].map((text) => connection.call(toolNamed('echo'), { text }, soon()))
  expect(await Promise.all(calls)).toMatchObject([
    { text: 'echo: a' },
    { text: 'echo: b' },
    { text: 'echo: c' },
  ])
  await connection.close()
  expect(lab.server.seen.tokens.map((asked) => asked['grant_type'])).toEqual([
    'authorization_code',
    'refresh_token',
  ])
})

test('MC-2 a sign-in that cannot be renewed is needed again', async () => {
  await using lab = await openLab()
  const host = lab.host()
  await signIn(host)
  lab.server.expire()
  lab.server.revoke()
  await expect(host.connect('lab', soon())).rejects.toThrow(/sign-in/)
  expect(host.signIns?.state('lab')).toBe('needed')
  await signIn(host)
  expect(await echo(host, 'again')).toMatchObject({ text: 'echo: again' })
})

test('MC-2 a sign-in is forgotten when a person signs out, and its tokens are revoked', async () => {
  await using lab = await openLab()
  const host = lab.host()
  await signIn(host)
  await host.signIns?.end('lab')
  expect(host.signIns?.state('lab')).toBe('none')
  expect(
    lab.server.seen.revoked.toSorted((one, other) =>
      (one['token'] ?? '').localeCompare(other['token'] ?? ''),
    ),
  ).toEqual([
    { token: 'access-2', token_type_hint: 'access_token', client_id: 'client-1' },
    { token: 'refresh-2', token_type_hint: 'refresh_token', client_id: 'client-1' },
  ])
  expect([...(await lab.store.settings.values()).keys()]).toEqual([])
  await expect(lab.host().connect('lab', soon())).rejects.toThrow('needs a sign-in')
})

test('MC-2 a sign-in ends by its own state, and once', async () => {
  await using lab = await openLab()
  const host = lab.host()
  const page = (await host.signIns?.begin('lab', ORIGIN)) ?? ''
  const back = await visit(page)
  const forged = new URLSearchParams(back)
  forged.set('state', 'x')
  await expect(host.signIns?.finish(forged)).rejects.toThrow('not known any more')
  await expect(host.signIns?.finish(new URLSearchParams())).rejects.toThrow('not known any more')
  expect(await host.signIns?.finish(back)).toBe('lab')
  await expect(host.signIns?.finish(back)).rejects.toThrow('not known any more')
})

test('MC-2 of two sign-ins that were begun the later one counts', async () => {
  await using lab = await openLab()
  const host = lab.host()
  const first = (await host.signIns?.begin('lab', ORIGIN)) ?? ''
  const second = (await host.signIns?.begin('lab', ORIGIN)) ?? ''
  await expect(host.signIns?.finish(await visit(first))).rejects.toThrow('not known any more')
  expect(await host.signIns?.finish(await visit(second))).toBe('lab')
})

test('MC-2 a person who refuses at the authorisation page is not signed in', async () => {
  await using lab = await openLab()
  const host = lab.host()
  const page = (await host.signIns?.begin('lab', ORIGIN)) ?? ''
  const back = await visit(page)
  back.delete('code')
  back.set('error', 'access_denied')
  await expect(host.signIns?.finish(back)).rejects.toThrow('access_denied')
  expect(host.signIns?.state('lab')).toBe('none')
})

test.each([
  ['names no address for it', undefined],
  ['names an address of this machine', 'http://127.0.0.1:9/revoke'],
])('MC-2 a person is signed out where the authorisation server %s', async (_what, revocation_endpoint) => {
  await using lab = await openLab({ lie: { metadata: { revocation_endpoint } } })
  const host = lab.host()
  await signIn(host)
  await host.signIns?.end('lab')
  expect(host.signIns?.state('lab')).toBe('none')
  expect(lab.server.seen.revoked).toEqual([])
})

test('SX-5 what a sign-in leaves is removed from logs, whether it is received, renewed or read', async () => {
  await using lab = await openLab()
  const host = lab.host()
  await signIn(host)
  expect(lab.redacted).toEqual(expect.arrayContaining(['access-2', 'refresh-2', 'code-1']))
  lab.server.expire()
  expect(await echo(host, 'on')).toMatchObject({ text: 'echo: on' })
  expect(lab.redacted).toEqual(expect.arrayContaining(['access-3', 'refresh-3']))
  lab.redacted.length = 0
  expect(await echo(lab.host(), 'on')).toMatchObject({ text: 'echo: on' })
  expect(lab.redacted).toEqual(['access-3', 'refresh-3'])
})

const LIES: [string, AuthLie][] = [
  [
    'names a page that is no page of the web',
    { metadata: { authorization_endpoint: 'javascript:alert(1)' } },
  ],
  ['names another issuer', { metadata: { issuer: 'https://elsewhere.example' } }],
  [
    'registers at an address of this machine',
    { metadata: { registration_endpoint: 'http://127.0.0.1:9/r' } },
  ],
  [
    'registers at an address of metadata',
    { metadata: { registration_endpoint: 'https://169.254.169.254/r' } },
  ],
  ['sends more than a megabyte', { metadata: { filler: 'x'.repeat(1_100_000) } }],
]

test.each(LIES)('MC-2 a sign-in at an authorisation server that %s fails', async (_what, lie) => {
  await using lab = await openLab({ lie })
  await expect(lab.host().signIns?.begin('lab', ORIGIN)).rejects.toThrow()
  expect(lab.server.seen.tokens).toEqual([])
})

test('MC-2 an authorisation server of this machine has to be named in the configuration', async () => {
  await using lab = await openLab({ allowed: false })
  await expect(lab.host().signIns?.begin('lab', ORIGIN)).rejects.toThrow()
  expect(lab.server.seen.registered).toBe(0)
})

test.each([
  ['no tokens', { status: 200, body: {} }],
  ['an error', { status: 500, body: { error: 'server_error', error_description: 'x'.repeat(9_000) } }],
])('MC-2 a sign-in whose exchange returns %s fails, and leaves none', async (_what, answer) => {
  await using lab = await openLab({ lie: { token: () => answer } })
  const host = lab.host()
  const page = (await host.signIns?.begin('lab', ORIGIN)) ?? ''
  await expect(host.signIns?.finish(await visit(page))).rejects.toThrow()
  expect(host.signIns?.state('lab')).toBe('none')
})

/** One sentence that names the server, without what a validator says. */
const SENTENCE = /^The (?:sign-in at|MCP server) lab [^\n{}[\]]{10,300}\.$/

test.each<[string, AuthLie]>([
  [
    'metadata without addresses',
    { metadata: { authorization_endpoint: undefined, token_endpoint: undefined } },
  ],
  ['metadata with a number for an address', { metadata: { token_endpoint: 7 } }],
  ['metadata with a list for its issuer', { metadata: { issuer: ['x'] } }],
  ['metadata with no address for one', { metadata: { registration_endpoint: 'not an address' } }],
  ['metadata with a text for a list', { metadata: { response_types_supported: 'code' } }],
  ['metadata with another list', { metadata: { code_challenge_methods_supported: [{ a: 1 }] } }],
  ['an address of a script', { metadata: { authorization_endpoint: 'javascript:alert(1)' } }],
  ['another issuer', { metadata: { issuer: 'https://elsewhere.example' } }],
  ['an address of this machine', { metadata: { registration_endpoint: 'http://127.0.0.1:9/r' } }],
  ['more than a megabyte', { metadata: { filler: 'x'.repeat(1_100_000) } }],
])('MC-2 a sign-in that fails by %s says so in one sentence', async (_what, lie) => {
  await using lab = await openLab({ lie })
  const failed = await lab
    .host()
    .signIns?.begin('lab', ORIGIN)
    .catch((error: Error) => error.message)
  expect(failed).toMatch(SENTENCE)
})

test.each([
  ['nothing', { status: 200, body: {} }],
  ['tokens of another kind', { status: 200, body: { access_token: 7, token_type: [] } }],
  ['a long error', { status: 500, body: { error: 'server_error', error_description: 'x'.repeat(9_000) } }],
  ['an error of another kind', { status: 500, body: { failure: { deep: ['x'] } } }],
])('MC-2 an exchange that is answered by %s says so in one sentence', async (_what, answer) => {
  await using lab = await openLab({ lie: { token: () => answer } })
  const host = lab.host()
  const page = (await host.signIns?.begin('lab', ORIGIN)) ?? ''
  const failed = await host.signIns?.finish(await visit(page)).catch((error: Error) => error.message)
  expect(failed).toMatch(SENTENCE)
})
