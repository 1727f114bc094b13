import type { CondensedOutput, CondensedOutputs } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { asks, lease, MODEL, newSession, type OpenFixture, planned, turn, userMessage } from './fixtures.ts'

function form(text: string): CondensedOutput {
  const tokens = { beforeTokens: 2_250, afterTokens: 40, spentTokens: 2_400 }
  return { text, model: MODEL, ofCharacters: 9_000, ...tokens }
}

export function condensedFormsContract(open: OpenFixture): void {
  test('PR-4 condensed forms join what a message has, with the window that follows from them', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await turn(store, 'a', 'm1')
    await turn(store, 'a', 'm2')
    const keep = (condensed: CondensedOutputs, messageId = 'm1a') =>
      store.history.keepCondensed({
        sessionId: 'a',
        messageId,
        condensed,
        contextTokens: 77,
        contextEstimated: true,
        at: 8_000,
      })
    const before = await store.messages.get('a', 'm1a')
    const session = await keep({ call_1: form('One') })
    expect(session).toMatchObject({
      contextTokens: 77,
      metadata: { contextEstimated: true },
      updatedAt: 8_000,
    })
    await keep({ call_1: form('Another'), call_2: form('Two') })
    const after = await store.messages.get('a', 'm1a')
    const condensed = { call_1: form('One'), call_2: form('Two') }
    expect(after).toEqual({ ...before, metadata: { ...before?.metadata, condensed }, updatedAt: 8_000 })
    const { entries } = await store.history.outline('a')
    expect(entries.map((entry) => entry.condensed)).toEqual([false, true, false, false])
    await expect(keep({}, 'none')).rejects.toMatchObject({ code: 'MESSAGE_NOT_FOUND' })
    await store.runs.begin(lease('a', 1), asks(userMessage('a', 'm3', 'Go')))
    await expect(keep({ call_3: form('Three') })).rejects.toMatchObject({ code: 'SESSION_BUSY' })
    expect(await store.messages.get('a', 'm1a')).toEqual(after)
  })

  test('PR-4 an operation puts a condensed form out of use and in use again; forms that come later leave it so', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await turn(store, 'a', 'm1')
    await turn(store, 'a', 'm2')
    const context = { contextTokens: 77, contextEstimated: true, at: 6_000 }
    const forms = { call_1: form('One'), call_2: form('Two') }
    const keep = { sessionId: 'a', messageId: 'm1a', condensed: forms, ...context }
    await store.history.keepCondensed(keep)
    const before = await store.messages.get('a', 'm1a')
    const use = (id: string, used: boolean, messageId = 'm1a', toolCallId = 'call_1') => {
      const kind = used ? 'recondense' : 'uncondense'
      const detail = { lastSeq: 4, targetMessageId: messageId, toolCallId }
      return store.history.apply(
        planned('a', id, detail, { kind }, { forms: [{ messageId, toolCallId, used }] }),
      )
    }
    expect(await use('op_1', false)).toMatchObject({ contextTokens: 11, updatedAt: 7_000 })
    await store.history.keepCondensed(keep)
    const after = await store.messages.get('a', 'm1a')
    const condensed = { ...forms, call_1: { ...form('One'), unused: true } }
    expect(after).toEqual({ ...before, metadata: { ...before?.metadata, condensed }, updatedAt: 6_000 })
    await use('op_2', false, 'm1a', 'call_9')
    expect((await store.messages.get('a', 'm1a'))?.metadata).toEqual(after?.metadata)
    await use('op_3', true)
    expect(await store.messages.get('a', 'm1a')).toEqual({ ...before, updatedAt: 7_000 })
    const both = Object.keys(forms).map((toolCallId) => ({ messageId: 'm1a', toolCallId, used: false }))
    await store.history.apply(planned('a', 'op_5', { lastSeq: 4 }, { kind: 'unrewind' }, { forms: both }))
    const out = (await store.messages.get('a', 'm1a'))?.metadata.condensed ?? {}
    expect(Object.values(out).map(({ unused }) => unused)).toEqual([true, true])
    await use('op_6', true)
    const { operations } = await store.history.outline('a')
    await expect(use('op_4', false, 'none')).rejects.toMatchObject({ code: 'MESSAGE_NOT_FOUND' })
    expect((await store.history.outline('a')).operations).toEqual(operations)
    expect(operations.at(-1)).toMatchObject({ kind: 'recondense', detail: { toolCallId: 'call_1' } })
  })
}
