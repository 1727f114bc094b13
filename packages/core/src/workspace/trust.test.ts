import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { createMemoryTables } from '@palimpsest/testing/memory-store/tables.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTrust, type TrustItem } from './trust.ts'

const item = (over: Partial<TrustItem> = {}): TrustItem => ({
  kind: 'agent',
  root: '/w',
  path: 'a.md',
  content: 'x',
  ...over,
})

async function open(tables = createMemoryTables()) {
  const store = await createMemoryStore(tables)
  return { store, trust: createTrust({ store, clock: createFakeClock() }) }
}

test('SA-7 nothing is trusted until a person has consented, and the consent outlives the host', async () => {
  const tables = createMemoryTables()
  const { trust } = await open(tables)
  expect(await trust.trusted([item()])).toEqual([])
  const consent = await trust.grant(item())
  expect(consent).toMatchObject({ kind: 'agent', root: '/w', path: 'a.md' })
  const { trust: later } = await open(tables)
  expect(await later.trusted([item({ content: 'y' }), item()])).toEqual([item()])
  expect(await later.consents()).toEqual([consent])
})

test('SA-7 a consent is for one content, kind, folder and path: any change needs another one', async () => {
  const { trust } = await open()
  await trust.grant(item())
  const others = [
    item({ content: 'y' }),
    item({ kind: 'hook' }),
    item({ root: '/v' }),
    item({ path: 'b.md' }),
  ]
  expect(await trust.trusted(others)).toEqual([])
  const any = fc.record({
    kind: fc.constantFrom('agent', 'mcp'),
    root: fc.string(),
    path: fc.string(),
    content: fc.string(),
  })
  await fc.assert(
    fc.asyncProperty(any, any, async (a, b) => {
      const [one, other] = await Promise.all([
        trust.digestOf({ ...item(), ...a } as TrustItem),
        trust.digestOf({ ...item(), ...b } as TrustItem),
      ])
      expect(one === other).toBe(JSON.stringify(a) === JSON.stringify(b))
    }),
  )
})

test('SA-7 a consent that is given twice is one, and withdrawn it is gone', async () => {
  const { trust } = await open()
  const { digest } = await trust.grant(item())
  await trust.grant(item())
  expect(await trust.consents()).toHaveLength(1)
  expect([await trust.revoke(digest), await trust.revoke(digest)]).toEqual([true, false])
  expect(await trust.trusted([item()])).toEqual([])
})

test('SA-7 at 1,000 consents another one is refused, and those that are there count', async () => {
  const { store, trust } = await open()
  const digests = Array.from({ length: 1_000 }, (_, at) => `consent:${`${at}`.padStart(64, '0')}`)
  const value = { kind: 'agent', root: '/w', path: 'a', createdAt: 1 }
  await store.settings.setValues(new Map(digests.map((key) => [key, value])), 1)
  await expect(trust.grant(item())).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  expect(await trust.consents()).toHaveLength(1_000)
})

test('SA-7 a stored consent of another shape is left out', async () => {
  const { store, trust } = await open()
  const values = new Map<string, unknown>([
    ['consent:a', 7],
    ['consent:b', { kind: 'agent' }],
    ['other', {}],
  ])
  await store.settings.setValues(values, 1)
  expect(await trust.consents()).toEqual([])
})
