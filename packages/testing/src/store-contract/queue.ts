import { type ChatPart, LIMITS } from '@palimpsest/core/domain'
import type { Store } from '@palimpsest/core/ports'
import { expect, test } from 'vitest'
import {
  asks,
  fires,
  ids,
  lease,
  MODEL,
  newSession,
  type OpenFixture,
  planned,
  replyWrite,
  texts,
  turn,
  userMessage,
} from './fixtures.ts'

async function withQueue(store: Store, ...queued: string[]): Promise<void> {
  await store.sessions.create(newSession('a'))
  for (const id of queued) await store.queue.add(userMessage('a', id, id), 5_000)
}

export function queueContract(open: OpenFixture): void {
  test('DA-3 queued messages wait in the order of their arrival, without a place in the conversation', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withQueue(store, 'z', 'y', 'x')
    const queued = await store.queue.list('a')
    expect(ids(queued)).toEqual(['z', 'y', 'x'])
    expect(queued.map(({ seq, queuedAt }) => [seq, queuedAt])).toEqual([
      [null, 5_000],
      [null, 5_001],
      [null, 5_002],
    ])
    expect(await store.messages.visible('a')).toEqual([])
    expect((await store.messages.page({ sessionId: 'a', limit: 5, hidden: true })).items).toEqual([])
    const restarted = await fixture.restart()
    expect(ids(await restarted.queue.list('a'))).toEqual(['z', 'y', 'x'])
  })

  test('DA-3 the earliest queued message or a chosen one fires, and takes its place then', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withQueue(store, 'x', 'y', 'z')
    const first = lease('a', 1)
    expect(await store.runs.begin(first, fires(null))).toMatchObject({
      message: { id: 'x', seq: 1, queuedAt: null, metadata: { runId: first.runId } },
    })
    await store.runs.end(first, null, 6_000)
    const begun = await store.runs.begin(lease('a', 2), fires('z'))
    expect(begun?.message).toMatchObject({ id: 'z', seq: 2 })
    expect(ids(await store.queue.list('a'))).toEqual(['y'])
  })

  test('DA-3 a queued message that names no model is given one as it fires', async () => {
    await using fixture = await open()
    const { store } = fixture
    const later = { providerId: 'lab', modelId: 'later' }
    await store.sessions.create(newSession('a'))
    const { metadata, ...message } = userMessage('a', 'x', 'x')
    const { model: own, ...unsaid } = metadata
    await store.queue.add({ ...message, metadata: unsaid }, 5_000)
    await store.queue.add(userMessage('a', 'y', 'y'), 5_000)
    const first = lease('a', 1)
    expect(await store.runs.begin(first, fires(null, later))).toMatchObject({
      session: { model: later },
      message: { id: 'x', metadata: { model: later, runId: first.runId } },
    })
    await store.runs.end(first, null, 6_000)
    expect(await store.runs.begin(lease('a', 2), fires(null, later))).toMatchObject({
      session: { model: own },
      message: { id: 'y', metadata: { model: own } },
    })
  })

  test('RW-2 a queued message fires together with its rewind, or neither happens', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withQueue(store)
    await turn(store, 'a', 'm1')
    for (const id of ['x', 'y']) await store.queue.add(userMessage('a', id, id), 5_000)
    const change = planned('a', 'op_1', { lastSeq: 2, hidden: [[1, 2]] })
    await store.queue.cancel('a', 'x', 6_000)
    await expect(store.runs.begin(lease('a', 1), fires('x', MODEL, change))).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    const stale = planned('a', 'op_1', { lastSeq: 1, hidden: [[1, 1]] })
    await expect(store.runs.begin(lease('a', 1), fires('y', MODEL, stale))).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(ids(await store.messages.visible('a'))).toEqual(['m1', 'm1a'])
    expect(ids(await store.queue.list('a'))).toEqual(['y'])
    expect((await store.history.outline('a')).operations).toEqual([])
    expect(await store.runs.begin(lease('a', 1), fires('y', MODEL, change))).toMatchObject({
      message: { id: 'y', seq: 3 },
    })
    expect(ids(await store.messages.visible('a'))).toEqual(['y'])
  })

  test('RW-2 an empty queue leaves what the planned rewind would have hidden', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withQueue(store)
    await turn(store, 'a', 'm1')
    const change = planned('a', 'op_1', { lastSeq: 2, hidden: [[1, 2]] })
    expect(await store.runs.begin(lease('a', 1), fires(null, MODEL, change))).toBeNull()
    expect(ids(await store.messages.visible('a'))).toEqual(['m1', 'm1a'])
    expect(await store.runs.begin(lease('a', 2), asks(userMessage('a', 'm2', 'Go')))).not.toBeNull()
  })

  test('DA-3 an empty queue starts nothing and claims nothing', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withQueue(store)
    expect(await store.runs.begin(lease('a', 1), fires(null))).toBeNull()
    expect(await store.runs.begin(lease('a', 2), asks(userMessage('a', 'm', 'Go')))).not.toBeNull()
  })

  test('DA-3 a queued message is edited in place: parts, metadata, or both', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withQueue(store, 'x')
    await store.queue.edit('a', 'x', { parts: [{ type: 'text', text: 'new' }] }, 6_000)
    const edited = await store.queue.edit('a', 'x', { metadata: { steer: true } }, 6_001)
    expect(texts(edited)).toEqual(['new'])
    expect(edited).toMatchObject({ metadata: { steer: true, createdAt: 2_000 }, updatedAt: 6_001 })
    expect(await store.queue.list('a')).toEqual([edited])
  })

  test('DA-1 a cancelled message keeps its row, hidden, and never fires', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withQueue(store, 'x')
    await store.queue.cancel('a', 'x', 6_000)
    expect(await store.queue.list('a')).toEqual([])
    expect(await store.messages.get('a', 'x')).toMatchObject({ hiddenBy: 'cancelled', hiddenAt: 6_000 })
    expect(await store.runs.begin(lease('a', 1), fires(null))).toBeNull()
  })

  test('DA-1 cancelled messages are listed, the last queued first, and go back behind all that wait', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withQueue(store, 'x', 'y', 'z')
    for (const id of ['y', 'x']) await store.queue.cancel('a', id, 6_000)
    const list = (cursor?: string) =>
      store.queue.cancelled({ sessionId: 'a', limit: 1, ...(cursor !== undefined && { cursor }) })
    const first = await list()
    expect(first.items).toMatchObject([{ id: 'y', hiddenBy: 'cancelled', hiddenAt: 6_000 }])
    const second = await list(first.nextCursor ?? '')
    expect([ids(second.items), second.nextCursor]).toEqual([['x'], null])
    const restored = await store.queue.restore('a', 'x', 1)
    expect(restored).toMatchObject({ id: 'x', hiddenBy: null, hiddenAt: null, queuedAt: 5_003 })
    expect(texts(restored)).toEqual(['x'])
    const next = await fixture.restart()
    expect(ids(await next.queue.list('a'))).toEqual(['z', 'x'])
    expect(ids((await next.queue.cancelled({ sessionId: 'a', limit: 5 })).items)).toEqual(['y'])
  })

  test('DA-1 only a cancelled message goes back, into an open session with a free place in its queue', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withQueue(store, 'fired', 'waiting', 'gone')
    await store.queue.cancel('a', 'gone', 6_000)
    await store.runs.begin(lease('a', 1), fires('fired'))
    const restore = (id: string) => store.queue.restore('a', id, 7_000)
    for (const id of ['fired', 'waiting'])
      await expect(restore(id)).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(restore('none')).rejects.toMatchObject({ code: 'MESSAGE_NOT_FOUND' })
    for (let count = 1; count < LIMITS.queuedMessages; count++)
      await store.queue.add(userMessage('a', `q${count}`, 'x'), 5_000)
    await expect(restore('gone')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await store.sessions.setArchived('a', 8_000, 8_000)
    await expect(restore('gone')).rejects.toMatchObject({ code: 'SESSION_ARCHIVED' })
    expect(await store.messages.get('a', 'gone')).toMatchObject({ hiddenBy: 'cancelled' })
  })

  test('DA-1 a queue that is marked for the next start is given out once', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withQueue(store, 'x')
    await store.sessions.create(newSession('b'))
    for (const id of ['a', 'b', 'a']) await store.queue.markForNextStart(id)
    const next = await fixture.restart()
    expect((await next.queue.takeMarked()).toSorted()).toEqual(['a', 'b'])
    expect(await next.queue.takeMarked()).toEqual([])
  })

  test('DA-1 a message that was sent or cancelled can no longer be changed', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withQueue(store, 'fired', 'gone')
    await store.queue.cancel('a', 'gone', 6_000)
    await store.runs.begin(lease('a', 1), fires('fired'))
    for (const id of ['fired', 'gone']) {
      const refused = { code: 'CONFLICT' }
      await expect(store.queue.edit('a', id, { parts: [] }, 7_000)).rejects.toMatchObject(refused)
      await expect(store.queue.cancel('a', id, 7_000)).rejects.toMatchObject(refused)
    }
    await expect(store.queue.cancel('a', 'none', 7_000)).rejects.toMatchObject({ code: 'MESSAGE_NOT_FOUND' })
  })

  test('DA-3 the queue is reordered by naming all of it, else nothing changes', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withQueue(store, 'x', 'y', 'z')
    expect(ids(await store.queue.reorder('a', ['z', 'x', 'y'], 6_000))).toEqual(['z', 'x', 'y'])
    for (const wrong of [['z', 'x'], ['z', 'x', 'x'], ['z', 'x', 'y', 'w'], []]) {
      await expect(store.queue.reorder('a', wrong, 6_001)).rejects.toMatchObject({ code: 'CONFLICT' })
    }
    await store.queue.add(userMessage('a', 'w', 'w'), 1)
    expect(ids(await store.queue.list('a'))).toEqual(['z', 'x', 'y', 'w'])
  })

  test('DA-1 steering messages leave the queue in order, placed and hidden by the run that takes them', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withQueue(store, 'x', 'y', 'z')
    for (const id of ['x', 'z']) await store.queue.edit('a', id, { metadata: { steer: true } }, 6_000)
    const run = lease('a', 1)
    await store.runs.begin(run, asks(userMessage('a', 'm', 'Go')))
    const reply = replyWrite(run, 'r', [{ type: 'text', text: 'So far' }])
    const taken = await store.runs.takeSteering(run.runId, reply)
    expect(taken.map(({ index, data }) => [index, data])).toEqual([
      [1, { type: 'steering-message', id: 'x', parts: [{ type: 'text', text: 'x' }] }],
      [2, { type: 'steering-message', id: 'z', parts: [{ type: 'text', text: 'z' }] }],
    ])
    const rows = { hiddenBy: run.runId, queuedAt: null, hiddenAt: reply.at }
    expect(await store.messages.get('a', 'x')).toMatchObject({ ...rows, seq: 3 })
    expect(await store.messages.get('a', 'z')).toMatchObject({ ...rows, seq: 4 })
    expect(ids(await store.queue.list('a'))).toEqual(['y'])
    const [, stored] = await store.messages.visible('a')
    expect(stored?.parts.slice(1)).toEqual(taken.map((part) => ({ ...part, prunedAt: null })))
    expect(await store.runs.takeSteering(run.runId, reply)).toEqual([])
  })

  test('DA-3 messages added at once are queued up to the limit', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withQueue(store)
    const added = await Promise.allSettled(
      Array.from({ length: LIMITS.queuedMessages + 3 }, (_, index) =>
        store.queue.add(userMessage('a', `q${index}`, 'x'), 5_000),
      ),
    )
    const refused = added.filter(({ status }) => status === 'rejected')
    expect(refused).toMatchObject(Array(3).fill({ reason: { code: 'RATE_LIMITED' } }))
    expect(await store.queue.list('a')).toHaveLength(LIMITS.queuedMessages)
  })

  test('DA-3 the messages that wait have a limit of characters, which no addition, edit or restoration exceeds', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withQueue(store, 'small', 'large')
    const text = (words: string) => ({ type: 'text' as const, text: words })
    const half: ChatPart[] = Array.from({ length: 8 }, () => text('x'.repeat(LIMITS.queuedCharacters / 16)))
    const file = { type: 'file' as const, mediaType: 'text/plain', url: 'x' }
    const add = (id: string, parts: ChatPart[]) =>
      store.queue.add({ ...userMessage('a', id, ''), parts }, 6_000)
    const edit = (id: string, parts: ChatPart[]) => store.queue.edit('a', id, { parts }, 6_000)
    const refused = { code: 'RATE_LIMITED' }
    await edit('large', [...half, file])
    await expect(add('more', half)).rejects.toMatchObject(refused)
    await expect(edit('small', half)).rejects.toMatchObject(refused)
    await store.queue.cancel('a', 'large', 6_000)
    await edit('small', [])
    await add('more', half)
    await expect(store.queue.restore('a', 'large', 6_000)).rejects.toMatchObject(refused)
    await edit('small', half)
    expect(ids(await store.queue.list('a'))).toEqual(['small', 'more'])
    await expect(edit('small', [...half, file])).rejects.toMatchObject(refused)
    expect((await store.messages.get('a', 'small'))?.parts).toHaveLength(8)
  })

  test('DA-1 an archived or unknown session takes no queued message', async () => {
    await using fixture = await open()
    const { store } = fixture
    await withQueue(store)
    await store.sessions.setArchived('a', 5, 5)
    const add = (id: string) => store.queue.add(userMessage(id, 'm', 'x'), 6_000)
    await expect(add('a')).rejects.toMatchObject({ code: 'SESSION_ARCHIVED' })
    await expect(add('none')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })
}
