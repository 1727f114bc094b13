import { execFileSync } from 'node:child_process'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { LIMITS } from '@palimpsest/core/domain'
import { expect, test, vi } from 'vitest'
import { createCallRecorder, watch } from './call-recorder.ts'
import { connect } from './connection.ts'
import { expectRecovered, openFaultHarness, until } from './fault-harness.ts'

// Each of these starts a process, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 })

/** Stops the process from writing to any file, as a full or read-only disk does, or allows it again. */
function setWritable({ pid }: { pid: number }, writable: boolean): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${writable ? 'unlimited' : '0'}:`])
}

test.skipIf(process.platform !== 'linux')(
  'RL-3 a store that accepts no more writes ends the run with STORE_ERROR, and later works again',
  async () => {
    const harness = await openFaultHarness({ everyMs: 20 })
    const { runId } = await harness.say('Go')
    const watching = harness.watch(runId)
    await until(() => expect(harness.recorder.shown[0]?.message.parts.length).toBeGreaterThan(1))
    setWritable(harness.server, false)
    await watching
    await until(async () =>
      expect(await harness.status()).toMatchObject({ state: 'error', code: 'STORE_ERROR' }),
    )
    await expect(harness.say('Is anyone there?')).rejects.toMatchObject({ data: { appCode: 'STORE_ERROR' } })
    setWritable(harness.server, true)
    await expectRecovered(harness)
  },
)

test('RL-3 the server waits for a store that another process locks for a moment', async () => {
  const harness = await openFaultHarness()
  using other = new DatabaseSync(harness.database)
  other.exec('BEGIN IMMEDIATE')
  const sent = harness.say('Go')
  await delay(200)
  other.exec('COMMIT')
  const { queued } = await sent
  expect(queued).toBe(false)
  await until(async () => expect((await harness.status()).state).toBe('idle'))
  await expectRecovered(harness)
})

test('RL-3 a client that vanishes in the middle of a reply does not change the reply', async () => {
  const harness = await openFaultHarness()
  const { runId = '' } = await harness.say('Go')
  const passerBy = connect(harness.server.url)
  const seen = createCallRecorder()
  const gone = new AbortController()
  const looking = watch(passerBy, seen, { sessionId: 's', runId }, gone.signal)
  await until(() => expect(seen.shown[0]?.message.parts.length).toBeGreaterThan(1))
  passerBy[Symbol.dispose]()
  gone.abort()
  await looking
  await harness.watch(runId)
  const words = harness.recorder.shown[0]?.message.parts
    .map((part) => ('text' in part ? part.text : ''))
    .join('')
  expect(words).toMatch(/step3\.14 $/)
  await expectRecovered(harness)
})

test('RL-3 a flood of messages is queued up to its limit and refused beyond it, by name', async () => {
  const harness = await openFaultHarness()
  await harness.say('Go')
  const flood = Array.from({ length: LIMITS.queuedMessages + 50 }, (_, index) => harness.say(`Drop ${index}`))
  const answers = await Promise.allSettled(flood)
  const refused = answers.filter((answer) => answer.status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  for (const { reason } of refused) expect(reason).toMatchObject({ data: { appCode: 'RATE_LIMITED' } })
  const { api } = harness.connection
  for (const { id } of await api.queue.list.query({ sessionId: 's' })) {
    await api.queue.cancel.mutate({ sessionId: 's', messageId: id }).catch(() => undefined)
  }
  // Cancelled messages are not expected any more.
  harness.recorder.acknowledged.length = 0
  await until(async () => expect((await harness.status()).state).toBe('idle'))
  await expectRecovered(harness)
})

test('RL-3 a client that sends garbage on its socket is answered or disconnected, without an effect on others', async () => {
  const harness = await openFaultHarness()
  const { runId } = await harness.say('Go')
  const socket = new WebSocket(`${harness.server.url.replace('http', 'ws')}/trpc`)
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  for (const nonsense of ['', '{', '[]', '{"id":1}', '{"id":1,"method":"subscription"}', 'x'.repeat(100_000)])
    socket.send(nonsense)
  socket.send(new Uint8Array(1_000))
  await harness.watch(runId)
  await expectRecovered(harness)
  socket.close()
})
