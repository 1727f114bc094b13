import type { ChatPart } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import {
  asks,
  lease,
  MODEL,
  newSession,
  type OpenFixture,
  removeSession,
  replyWrite,
  texts,
  userMessage,
} from './fixtures.ts'

export function recordContract(open: OpenFixture): void {
  test('DA-2 a part grows on its one row, and a tool call moves through its states there', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    const run = lease('a', 1)
    await store.runs.begin(run, asks(userMessage('a', 'm1', 'Go')))
    const call = { type: 'tool-read' as const, toolCallId: 'c1' }
    const states: ChatPart[] = [
      { ...call, state: 'input-streaming', input: undefined },
      { ...call, state: 'input-available', input: { path: 'x' } },
      { ...call, state: 'output-available', input: { path: 'x' }, output: 'y' },
    ]
    for (const [index, state] of states.entries()) {
      const text: ChatPart = { type: 'text', text: 'word '.repeat(index + 1), state: 'streaming' }
      await store.runs.record(replyWrite(run, 'r', [text, state], 3_000 + index))
    }
    const message = await store.messages.get('a', 'r')
    expect(message?.parts).toMatchObject([
      { id: 'prt_r_0', index: 0, data: { text: 'word word word ' } },
      { id: 'prt_r_1', index: 1, data: { state: 'output-available', input: { path: 'x' }, output: 'y' } },
    ])
    expect(message).toMatchObject({ seq: 2, createdAt: 3_000, updatedAt: 3_002 })
  })

  test('DA-2 a write that names one part leaves the others as they are', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    const run = lease('a', 1)
    await store.runs.begin(run, asks(userMessage('a', 'm1', 'Go')))
    const both = replyWrite(run, 'r', [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ])
    await store.runs.record(both)
    await store.runs.record({
      ...both,
      parts: [{ id: 'prt_r_1', index: 1, data: { type: 'text', text: 'more' } }],
    })
    expect(texts(await store.messages.get('a', 'r'))).toEqual(['one', 'more'])
  })

  test('DA-2 a write that says nothing of the message itself leaves its row as it is', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    const run = lease('a', 1)
    await store.runs.begin(run, asks(userMessage('a', 'm1', 'Go')))
    const first = replyWrite(run, 'm2', [{ type: 'text', text: 'One' }])
    await store.runs.record(first)
    const before = await store.messages.get('a', 'm2')
    const later = replyWrite(run, 'm2', [{ type: 'text', text: 'One and two' }], 4_000)
    await store.runs.record({ ...later, metadata: null })
    const after = await store.messages.get('a', 'm2')
    expect(texts(after)).toEqual(['One and two'])
    expect({ ...after, parts: [] }).toEqual({ ...before, parts: [] })
  })

  test('RW-5 a run adds to the metadata of the message that started it, and to nothing else', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    const run = lease('a', 1)
    const begun = await store.runs.begin(run, asks(userMessage('a', 'm1', 'Go')))
    const metadata = {
      schemaVersion: 1 as const,
      createdAt: 1,
      ...begun?.message?.metadata,
      snapshotId: 'tree',
    }
    const write = { ...replyWrite(run, 'm1', [], 4_000), metadata }
    await store.runs.record({ ...write, log: { ...write.log, chunks: [], open: null } })
    const after = await store.messages.get('a', 'm1')
    expect(after).toEqual({ ...begun?.message, metadata, updatedAt: 4_000 })
    expect(await store.runs.log(run.runId)).toEqual([])
  })

  test('DA-2 writes of many runs at once all land, each in its own order', async () => {
    await using fixture = await open()
    const { store } = fixture
    const runs = Array.from({ length: 20 }, (_, index) => lease(`s${index}`, 1))
    await Promise.all(
      runs.map(async (run) => {
        await store.sessions.create(newSession(run.sessionId))
        await store.runs.begin(run, asks(userMessage(run.sessionId, `${run.sessionId}m`, 'Go')))
      }),
    )
    const lengths = Array.from({ length: 25 }, (_, index) => index + 1)
    await Promise.all(
      lengths.flatMap((length) =>
        runs.map((run) =>
          store.runs.record(
            replyWrite(
              run,
              `${run.sessionId}r`,
              [{ type: 'text', text: 'x'.repeat(length) }],
              3_000 + length,
            ),
          ),
        ),
      ),
    )
    const replies = await Promise.all(
      runs.map((run) => store.messages.get(run.sessionId, `${run.sessionId}r`)),
    )
    expect(replies.map(texts)).toEqual(runs.map(() => ['x'.repeat(25)]))
    expect(replies.every((message) => message?.updatedAt === 3_025 && message.seq === 2)).toBe(true)
  })

  test('DA-2 a write into a session that is gone fails alone, and harms no other run', async () => {
    await using fixture = await open()
    const { store } = fixture
    for (const id of ['a', 'b']) await store.sessions.create(newSession(id))
    const [gone, alive] = [lease('a', 1), lease('b', 1)]
    await store.runs.begin(gone, asks(userMessage('a', 'm1', 'Go')))
    await store.runs.begin(alive, asks(userMessage('b', 'm2', 'Go')))
    await store.runs.end(gone, null, 2_500)
    await removeSession(store, 'a')
    const results = await Promise.allSettled(
      [
        replyWrite(alive, 'r0', []),
        replyWrite(gone, 'r1', []),
        replyWrite(alive, 'r0', [{ type: 'text', text: 'x' }]),
      ].map((write) => store.runs.record(write)),
    )
    expect(results).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'SESSION_NOT_FOUND' } },
      { status: 'fulfilled' },
    ])
    expect(texts(await store.messages.get('b', 'r0'))).toEqual(['x'])
  })

  test('DA-2 a step is committed whole: message, usage, window, model and system prompt', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    const run = lease('a', 1)
    await store.runs.begin(run, asks(userMessage('a', 'm1', 'Go')))
    const usage = { input: 10, output: 20, reasoning: 30, cacheRead: 40, cacheWrite: 3_000_000_000 }
    const model = { ...MODEL, variant: 'low' }
    const systemPrompt = { digest: 'd1', body: 'Be "exact".\n' }
    const step = { ...replyWrite(run, 'r', [{ type: 'text', text: 'ok' }]), usage, model, systemPrompt }
    await store.runs.commitStep({ ...step, contextTokens: 77, contextEstimated: true })
    const session = await store.runs.commitStep({
      ...step,
      contextTokens: null,
      contextEstimated: false,
      usage,
      systemPrompt: null,
    })
    expect(session).toMatchObject({
      promptTokens: 20,
      completionTokens: 40,
      reasoningTokens: 60,
      cacheRead: 80,
      cacheWrite: 6_000_000_000,
      totalTokens: 6_000_000_200,
      contextTokens: 77,
      metadata: { contextEstimated: true },
      model,
    })
    expect(await store.sessions.get('a')).toEqual(session)
    expect(await store.messages.systemPrompt('d1')).toBe('Be "exact".\n')
    expect(await store.messages.systemPrompt('none')).toBeNull()
  })

  test.for(['record', 'end'] as const)(
    'DA-2 a step that is stored with a later write, by %s, is whole: usage, window, model and system prompt',
    async (method) => {
      await using fixture = await open()
      const { store } = fixture
      await store.sessions.create(newSession('a'))
      const run = lease('a', 1)
      await store.runs.begin(run, asks(userMessage('a', 'm1', 'Go')))
      const usage = { input: 1, output: 2, reasoning: 3, cacheRead: 4, cacheWrite: 5 }
      const systemPrompt = { digest: 'd1', body: 'Be brief.' }
      const step = { usage, model: MODEL, systemPrompt, contextTokens: 77, contextEstimated: true }
      const write = { ...replyWrite(run, 'r', [{ type: 'text', text: 'zebra' }]), step }
      if (method === 'record') await store.runs.record(write)
      const { step: _, ...rest } = write
      await store.runs.end(run, method === 'end' ? write : rest, 4_000)
      expect(await store.sessions.get('a')).toMatchObject({
        ...{ promptTokens: 1, completionTokens: 2, reasoningTokens: 3, cacheRead: 4, cacheWrite: 5 },
        ...{ totalTokens: 15, contextTokens: 77, metadata: { contextEstimated: true }, model: MODEL },
      })
      expect(await store.messages.systemPrompt('d1')).toBe('Be brief.')
      const found = await store.messages.search({ text: 'zebra', limit: 5 })
      expect(found.items.map(({ messageId }) => messageId)).toEqual(['r'])
    },
  )
}
