import { type ChatPart, type Json, LIMITS, type SeqRange } from '@palimpsest/core/domain'
import type { Page } from '@palimpsest/core/ports'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  asks,
  fires,
  ids,
  lease,
  newSession,
  type OpenFixture,
  planned,
  replyWrite,
  turn,
  userMessage,
} from './fixtures.ts'

/** The ids on each page, from the first to the last. */
async function pagesOf(read: (after: { cursor?: string }) => Promise<Page<{ id: string }>>) {
  const pages: string[][] = []
  let after = {}
  for (;;) {
    const { items, nextCursor } = await read(after)
    pages.push(items.map(({ id }) => id))
    if (nextCursor === null) return pages
    after = { cursor: nextCursor }
  }
}

export function messageContract(open: OpenFixture): void {
  test('DA-3 pages of messages come newest first, ordered by seq inside, not by id', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    for (const [index, id] of ['z', 'm', 'a'].entries()) await turn(store, 'a', id, { at: 2_000 + index })
    const query = { sessionId: 'a', limit: 4, hidden: false }
    const first = await store.messages.page(query)
    expect(ids(first.items)).toEqual(['m', 'ma', 'a', 'aa'])
    const second = await store.messages.page({ ...query, cursor: first.nextCursor ?? '' })
    expect(ids(second.items)).toEqual(['z', 'za'])
    expect(second.nextCursor).toBeNull()
    const visible = await store.messages.visible('a')
    expect(ids(visible)).toEqual(['z', 'za', 'm', 'ma', 'a', 'aa'])
    expect(visible.slice(2)).toEqual(first.items)
  })

  test('DA-3 a page of messages at given places has those alone, hidden ones where they are asked for', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    for (const [index, id] of ['m1', 'm2', 'm3', 'm4'].entries())
      await turn(store, 'a', id, { at: 2_000 + index })
    await store.history.apply(planned('a', 'op_1', { lastSeq: 8, hidden: [[3, 4]] }))
    const places: SeqRange[] = [
      [1, 1],
      [3, 5],
      [8, 900],
    ]
    const query = { sessionId: 'a', limit: 3, hidden: true, places }
    const first = await store.messages.page(query)
    expect(ids(first.items)).toEqual(['m2a', 'm3', 'm4a'])
    const second = await store.messages.page({ ...query, cursor: first.nextCursor ?? '' })
    expect(ids(second.items)).toEqual(['m1', 'm2'])
    expect(second.nextCursor).toBeNull()
    expect(ids((await store.messages.page({ ...query, hidden: false })).items)).toEqual(['m1', 'm3', 'm4a'])
    expect(await store.messages.page({ ...query, places: [] })).toEqual({ items: [], nextCursor: null })
  })

  test('DA-3 a page of large messages is shorter, and the pages together hold each of them once', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    // Three do not fit a page, and one is larger than a page.
    const large = LIMITS.pageBytes * 0.4
    for (const [index, size] of [large, large, large, 10, LIMITS.pageBytes + 10, 10].entries()) {
      const message = userMessage('a', `m${index}`, `word ${'x'.repeat(size)}`)
      await store.queue.add(message, 5_000 + index)
      if (index < 3) await store.queue.cancel('a', `m${index}`, 6_000)
      else await store.runs.begin(lease('a', index), fires(`m${index}`))
      await store.runs.end(lease('a', index), null, 7_000).catch(() => null)
    }
    const query = { sessionId: 'a', limit: 200, hidden: true }
    expect(await pagesOf((after) => store.messages.page({ ...query, ...after }))).toEqual([
      ['m5'],
      ['m4'],
      ['m3'],
    ])
    expect(await pagesOf((after) => store.queue.cancelled({ ...query, ...after }))).toEqual([
      ['m2', 'm1'],
      ['m0'],
    ])
    const hits = await pagesOf(async (after) => {
      const { items, nextCursor } = await store.messages.search({ text: 'word', limit: 200, ...after })
      return { items: items.map(({ messageId }) => ({ id: messageId })), nextCursor }
    })
    expect(hits).toEqual([['m5'], ['m4'], ['m3']])
  })

  test('DA-3 a message is found in its own session only', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await store.sessions.create(newSession('b'))
    await turn(store, 'a', 'm1')
    expect(await store.messages.get('a', 'm1')).toMatchObject({ id: 'm1', seq: 1, role: 'user' })
    expect(await store.messages.get('b', 'm1')).toBeNull()
    expect(await store.messages.get('a', 'none')).toBeNull()
    expect((await store.messages.page({ sessionId: 'none', limit: 5, hidden: true })).items).toEqual([])
  })

  test('DA-4 any part comes back byte-identical, and so does what is stored from it again', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    const run = lease('a', 1)
    await store.runs.begin(run, asks(userMessage('a', 'm1', 'Go')))
    let count = 0
    await fc.assert(
      fc.asyncProperty(anyPart(), async (part) => {
        const messageId = `r${count++}`
        const written: ChatPart = JSON.parse(JSON.stringify(part))
        await store.runs.record(replyWrite(run, messageId, [written]))
        const once = await store.messages.get('a', messageId)
        expect(JSON.stringify(once?.parts.map(({ data }) => data))).toBe(JSON.stringify([written]))
        await store.runs.record(replyWrite(run, messageId, once?.parts.map(({ data }) => data) ?? []))
        const twice = await store.messages.get('a', messageId)
        expect(JSON.stringify(twice?.parts)).toBe(JSON.stringify(once?.parts))
      }),
      { numRuns: 60 },
    )
  }, 30_000)

  test('DA-4 metadata comes back whole, unknown keys included', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    const run = lease('a', 1)
    await store.runs.begin(run, asks(userMessage('a', 'm1', 'Go')))
    const usage = { input: 1, output: 2, reasoning: 3, cacheRead: 4, cacheWrite: 5, steps: 1 }
    const metadata = {
      schemaVersion: 1 as const,
      createdAt: 3_000,
      runId: run.runId,
      model: { providerId: 'lab', modelId: 'one', variant: 'high' },
      usage: { ...usage, unknown: true as const },
      finishReason: 'max-steps' as const,
      error: { code: 'PROVIDER_ERROR' as const, message: 'gone' },
      systemPromptDigest: 'abc',
      durationMs: 12.5,
      partDurationsMs: { '0': 3, '10': 4 },
      unheardOf: { camelCase: [1], snake_case: 2 },
    }
    await store.runs.record({ ...replyWrite(run, 'r', []), metadata })
    expect((await store.messages.get('a', 'r'))?.metadata).toEqual(metadata)
  })

  test('ID-2 a message id that is taken is a conflict, in any session', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await store.sessions.create(newSession('b'))
    await turn(store, 'a', 'm1')
    const taken = { code: 'CONFLICT' }
    await expect(store.runs.begin(lease('b', 1), asks(userMessage('b', 'm1', 'x')))).rejects.toMatchObject(
      taken,
    )
    await expect(store.queue.add(userMessage('b', 'm1', 'x'), 5)).rejects.toMatchObject(taken)
    expect((await store.messages.page({ sessionId: 'b', limit: 5, hidden: true })).items).toEqual([])
    expect(await store.runs.begin(lease('b', 2), asks(userMessage('b', 'm2', 'x')))).not.toBeNull()
  })
}

function anyPart(): fc.Arbitrary<ChatPart> {
  const text = fc.string({ unit: 'binary' })
  // Parts of the AI SDK can hold any JSON value.
  const json = fc.jsonValue({ maxDepth: 4 }).map((value) => value as Json)
  const record = fc.dictionary(fc.oneof(text, fc.constantFrom('1', '0', 'z', 'a')), json)
  return fc.oneof(
    fc.record({ type: fc.constant('text' as const), text, state: fc.constant('done' as const) }),
    fc.record({
      type: fc.constant('reasoning' as const),
      text,
      providerMetadata: fc.record({ lab: record.map((own) => ({ z: 1, signature: 'x', a: 0.1, ...own })) }),
    }),
    fc.record({
      type: fc.constant('tool-read' as const),
      toolCallId: text,
      state: fc.constant('output-available' as const),
      input: json,
      output: json,
    }),
    fc.record({ type: fc.constant('data-own' as const), data: json }),
  )
}
