import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { newSession } from '@palimpsest/core/testing'
import { expect, test } from 'vitest'
import { backupStore } from './backup.ts'
import { openStore } from './open-store.ts'
import { CLOCK, temporaryFolder, temporaryStore } from './testing/temporary-store.ts'

test('DA-12 a copy made while the host writes opens, and holds all that was acknowledged before', async () => {
  await using fixture = await temporaryStore()
  const target = `${fixture.path}.copies/copy.db`
  for (let index = 0; index < 50; index++) await fixture.store.sessions.create(newSession(`a${index}`))
  let copied = false
  const copying = backupStore(fixture.path, target).then(() => {
    copied = true
  })
  for (let index = 0; !copied; index++) {
    await fixture.store.sessions.create(newSession(`b${index}`))
    await setImmediate()
  }
  await copying
  await using copy = await openStore({ url: `file:${target}`, clock: CLOCK })
  const { items } = await copy.sessions.list({ limit: 200, archived: false, ephemeral: false })
  const ids = new Set(items.map(({ id }) => id))
  expect(Array.from({ length: 50 }, (_, index) => `a${index}`).every((id) => ids.has(id))).toBe(true)
  expect(copy.storeId).toBe(fixture.store.storeId)
})

test('DA-12 nothing that is there already is written over, and a failed copy leaves nothing', async () => {
  await using fixture = await temporaryStore()
  await using folder = await temporaryFolder()
  await expect(backupStore(fixture.path, fixture.path)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  const target = join(folder.path, 'copy.db')
  await expect(backupStore(join(folder.path, 'none.db'), target)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  })
  expect(existsSync(target)).toBe(false)
})
