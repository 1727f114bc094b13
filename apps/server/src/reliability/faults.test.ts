import { execFileSync } from 'node:child_process'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { LIMITS } from '@palimpsest/core/domain'
import { expect, test, vi } from 'vitest'
import { connect } from './connection.ts'
import { expectRecovered, openFaultLab, until } from './fault-lab.ts'
import { createWitness, watch } from './witness.ts'

// Each of these starts a process, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 })

/** Lets the process write to no file any more, as a full or read-only disk does, or to all of them again. */
function setWritable({ pid }: { pid: number }, writable: boolean): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${writable ? 'unlimited' : '0'}:`])
}

test.skipIf(process.platform !== 'linux')(
  'RL-3 a store that takes no more writes ends the run with its name, and later works again',
  async () => {
    const lab = await openFaultLab({ everyMs: 20 })
    const { runId } = await lab.say('Go')
    const watching = lab.watch(runId)
    await until(() => expect(lab.witness.shown[0]?.message.parts.length).toBeGreaterThan(1))
    setWritable(lab.server, false)
    await watching
    await until(async () => expect(await lab.status()).toMatchObject({ state: 'error', code: 'STORE_ERROR' }))
    await expect(lab.say('Is anyone there?')).rejects.toMatchObject({ data: { appCode: 'STORE_ERROR' } })
    setWritable(lab.server, true)
    await expectRecovered(lab)
  },
)

test('RL-3 a store that another process holds for a moment is waited for', async () => {
  const lab = await openFaultLab()
  using other = new DatabaseSync(lab.database)
  other.exec('BEGIN IMMEDIATE')
  const sent = lab.say('Go')
  await delay(200)
  other.exec('COMMIT')
  const { queued } = await sent
  expect(queued).toBe(false)
  await until(async () => expect((await lab.status()).state).toBe('idle'))
  await expectRecovered(lab)
})

test('RL-3 a client that vanishes in the middle of a reply leaves the reply whole', async () => {
  const lab = await openFaultLab()
  const { runId = '' } = await lab.say('Go')
  const passerBy = connect(lab.server.url)
  const seen = createWitness()
  const gone = new AbortController()
  const looking = watch(passerBy, seen, { sessionId: 's', runId }, gone.signal)
  await until(() => expect(seen.shown[0]?.message.parts.length).toBeGreaterThan(1))
  passerBy[Symbol.dispose]()
  gone.abort()
  await looking
  await lab.watch(runId)
  const words = lab.witness.shown[0]?.message.parts.map((part) => ('text' in part ? part.text : '')).join('')
  expect(words).toMatch(/step3\.9 $/)
  await expectRecovered(lab)
})

test('RL-3 a flood of messages is queued up to its bound and refused beyond it, by name', async () => {
  const lab = await openFaultLab()
  await lab.say('Go')
  const flood = Array.from({ length: LIMITS.queuedMessages + 50 }, (_, index) => lab.say(`Drop ${index}`))
  const answers = await Promise.allSettled(flood)
  const refused = answers.filter((answer) => answer.status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  for (const { reason } of refused) expect(reason).toMatchObject({ data: { appCode: 'RATE_LIMITED' } })
  const { api } = lab.connection
  for (const { id } of await api.queue.list.query({ sessionId: 's' })) {
    await api.queue.cancel.mutate({ sessionId: 's', messageId: id }).catch(() => undefined)
  }
  // What a person takes back is not shown any more.
  lab.witness.acknowledged.length = 0
  await until(async () => expect((await lab.status()).state).toBe('idle'))
  await expectRecovered(lab)
})

test('RL-3 a client that talks nonsense on its socket is answered or cut off, alone', async () => {
  const lab = await openFaultLab()
  const { runId } = await lab.say('Go')
  const socket = new WebSocket(`${lab.server.url.replace('http', 'ws')}/trpc`)
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  for (const nonsense of ['', '{', '[]', '{"id":1}', '{"id":1,"method":"subscription"}', 'x'.repeat(100_000)])
    socket.send(nonsense)
  socket.send(new Uint8Array(1_000))
  await lab.watch(runId)
  await expectRecovered(lab)
  socket.close()
})
