import type { Store } from '@palimpsest/core/ports'
import { expect, test } from 'vitest'
import { newSession, type OpenFixture, planned, turn } from './fixtures.ts'

/** A session `a` of three turns, and the id of what is taken back next in it. */
async function openTurns(store: Store): Promise<() => Promise<string | null>> {
  await store.sessions.create(newSession('a'))
  for (const id of ['m1', 'm2', 'm3']) await turn(store, 'a', id)
  return async () => (await store.history.lastRewind('a'))?.id ?? null
}

export function lastRewindContract(open: OpenFixture): void {
  test('RW-3 the last rewind is the latest rewind or un-rewind that still hides something', async () => {
    await using fixture = await open()
    const { store } = fixture
    const last = await openTurns(store)
    expect(await last()).toBeNull()
    await store.history.apply(planned('a', 'op_9', { lastSeq: 6, hidden: [[5, 6]] }))
    await store.history.apply(planned('a', 'op_5', { lastSeq: 6, hidden: [[3, 4]] }))
    await store.history.apply(planned('a', 'op_7', { lastSeq: 6, hidden: [[1, 1]] }, { kind: 'compaction' }))
    expect(await last()).toBe('op_5')
    await store.history.apply(planned('a', 'op_6', { lastSeq: 6, shown: [[3, 4]] }, { kind: 'unrewind' }))
    expect(await last()).toBe('op_9')
    expect(await store.history.lastRewind('none')).toBeNull()
  })

  test('RW-3 a rewind that only showed something is the last one until anything comes after it', async () => {
    await using fixture = await open()
    const { store } = fixture
    const last = await openTurns(store)
    await store.history.apply(planned('a', 'op_1', { lastSeq: 6, hidden: [[3, 6]] }))
    await store.history.apply(planned('a', 'op_2', { lastSeq: 6, shown: [[3, 6]] }))
    expect(await last()).toBe('op_2')
    await store.history.apply(planned('a', 'op_3', { lastSeq: 6, hidden: [[1, 1]] }, { kind: 'compaction' }))
    expect(await last()).toBe('op_2')
    await turn(store, 'a', 'm9')
    expect(await last()).toBeNull()
    await store.history.apply(planned('a', 'op_4', { lastSeq: 8, hidden: [[7, 8]] }))
    await store.history.apply(planned('a', 'op_5', { lastSeq: 8, shown: [[7, 8]] }, { kind: 'unrewind' }))
    expect(await last()).toBeNull()
    await store.history.apply(planned('a', 'op_6', { lastSeq: 8 }))
    expect(await last()).toBeNull()
  })
}
