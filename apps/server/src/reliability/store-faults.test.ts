import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { expectRecovered, openFaultHarness, until } from './fault-harness.ts'

// Each of these starts a process, and the machine may be busy.
vi.setConfig({ testTimeout: 60_000 })

/** A command that starts another with a small disk of its own at `folder`. */
const withDisk = (folder: string) => {
  const mount = `mount -t tmpfs -o size=6m tmpfs '${folder}' && exec "$@"`
  return ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mount, 'sh']
}

const [command = '', ...disk] = withDisk('/tmp')
const canMount = process.platform === 'linux' && spawnSync(command, [...disk, 'true']).status === 0

/** Writes until the disk is full. */
function fill(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (const size of [65_536, 512, 1]) {
      const block = Buffer.alloc(size)
      while (writeAll(file, block));
    }
  } finally {
    closeSync(file)
  }
}

function writeAll(file: number, block: Buffer): boolean {
  try {
    return writeSync(file, block) === block.length
  } catch {
    return false
  }
}

test.skipIf(!canMount)(
  'RL-3 a full disk ends the run with STORE_ERROR, refuses sends by name, and works once there is space',
  async () => {
    const folder = await temporaryFolder()
    onTestFinished(() => folder[Symbol.asyncDispose]())
    const mounted = join(folder.path, 'disk')
    mkdirSync(mounted)
    const harness = await openFaultHarness({
      everyMs: 20,
      environment: { DATABASE_URL: `file:${join(mounted, 'chat.db')}` },
      through: withDisk(mounted),
    })
    const filler = join('/proc', String(harness.server.pid), 'root', mounted, 'filler')
    const { runId } = await harness.say('Go')
    const watching = harness.watch(runId)
    await until(() => expect(harness.recorder.shown[0]?.message.parts.length).toBeGreaterThan(1))
    fill(filler)
    await watching
    await until(async () =>
      expect(await harness.status()).toMatchObject({ state: 'error', code: 'STORE_ERROR' }),
    )
    await expect(harness.say('x'.repeat(100_000))).rejects.toMatchObject({ data: { appCode: 'STORE_ERROR' } })
    rmSync(filler)
    await expectRecovered(harness)
  },
)

test('RL-3 a store that another process keeps locked refuses sends by name, while pages and aborts are answered', async () => {
  const harness = await openFaultHarness({ everyMs: 20 })
  const { runId } = await harness.say('Go')
  const watching = harness.watch(runId)
  await until(() => expect(harness.recorder.shown[0]?.message.parts.length).toBeGreaterThan(1))
  using other = new DatabaseSync(harness.database, { timeout: 20_000 })
  other.exec('BEGIN IMMEDIATE')
  const sent = expect(harness.say('Are you busy?')).rejects.toMatchObject({
    data: { appCode: 'STORE_ERROR' },
  })
  await delay(100)
  const asked = performance.now()
  await harness.connection.api.session.messages.query({ sessionId: 's' })
  expect(performance.now() - asked).toBeLessThan(3_000)
  await Promise.all([sent, watching])
  expect(await harness.status()).toMatchObject({ state: 'error', code: 'STORE_ERROR' })
  other.exec('COMMIT')
  await expectRecovered(harness)
})
