import type { Store } from '@palimpsest/core/ports'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  asks,
  branchOf,
  lease,
  newSession,
  type OpenFixture,
  planned,
  turn,
  userMessage,
} from './fixtures.ts'

const IDS = ['m1', 'm1a', 'm2', 'm2a']

const marks = fc.record({
  leftOut: fc.subarray(IDS),
  broughtBack: fc.subarray(IDS),
})

async function conversation(open: OpenFixture) {
  const fixture = await open()
  await fixture.store.sessions.create(newSession('a'))
  for (const id of ['m1', 'm2']) await turn(fixture.store, 'a', id)
  return fixture
}

async function leftOutIn(store: Store, sessionId: string): Promise<boolean[]> {
  const messages = await store.history.messagesAt(sessionId, [[1, 99]])
  return messages.map(({ metadata }) => metadata.leftOut === true)
}

const leave = (id: string, leftOut: string[]) =>
  planned('a', id, { lastSeq: 4, leftOut }, { kind: 'leaveout' })

export function leftOutAnyOrderContract(open: OpenFixture): void {
  test('PR-5 after any sequence of operations the messages that were left out last are, and their content is as it was', async () => {
    await using fixture = await conversation(open)
    const { store } = fixture
    const before = await store.messages.visible('a')
    const expected = new Set<string>()
    let made = 0
    await fc.assert(
      fc.asyncProperty(marks, async (detail) => {
        await store.history.apply(
          planned('a', `op_${made++}`, { lastSeq: 4, ...detail }, { kind: 'leaveout' }),
        )
        for (const id of detail.leftOut) expected.add(id)
        for (const id of detail.broughtBack) expected.delete(id)
        expect(await leftOutIn(store, 'a')).toEqual(IDS.map((id) => expected.has(id)))
      }),
      { numRuns: 25 },
    )
    const restarted = await fixture.restart()
    expect(await leftOutIn(restarted, 'a')).toEqual(IDS.map((id) => expected.has(id)))
    const after = await restarted.messages.visible('a')
    expect(after.map(({ parts }) => parts)).toEqual(before.map(({ parts }) => parts))
    const { operations } = await restarted.history.outline('a')
    expect(operations.map(({ id }) => id)).toEqual(Array.from({ length: made }, (_, at) => `op_${at}`))
  })

  test('PR-5 a message that is left out twice is brought back by one operation', async () => {
    await using fixture = await conversation(open)
    const { store } = fixture
    for (const id of ['op_1', 'op_2']) await store.history.apply(leave(id, ['m1']))
    const detail = { lastSeq: 4, broughtBack: ['m1', 'm2'] }
    await store.history.apply(planned('a', 'op_3', detail, { kind: 'bringback' }))
    expect(await leftOutIn(store, 'a')).toEqual([false, false, false, false])
    expect((await store.messages.get('a', 'm1'))?.metadata).not.toHaveProperty('leftOut')
  })

  test('PR-5 a hidden message keeps its mark, and has it when it is shown again', async () => {
    await using fixture = await conversation(open)
    const { store } = fixture
    await store.history.apply(leave('op_1', ['m2']))
    await store.history.apply(planned('a', 'op_2', { lastSeq: 4, hidden: [[3, 4]] }))
    expect(await leftOutIn(store, 'a')).toEqual([false, false, true, false])
    await store.history.apply(planned('a', 'op_3', { lastSeq: 4, shown: [[3, 4]] }, { kind: 'unrewind' }))
    const visible = await store.messages.visible('a')
    expect(visible.map(({ metadata }) => metadata.leftOut === true)).toEqual([false, false, true, false])
  })

  test('PR-5 RW-6 nothing is left out while a run holds the session, or by a plan from before the last message', async () => {
    await using fixture = await conversation(open)
    const { store } = fixture
    const run = lease('a', 9)
    await store.runs.begin(run, asks(userMessage('a', 'm3', 'More')))
    await expect(store.history.apply(leave('op_1', ['m1']))).rejects.toMatchObject({ code: 'SESSION_BUSY' })
    await store.runs.end(run, null, 6_000)
    await expect(store.history.apply(leave('op_1', ['m1']))).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await leftOutIn(store, 'a')).toEqual([false, false, false, false, false])
    expect((await store.history.outline('a')).operations).toEqual([])
  })

  test('PR-5 a message of another session is not there to be left out', async () => {
    await using fixture = await conversation(open)
    const { store } = fixture
    await store.sessions.create(newSession('b'))
    await turn(store, 'b', 'n1')
    const refused = store.history.apply(leave('op_1', ['m1', 'n1']))
    await expect(refused).rejects.toMatchObject({ code: 'MESSAGE_NOT_FOUND' })
    expect(await leftOutIn(store, 'a')).toEqual([false, false, false, false])
    expect(await leftOutIn(store, 'b')).toEqual([false, false])
  })

  test('PR-5 BR-1 marks of a branch and of its parent change apart', async () => {
    await using fixture = await conversation(open)
    const { store } = fixture
    await store.history.apply(leave('op_1', ['m1']))
    await store.history.branch(branchOf('a', 'b', [1, 2, 3]))
    const back = { lastSeq: 4, broughtBack: ['m1'] }
    await store.history.apply(planned('a', 'op_2', back, { kind: 'bringback' }))
    expect(await leftOutIn(store, 'b')).toEqual([true, false, false])
    const copies = await store.messages.visible('b')
    const detail = { lastSeq: 3, leftOut: copies.slice(1).map(({ id }) => id) }
    await store.history.apply(planned('b', 'op_3', detail, { kind: 'leaveout' }))
    expect(await leftOutIn(store, 'b')).toEqual([true, true, true])
    expect(await leftOutIn(store, 'a')).toEqual([false, false, false, false])
  })

  test('PR-5 US-4 an operation stores the tokens of the window with its marks', async () => {
    await using fixture = await conversation(open)
    const { store } = fixture
    const detail = { lastSeq: 4, leftOut: ['m1'], beforeTokens: 40, afterTokens: 30 }
    const window = { contextTokens: 30, contextEstimated: true }
    const change = planned('a', 'op_1', detail, { kind: 'leaveout' }, window)
    const session = await store.history.apply(change)
    expect(session).toMatchObject({ contextTokens: 30, metadata: { contextEstimated: true } })
    const { operations } = await (await fixture.restart()).history.outline('a')
    expect(operations[0]?.detail).toMatchObject({ beforeTokens: 40, afterTokens: 30, leftOut: ['m1'] })
  })
}
