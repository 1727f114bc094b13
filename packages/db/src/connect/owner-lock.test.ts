import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openStore } from '../open-store.ts'
import { CLOCK, temporaryFolder, temporaryStore } from '../testing/temporary-store.ts'
import { lockOwnership } from './owner-lock.ts'

test('DA-6 a second host on the same file is refused with an error that names the owner', async () => {
  await using fixture = await temporaryStore()
  const second = openStore({ url: `file:${fixture.path}`, clock: CLOCK })
  await expect(second).rejects.toMatchObject({
    code: 'STORE_ERROR',
    message: expect.stringMatching(new RegExp(`process ${process.pid} on .+ since 1970-01-01T00:00:01`)),
  })
  expect(await fixture.store.reports.counts()).toEqual({ sessions: 0, messages: 0 })
})

test('DA-6 a host that closes lets the next one in', async () => {
  await using fixture = await temporaryStore()
  const next = await fixture.restart()
  expect(next.storeId).toBe(fixture.store.storeId)
})

test('DA-6 the ownership of a process that is killed ends with it', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'a.db')
  const module = new URL('./owner-lock.ts', import.meta.url).href
  const script = `import { lockOwnership } from '${module}'; globalThis.lock = lockOwnership('${path}', 5); console.log('locked'); setInterval(() => {}, 1e6)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  await once(child.stdout, 'data')
  expect(() => lockOwnership(path, 6)).toThrow(`process ${child.pid}`)
  child.kill('SIGKILL')
  await once(child, 'exit')
  using lock = lockOwnership(path, 7)
  expect(lock).toBeDefined()
})

test('DA-9 another process reads the store, as Prisma Studio does, while its host runs', async () => {
  await using fixture = await temporaryStore()
  const reader = new Database(fixture.path)
  expect(reader.prepare('SELECT count(*) AS n FROM chat_sessions').get()).toEqual({ n: 0 })
  reader.close()
})

test('DA-6 a folder that cannot be written to is named as the reason', () => {
  expect(() => lockOwnership('/proc/none/a.db', 1)).toThrow()
})
