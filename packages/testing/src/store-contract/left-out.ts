import { expect, test } from 'vitest'
import { branchOf, newSession, type OpenFixture, planned, turn } from './fixtures.ts'

export function leftOutContract(open: OpenFixture): void {
  test('PR-5 an operation marks messages as left out and as no longer so, and branches take the marks along', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await turn(store, 'a', 'm1')
    await turn(store, 'a', 'm2')
    const before = await store.messages.get('a', 'm1')
    const leftOut = ['m1', 'm2a']
    const first = { lastSeq: 4, targetMessageId: 'm1', leftOut }
    const session = await store.history.apply(planned('a', 'op_1', first, { kind: 'leaveout' }))
    expect(session).toMatchObject({ contextTokens: 11, updatedAt: 7_000 })
    const marked = await store.messages.get('a', 'm1')
    expect(marked).toEqual({ ...before, metadata: { ...before?.metadata, leftOut: true }, updatedAt: 7_000 })
    const visible = await store.messages.visible('a')
    expect(visible.map(({ metadata }) => metadata.leftOut === true)).toEqual([true, false, false, true])

    await store.history.branch(branchOf('a', 'b', [1, 2]))
    const copies = await store.messages.visible('b')
    expect(copies.map(({ metadata }) => metadata.leftOut === true)).toEqual([true, false])

    const back = { lastSeq: 4, targetMessageId: 'm1', broughtBack: ['m1'] }
    await store.history.apply(planned('a', 'op_2', back, { kind: 'bringback' }))
    expect(await store.messages.get('a', 'm1')).toEqual({ ...before, updatedAt: 7_000 })
    const { operations } = await store.history.outline('a')
    expect(operations.map(({ kind, detail }) => [kind, detail.leftOut, detail.broughtBack])).toEqual([
      ['leaveout', leftOut, undefined],
      ['branch', undefined, undefined],
      ['bringback', undefined, ['m1']],
    ])
  })

  test('PR-5 an operation on a message that is not there changes nothing', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await turn(store, 'a', 'm1')
    const before = await store.messages.visible('a')
    const detail = { lastSeq: 2, leftOut: ['m1', 'none'] }
    await expect(
      store.history.apply(planned('a', 'op_1', detail, { kind: 'leaveout' })),
    ).rejects.toMatchObject({
      code: 'MESSAGE_NOT_FOUND',
    })
    expect(await store.messages.visible('a')).toEqual(before)
    expect((await store.history.outline('a')).operations).toEqual([])
  })

  test('PR-5 OB-1 an export holds what is left out, and its import under new ids too', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await turn(store, 'a', 'm1')
    const detail = { lastSeq: 2, targetMessageId: 'm1', leftOut: ['m1'] }
    await store.history.apply(planned('a', 'op_1', detail, { kind: 'leaveout' }))
    const lines = await Array.fromAsync(store.history.exportRows('a'))
    async function* numbered() {
      for (const [index, line] of lines.entries()) yield { ...line, number: index + 1 }
    }
    const { id } = await store.history.importRows(numbered())
    expect(id).not.toBe('a')
    const [copy] = await store.messages.visible(id)
    expect(copy?.metadata.leftOut).toBe(true)
    const { operations } = await store.history.outline(id)
    expect(operations[0]).toMatchObject({ kind: 'leaveout', detail: { leftOut: [copy?.id] } })
  })
}
