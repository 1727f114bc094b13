import { createFakeClock, type FakeClock } from '@palimpsest/testing/fake-clock.ts'
import { createScriptedMcp, type McpAttempt } from '@palimpsest/testing/scripted-mcp.ts'
import { expect, test } from 'vitest'
import { createServerLink } from './server-link.ts'

const INFO = { name: 'files', url: null, local: true } as const

function openLink(...attempts: McpAttempt[]) {
  const clock = createFakeClock()
  const mcp = createScriptedMcp({ files: attempts })
  const warnings: string[] = []
  const logger = {
    info: () => {},
    warn: (_: object, text: string) => void warnings.push(text),
    error: () => {},
  }
  // Only the name of a server is read.
  const link = createServerLink(INFO as never, { mcp, clock, logger: logger as never })
  return { clock, mcp, link, warnings }
}

/** Lets everything that is due happen. */
async function settled(clock: FakeClock) {
  for (let turn = 0; turn < 3; turn++) await clock.turn()
}

/** Milliseconds until the next attempt, tried a millisecond before and at that moment. */
async function waitsFor(lab: ReturnType<typeof openLink>, ms: number): Promise<void> {
  const { clock, mcp } = lab
  const before = mcp.attempts
  clock.advance(ms - 1)
  await settled(clock)
  expect(mcp.attempts).toBe(before)
  clock.advance(1)
  await settled(clock)
  expect(mcp.attempts).toBe(before + 1)
}

test('MC-2 after each failure the next attempt waits 1, 2, 5, 15 and then 60 s, and the state says until when', async () => {
  const lab = openLink({ fails: 'No route' })
  const { clock, link } = lab
  expect(link.state).toEqual({ type: 'off' })
  link.start()
  await settled(clock)
  for (const ms of [1_000, 2_000, 5_000, 15_000, 60_000, 60_000, 60_000]) {
    expect(link.state).toEqual({ type: 'failed', reason: 'No route', retryAt: clock.now() + ms })
    await waitsFor(lab, ms)
  }
  await link.end()
  expect(clock.pending).toBe(0)
})

test('MC-2 a connection that lasted 60 s begins to wait anew when it is lost, and a shorter one does not', async () => {
  for (const [lasted, waits] of [
    [59_999, 5_000],
    [60_000, 1_000],
  ] as const) {
    const lab = openLink({ fails: 'No' }, { fails: 'No' }, { tools: ['read'] }, { fails: 'No' })
    const { clock, mcp, link } = lab
    link.start()
    await settled(clock)
    await waitsFor(lab, 1_000)
    await waitsFor(lab, 2_000)
    expect(link.state).toEqual({ type: 'ready' })
    clock.advance(lasted)
    mcp.connections[0]?.lose('Gone')
    await settled(clock)
    expect(link.state).toEqual({ type: 'failed', reason: 'Gone', retryAt: clock.now() + waits })
    expect(mcp.connections[0]?.isClosed).toBe(true)
    await waitsFor(lab, waits)
    await link.end()
  }
})

test('MC-2 a person who connects again waits for nothing, and a failure after that waits 1 s', async () => {
  const lab = openLink({ fails: 'No' })
  const { clock, mcp, link } = lab
  link.start()
  await settled(clock)
  await waitsFor(lab, 1_000)
  await waitsFor(lab, 2_000)
  link.reconnect()
  await settled(clock)
  expect(mcp.attempts).toBe(4)
  expect(link.state).toMatchObject({ retryAt: clock.now() + 1_000 })
  await waitsFor(lab, 1_000)
  await link.end()
})

test('MC-2 an attempt ends after 60 s, and only the first attempt is one that a turn waits for', async () => {
  const lab = openLink({ hangs: true }, { hangs: true })
  const { clock, link } = lab
  expect(link.firstAttemptSince).toBeNull()
  link.start()
  link.start()
  expect([link.firstAttemptSince, lab.mcp.attempts]).toEqual([0, 1])
  clock.advance(59_999)
  await settled(clock)
  expect(link.state).toEqual({ type: 'connecting' })
  clock.advance(1)
  await settled(clock)
  expect(link.state).toMatchObject({ type: 'failed', reason: 'The server was not ready within 60 s.' })
  await waitsFor(lab, 1_000)
  expect(link.state).toEqual({ type: 'connecting' })
  expect(link.firstAttemptSince).toBeNull()
  await link.end()
})

test('MC-2 a server that has ended is not connected again, whatever is asked or was waiting', async () => {
  const { clock, mcp, link } = openLink({ fails: 'No' })
  link.start()
  await settled(clock)
  await link.end()
  link.start()
  link.reconnect()
  clock.advance(1_000_000)
  await settled(clock)
  expect([mcp.attempts, link.state]).toEqual([1, { type: 'off' }])
})

test('MC-2 a call of a server that is not connected says why, and one in progress ends when the connection is lost', async () => {
  const never = createScriptedMcp({ files: [{ tools: ['read'] }] }, () => new Promise(() => {}))
  const clock = createFakeClock()
  const logger = { info: () => {}, warn: () => {}, error: () => {} }
  const link = createServerLink(INFO as never, { mcp: never, clock, logger: logger as never })
  const tool = { name: 'read', description: '', inputSchema: {} }
  const call = () => link.call(tool, {}, new AbortController().signal)
  await expect(call()).rejects.toMatchObject({ message: 'The MCP server files is not connected.' })
  link.start()
  await settled(clock)
  const calling = call()
  never.connections[0]?.lose('The pipe broke')
  await expect(calling).rejects.toThrow('The pipe broke')
  await expect(call()).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: 'The MCP server files is not connected. The pipe broke',
  })
  await link.end()
})

test('MC-2 changes of a list are read once a second, however many are reported', async () => {
  const { clock, mcp, link } = openLink({ tools: ['one'] })
  link.start()
  await settled(clock)
  const names = () => link.list.tools.map(({ name }) => name)
  for (const name of ['two', 'three']) mcp.connections[0]?.change([name])
  clock.advance(999)
  await settled(clock)
  expect(names()).toEqual(['one'])
  clock.advance(1)
  await settled(clock)
  expect(names()).toEqual(['three'])
  mcp.connections[0]?.change(['four'])
  clock.advance(1_000)
  await settled(clock)
  expect(names()).toEqual(['four'])
  await link.end()
})
