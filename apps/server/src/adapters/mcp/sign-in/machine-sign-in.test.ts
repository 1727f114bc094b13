import { generateKeyPairSync } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { MACHINE } from '../../../testing/mcp/auth-server.ts'
import { toolNamed } from '../../../testing/mcp/lab-settings.ts'
import { call, echo, openSignInLab, signIn, soon } from '../../../testing/mcp/sign-in-lab.ts'
import type { MachineClient } from './machine-sign-in.ts'

const { clientId, clientSecret } = MACHINE
const METADATA = {
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'private_key_jwt'],
  grant_types_supported: ['client_credentials'],
}

async function openLab(over: Partial<MachineClient> = {}) {
  const lab = await openSignInLab({ lie: { metadata: METADATA }, allowed: false, needs: { add: 'write' } })
  const client: MachineClient = {
    as: 'machine',
    issuer: lab.server.origin,
    clientId,
    proof: { clientSecret },
    ...over,
  }
  return {
    ...lab,
    machine: (more: Partial<MachineClient> = {}) => lab.host({ signIn: { ...client, ...more } }),
  }
}

test('MC-2 a client of the configuration signs in by its secret, and its token is stored encrypted', async () => {
  await using lab = await openLab({ scope: 'read write' })
  const host = lab.machine()
  expect(await echo(host, 'in')).toMatchObject({ text: 'echo: in' })
  expect(host.signIns?.state('lab')).toBeNull()
  expect(lab.server.seen.tokens).toEqual([
    expect.objectContaining({
      grant_type: 'client_credentials',
      scope: 'read write',
      resource: lab.server.url,
    }),
  ])
  expect(await echo(lab.machine(), 'again')).toMatchObject({ text: 'echo: again' })
  expect(lab.server.seen.tokens.length).toBe(1)
  expect(JSON.stringify([...(await lab.store.settings.values())])).not.toContain('access-')
  expect(lab.redacted).toContain('access-1')
  expect(lab.server.seen.registered).toBe(0)
})

test('MC-2 a client of the configuration signs in by a signed statement', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  await using lab = await openLab({ proof: { privateKey: pem, algorithm: 'ES256' } })
  expect(await echo(lab.machine(), 'in')).toMatchObject({ text: 'echo: in' })
  const [asked] = lab.server.seen.tokens
  const [, claims = ''] = (asked?.['client_assertion'] ?? '').split('.')
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    iss: clientId,
    sub: clientId,
    aud: lab.server.origin,
  })
})

test('MC-2 the token of a client is renewed once for all requests when it has expired', async () => {
  await using lab = await openLab()
  const connection = await lab.machine().connect('lab', soon())
  lab.server.expire()
  const calls = ['a', 'b', 'c'].map((text) => connection.call(toolNamed('echo'), { text }, soon()))
  expect(await Promise.all(calls)).toMatchObject([
    { text: 'echo: a' },
    { text: 'echo: b' },
    { text: 'echo: c' },
  ])
  expect(lab.server.seen.tokens.length).toBe(2)
  await connection.close()
})

test('SX-5 a client of the configuration proves itself to its own authorisation server only', async () => {
  await using lab = await openLab()
  const host = lab.machine({ issuer: 'https://auth.example' })
  await expect(host.connect('lab', soon())).rejects.toThrow(
    'sign-in by the client of the configuration failed',
  )
  expect(lab.server.seen.tokens).toEqual([])
})

test('MC-2 the token of one client is none of another', async () => {
  await using lab = await openLab()
  await echo(lab.machine(), 'in')
  await expect(lab.machine({ clientId: 'other' }).connect('lab', soon())).rejects.toThrow('invalid_client')
  await expect(lab.host().connect('lab', soon())).rejects.toThrow('needs a sign-in')
})

test('MC-2 a wrong secret fails the connection, and is in no reason', async () => {
  await using lab = await openLab()
  const host = lab.machine({ proof: { clientSecret: 'canary-secret-5' } })
  const failed = await host.connect('lab', soon()).catch((error: Error) => error.message)
  expect(failed).toContain('The sign-in by the client of the configuration failed: ')
  expect(failed).not.toContain('canary')
  // The client package asks again once after a refusal.
  expect(lab.server.seen.tokens.length).toBeLessThanOrEqual(2)
})

test('SX-5 a secret that an authorisation server repeats is in no line of the console', async () => {
  const body = { error: 'invalid_client', error_description: 'canary-secret-7 is wrong' }
  await using lab = await openSignInLab({ lie: { metadata: METADATA, token: () => ({ status: 401, body }) } })
  const warned = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  const host = lab.host({
    signIn: {
      as: 'machine',
      issuer: lab.server.origin,
      clientId,
      proof: { clientSecret: 'canary-secret-7' },
    },
  })
  const failed = await host.connect('lab', soon()).catch((error: Error) => error.message)
  expect(failed).toContain('is wrong')
  expect(warned).toHaveBeenCalled()
  expect(JSON.stringify([failed, warned.mock.calls])).not.toContain('canary')
  warned.mockRestore()
})

test('MC-2 a scope that a client of the configuration lacks is a matter of the operator', async () => {
  await using lab = await openLab({ scope: 'read' })
  await expect(call(lab.machine(), 'add', { a: 1, b: 2 })).rejects.toThrow(
    'it needs a sign-in for the scope "write". The operator can allow that in the configuration.',
  )
  expect(lab.server.seen.tokens.length).toBe(1)
})

test('MC-2 people sign in by a client that the operator has registered', async () => {
  await using lab = await openSignInLab({ lie: { metadata: { registration_endpoint: undefined } } })
  const registered = { as: 'person', issuer: lab.server.origin, clientId: 'known-1' } as const
  const host = lab.host({ signIn: registered })
  await signIn(host)
  expect(await echo(host, 'in')).toMatchObject({ text: 'echo: in' })
  lab.server.expire()
  expect(await echo(lab.host({ signIn: registered }), 'on')).toMatchObject({ text: 'echo: on' })
  expect(lab.server.seen.tokens.map((asked) => asked['client_id'])).toEqual(['known-1', 'known-1'])
  await host.signIns?.end('lab')
  expect(lab.server.seen.revoked[0]).toMatchObject({ client_id: 'known-1' })
  expect(lab.server.seen.registered).toBe(0)
})
