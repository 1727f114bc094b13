import { expect, test } from 'vitest'
import {
  asks,
  compaction,
  ids,
  lease,
  newSession,
  type OpenFixture,
  planned,
  replyWrite,
  texts,
  turn,
  userMessage,
} from './fixtures.ts'

export function runContract(open: OpenFixture): void {
  test('DA-1 exactly one of many concurrent starts claims the session, and only its message is written', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    const starts = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        store.runs.begin(lease('a', index), asks(userMessage('a', `m${index}`, 'Go'))),
      ),
    )
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = starts.filter((start) => start.status === 'rejected')
    expect(refused.every(({ reason }) => reason.code === 'SESSION_BUSY')).toBe(true)
    expect(await store.messages.visible('a')).toHaveLength(1)
  })

  test('DA-1 a run that ends lets the next one begin, and every message keeps its place', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await turn(store, 'a', 'm1', { at: 2_000 })
    const session = await turn(store, 'a', 'm2', { at: 4_000 })
    expect(session.updatedAt).toBe(4_001)
    const messages = await store.messages.visible('a')
    expect(messages.map(({ id, seq, role }) => [id, seq, role])).toEqual([
      ['m1', 1, 'user'],
      ['m1a', 2, 'assistant'],
      ['m2', 3, 'user'],
      ['m2a', 4, 'assistant'],
    ])
  })

  test('DA-1 a start is refused for an unknown and for an archived session', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await store.sessions.setArchived('a', 5, 5)
    const begin = (id: string) => store.runs.begin(lease(id, 1), asks(userMessage(id, 'm1', 'Go')))
    await expect(begin('a')).rejects.toMatchObject({ code: 'SESSION_ARCHIVED' })
    await expect(begin('none')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    expect(await store.reports.counts()).toEqual({ sessions: 1, messages: 0 })
  })

  test('DA-1 the session follows the model of the message that starts a run', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    const model = { providerId: 'lab', modelId: 'two', variant: 'high' }
    const message = userMessage('a', 'm1', 'Go')
    await store.runs.begin(lease('a', 1), asks({ ...message, metadata: { ...message.metadata, model } }))
    expect(await store.sessions.get('a')).toMatchObject({ model })
  })

  test('RW-2 a message that replaces another hides it and all that followed, and deletes nothing', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    for (const id of ['m1', 'm2', 'm3']) await turn(store, 'a', id)
    const change = planned('a', 'op_1', { lastSeq: 6, hidden: [[3, 6]] }, { createdAt: 2_009 })
    const begun = await store.runs.begin(lease('a', 9), {
      type: 'message',
      message: userMessage('a', 'm4', 'Instead'),
      change,
    })
    expect(begun?.message).toMatchObject({ id: 'm4', seq: 7 })
    expect(ids(await store.messages.visible('a'))).toEqual(['m1', 'm1a', 'm4'])
    const { items } = await store.messages.page({ sessionId: 'a', limit: 50, hidden: true })
    expect(ids(items)).toEqual(['m1', 'm1a', 'm2', 'm2a', 'm3', 'm3a', 'm4'])
    expect(items[2]).toMatchObject({ hiddenBy: 'op_1', hiddenAt: 2_009 })
  })

  test('RW-2 a new reply to an old message hides what came after it, and may show what was hidden', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    for (const id of ['m1', 'm2']) await turn(store, 'a', id)
    await store.history.apply(planned('a', 'op_1', { lastSeq: 4, hidden: [[1, 2]] }))
    const change = planned('a', 'op_2', { lastSeq: 4, hidden: [[4, 4]], shown: [[1, 2]] })
    const begun = await store.runs.begin(lease('a', 9), { type: 'existing', change })
    expect(begun).toMatchObject({ session: { id: 'a', updatedAt: 2_009 }, message: null })
    expect(ids(await store.messages.visible('a'))).toEqual(['m1', 'm1a', 'm2'])
  })

  test('RW-2 a start whose rewind was planned on another history claims and changes nothing', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    for (const id of ['m1', 'm2']) await turn(store, 'a', id)
    const change = planned('a', 'op_1', { lastSeq: 2, hidden: [[1, 2]] })
    const begin = () =>
      store.runs.begin(lease('a', 9), { type: 'message', message: userMessage('a', 'm3', 'x'), change })
    await expect(begin()).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(ids(await store.messages.visible('a'))).toEqual(['m1', 'm1a', 'm2', 'm2a'])
    expect((await store.history.outline('a')).operations).toEqual([])
    expect(await store.runs.begin(lease('a', 9), { type: 'existing', change: null })).not.toBeNull()
  })

  test('DA-1 the next host takes the claim of a dead host with the unfinished reply', async () => {
    await using fixture = await open()
    const { store } = fixture
    for (const id of ['a', 'b', 'c']) await store.sessions.create(newSession(id))
    const [begun, bare] = [lease('a', 1), lease('b', 1)]
    await store.runs.begin(begun, asks(userMessage('a', 'm1', 'Go')))
    await store.runs.record(replyWrite(begun, 'r', [{ type: 'text', text: 'half' }]))
    await turn(store, 'b', 'm0')
    await store.runs.begin(bare, asks(userMessage('b', 'm2', 'Go')))
    await turn(store, 'c', 'm3')
    expect(await store.runs.orphans(9_000)).toEqual([])
    const next = await fixture.restart()
    const orphans = (await next.runs.orphans(9_000)).toSorted((a, b) =>
      a.lease.runId < b.lease.runId ? -1 : 1,
    )
    expect(orphans).toMatchObject([{ lease: begun }, { lease: bare, message: null }])
    expect(texts(orphans[0]?.message ?? null)).toEqual(['half'])
    for (const orphan of orphans) await next.runs.end(orphan.lease, null, 9_000)
    expect(await next.runs.orphans(9_000)).toEqual([])
    expect(await next.runs.begin(lease('a', 2), asks(userMessage('a', 'm4', 'On')))).not.toBeNull()
  })

  test('DA-1 the next host gets a claim with the reply of its own run, also after compactions', async () => {
    await using fixture = await open()
    const { store } = fixture
    for (const id of ['a', 'b']) await store.sessions.create(newSession(id))
    await turn(store, 'a', 'm1')
    await turn(store, 'b', 'm2')
    const [begun, bare] = [lease('a', 1), lease('b', 1)]
    await store.runs.begin(begun, asks(userMessage('a', 'm3', 'Go')))
    await store.runs.record(replyWrite(begun, 'r', [{ type: 'text', text: 'half' }]))
    await store.history.apply(compaction('a', 'op_1', { lastSeq: 4, to: 2 }), begun)
    const again = compaction('a', 'op_2', { lastSeq: 5, to: 2 })
    const insert = again.insert && {
      ...again.insert,
      metadata: { ...again.insert.metadata, runId: begun.runId },
    }
    await store.history.apply({ ...again, insert }, begun)
    await store.runs.begin(bare, asks(userMessage('b', 'm4', 'Go')))
    await store.history.apply(compaction('b', 'op_3', { lastSeq: 3, to: 2 }), bare)
    const next = await fixture.restart()
    const orphans = (await next.runs.orphans(9_000)).toSorted((a, b) =>
      a.lease.runId < b.lease.runId ? -1 : 1,
    )
    expect(orphans).toMatchObject([
      { lease: begun, message: { id: 'r', metadata: { runId: begun.runId } } },
      { lease: bare, message: null },
    ])
    expect(texts(orphans[0]?.message ?? null)).toEqual(['half'])
  })

  test('DA-5 usage is summed by model and day', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    const day = Date.UTC(2026, 10, 20)
    const run = lease('a', 1)
    await store.runs.begin(run, asks(userMessage('a', 'm1', 'Go', day)))
    const usage = { input: 1, output: 2, reasoning: 3, cacheRead: 4, cacheWrite: 5, steps: 2 }
    for (const [index, at] of [day, day + 1, day + 86_400_000].entries()) {
      const write = replyWrite(run, `r${index}`, [], at)
      await store.runs.record({ ...write, metadata: { ...write.metadata, usage } })
    }
    const bare = replyWrite(run, 'r9', [], day + 2)
    await store.runs.record({ ...bare, metadata: { schemaVersion: 1, createdAt: day + 2 } })
    const rows = await store.reports.usage({ since: day, until: day + 86_400_000 })
    const twice = { input: 2, output: 4, reasoning: 6, cacheRead: 8, cacheWrite: 10, steps: 4 }
    const none = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0, steps: 0 }
    expect(rows).toEqual([
      { model: { providerId: 'lab', modelId: 'one' }, day: '2026-11-20', messages: 2, usage: twice },
      { model: null, day: '2026-11-20', messages: 1, usage: none },
    ])
  })
}
