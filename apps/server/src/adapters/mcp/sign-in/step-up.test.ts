import { expect, test } from 'vitest'
import { toolNamed } from '../../../testing/mcp/lab-settings.ts'
import { call, echo, ORIGIN, openSignInLab, signIn, soon, visit } from '../../../testing/mcp/sign-in-lab.ts'

const NEEDS = { needs: { add: 'write', fail: 'admin' } }
const SUM = { structured: { sum: 3 } }
const ARGS = { a: 1, b: 2 }

test('MC-2 a call that needs a wider scope says so, a person signs in for it, and the call is answered', async () => {
  await using lab = await openSignInLab(NEEDS)
  const host = lab.host()
  await signIn(host)
  expect(host.signIns?.widerScope('lab')).toBeNull()
  await expect(call(host, 'add', ARGS)).rejects.toThrow(
    'it needs a sign-in for the scope "write". Only a person can do that, in Settings, MCP servers.',
  )
  expect(host.signIns?.widerScope('lab')).toBe('write')
  await signIn(host)
  expect(host.signIns?.widerScope('lab')).toBeNull()
  expect(await call(host, 'add', ARGS)).toMatchObject(SUM)
  expect(lab.server.seen.scopes).toEqual(['', 'write'])
})

test('MC-2 a call that needs a wider scope is sent once, and the connection serves other calls', async () => {
  await using lab = await openSignInLab(NEEDS)
  const host = lab.host()
  await signIn(host)
  const connection = await host.connect('lab', soon())
  const sent = lab.server.seen.refused
  await expect(connection.call(toolNamed('add'), ARGS, soon())).rejects.toThrow('the scope "write"')
  expect(lab.server.seen.refused).toBe(sent + 1)
  expect(lab.server.seen.tokens.length).toBe(1)
  expect(await connection.call(toolNamed('echo'), { text: 'on' }, soon())).toMatchObject({ text: 'echo: on' })
  await connection.close()
})

test('MC-2 a sign-in asks for all that was granted before, and its scope outlives the host and a renewal', async () => {
  await using lab = await openSignInLab(NEEDS)
  await signIn(lab.host())
  for (const tool of ['add', 'fail']) {
    await expect(call(lab.host(), tool, ARGS)).rejects.toThrow('needs a sign-in')
    const host = lab.host()
    // Reads what is stored.
    await echo(host, 'x')
    expect(host.signIns?.widerScope('lab')).not.toBeNull()
    await signIn(host)
  }
  expect(lab.server.seen.scopes).toEqual(['', 'write', 'write admin'])
  lab.server.expire()
  expect(await call(lab.host(), 'add', ARGS)).toMatchObject(SUM)
  lab.server.expire()
  lab.server.revoke()
  const host = lab.host()
  await expect(host.connect('lab', soon())).rejects.toThrow()
  await signIn(host)
  expect(lab.server.seen.scopes.at(-1)).toBe('write admin')
})

test('MC-2 where sign-ins do not help, two are offered, and no more until one signs out', async () => {
  await using lab = await openSignInLab({ ...NEEDS, lie: { grants: () => '' } })
  const host = lab.host()
  await signIn(host)
  for (let times = 0; times < 2; times++) {
    await expect(call(host, 'add', ARGS)).rejects.toThrow('Only a person can do that')
    await signIn(host)
  }
  await expect(call(host, 'add', ARGS)).rejects.toThrow('2 sign-ins for it have not helped')
  expect(host.signIns?.widerScope('lab')).toBeNull()
  await host.signIns?.end('lab')
  await signIn(host)
  await expect(call(host, 'add', ARGS)).rejects.toThrow('Only a person can do that')
})

test('MC-2 a wider scope that the authorisation server refuses is asked for no longer, and the sign-in before counts', async () => {
  await using lab = await openSignInLab(NEEDS)
  const host = lab.host()
  await signIn(host)
  await expect(call(host, 'add', ARGS)).rejects.toThrow('the scope "write"')
  const back = await visit((await host.signIns?.begin('lab', ORIGIN)) ?? '')
  back.delete('code')
  back.set('error', 'invalid_scope')
  await expect(host.signIns?.finish(back)).rejects.toThrow('invalid_scope')
  expect(host.signIns?.widerScope('lab')).toBeNull()
  expect(await echo(host, 'still')).toMatchObject({ text: 'echo: still' })
  await signIn(host)
  expect(lab.server.seen.scopes.at(-1)).toBe('')
})

test('MC-2 a scope that a server names is shown without what is no scope', async () => {
  await using lab = await openSignInLab({ needs: { add: 'a\\b ok <b>' } })
  const host = lab.host()
  await signIn(host)
  await expect(call(host, 'add', ARGS)).rejects.toThrow('the scope "ok <b>"')
})

test('MC-2 where the configuration authorises requests, a refused scope is a matter of the operator', async () => {
  await using lab = await openSignInLab(NEEDS)
  await signIn(lab.host())
  const host = lab.host({ headers: { Authorization: 'Bearer access-2' } })
  await expect(call(host, 'add', ARGS)).rejects.toThrow('The operator can allow that in the configuration.')
})
