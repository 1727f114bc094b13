import { type ChatPart, LIMITS } from '@palimpsest/core/domain'
import type { NewMessage, Store } from '@palimpsest/core/ports'
import { expect, test } from 'vitest'
import { blobPart, type NewBlob } from '../../../core/src/domain/files/blob.ts'
import {
  asks,
  branchOf,
  exported,
  given,
  lease,
  newSession,
  type OpenFixture,
  replyWrite,
  turn,
  userMessage,
} from './fixtures.ts'

const A = 'a'.repeat(64)
const B = 'b'.repeat(64)
const LATE = Number.MAX_SAFE_INTEGER

function blob(hash: string, over: Partial<NewBlob> = {}): NewBlob {
  return { hash, size: 100_000, mediaType: 'image/png', owner: 'usr_local', ...over }
}

function fileOf(hash: string): ChatPart {
  return blobPart({ type: 'file', mediaType: 'image/png', filename: 'a.png', url: '' }, { hash, size: 1 })
}

function withFiles(message: NewMessage, ...hashes: string[]): NewMessage {
  return { ...message, parts: [...hashes.map(fileOf), ...message.parts] }
}

async function asked(store: Store, sessionId: string, id: string, ...hashes: string[]): Promise<void> {
  const run = { ...lease(sessionId, 1), runId: `run_${id}` }
  await store.runs.begin(run, asks(withFiles(userMessage(sessionId, id, 'Look'), ...hashes)))
  await store.runs.end(run, null, 3_000)
}

async function removeForever(store: Store, sessionId: string): Promise<string[]> {
  await store.sessions.delete(sessionId, { withBranches: false, at: 9_000 })
  return (await store.sessions.purge(sessionId)).blobs
}

/** A store with a session, `s`, and these blobs, which are pending since 1,000. */
async function openWith(open: OpenFixture, ...hashes: string[]): ReturnType<OpenFixture> {
  const fixture = await open()
  await fixture.store.sessions.create(newSession('s'))
  for (const hash of hashes) await fixture.store.blobs.add(blob(hash), 1_000)
  return fixture
}

export function blobContract(open: OpenFixture): void {
  test('DA-15 a row names hash, size, type and owner, once for identical content, after a restart too', async () => {
    await using fixture = await open()
    const { store } = fixture
    const added = await store.blobs.add(blob(A), 1_000)
    expect(added).toEqual({ ...blob(A), createdAt: 1_000, pendingSince: 1_000 })
    const again = await store.blobs.add(blob(A, { mediaType: 'application/octet-stream' }), 2_000)
    expect(again).toEqual({ ...added, pendingSince: 2_000 })
    const next = await fixture.restart()
    expect(await next.blobs.get(A)).toEqual(again)
    expect(await next.blobs.get(B)).toBeNull()
    expect(await next.blobs.known([B, A])).toEqual([A])
  })

  test('DA-15 what no message has named since a time is collected, and nothing else', async () => {
    await using fixture = await openWith(open, A, B)
    const { store } = fixture
    await asked(store, 's', 'm1', A)
    expect(await store.blobs.get(A)).toMatchObject({ pendingSince: null })
    expect(await store.blobs.collect(999)).toEqual([])
    expect(await store.blobs.collect(1_000)).toEqual([B])
    expect(await store.blobs.get(B)).toBeNull()
    await store.blobs.add(blob(A), 5_000)
    expect(await store.blobs.collect(LATE)).toEqual([])
    expect((await store.blobs.ofSession('s')).map(({ hash }) => hash)).toEqual([A])
  })

  test('DA-15 a message that names a blob without a row is refused whole, queued or not', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('s'))
    const message = withFiles(userMessage('s', 'm1', 'Look'), A)
    const refused = { code: 'INVALID_INPUT', field: 'message.parts' }
    await expect(store.runs.begin(lease('s', 1), asks(message))).rejects.toMatchObject(refused)
    await expect(store.queue.add(message, 2_000)).rejects.toMatchObject(refused)
    expect(await store.messages.get('s', 'm1')).toBeNull()
    await store.runs.begin(lease('s', 1), asks(userMessage('s', 'm2', 'Free')))
  })

  test('DA-15 a file that an edit takes out of a queued message is pending from then on', async () => {
    await using fixture = await openWith(open, A, B)
    const { store } = fixture
    await store.queue.add(withFiles(userMessage('s', 'q', 'Look'), A), 2_000)
    await store.queue.edit('s', 'q', { parts: [fileOf(B)] }, 4_000)
    expect(await store.blobs.get(A)).toMatchObject({ pendingSince: 4_000 })
    expect(await store.blobs.get(B)).toMatchObject({ pendingSince: null })
    expect(await store.blobs.collect(4_000)).toEqual([A])
  })

  test('DA-14 DA-15 a purge takes the blobs that no other message names, and none that another upload keeps', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('one'))
    await store.sessions.create(newSession('two'))
    await store.blobs.add(blob(A), 1_000)
    await store.blobs.add(blob(B), 1_000)
    await asked(store, 'one', 'm1', A, B)
    await asked(store, 'two', 'm2', B)
    await store.blobs.add(blob(A), 6_000)
    expect(await removeForever(store, 'one')).toEqual([])
    expect(await store.blobs.get(A)).toMatchObject({ pendingSince: 6_000 })
    expect(await removeForever(store, 'two')).toEqual([B])
    expect(await store.blobs.get(B)).toBeNull()
    expect(await store.blobs.collect(6_000)).toEqual([A])
  })

  test('DA-15 a branch names the blobs of what it copied, steering messages included', async () => {
    await using fixture = await openWith(open, A, B)
    const { store } = fixture
    const run = lease('s', 1)
    await store.runs.begin(run, asks(withFiles(userMessage('s', 'm1', 'Look'), A)))
    const write = replyWrite(run, 'm1a', [{ type: 'text', text: 'Hm' }])
    await store.runs.record(write)
    const steering = withFiles(userMessage('s', 'q1', 'And this'), B)
    await store.queue.add({ ...steering, metadata: { ...steering.metadata, steer: true } }, 3_500)
    await store.runs.takeSteering(run.runId, { ...write, at: 4_000 })
    await store.runs.end(run, null, 5_000)
    await store.history.branch(branchOf('s', 'branch', [1, 2]))
    expect((await store.blobs.ofSession('branch')).map(({ hash }) => hash)).toEqual([A, B])
    expect(await removeForever(store, 's')).toEqual([])
    expect((await removeForever(store, 'branch')).toSorted()).toEqual([A, B])
  })

  test('DA-15 TO-1 a call whose result shows a picture names its blob, and so does a branch of it', async () => {
    await using fixture = await openWith(open, A)
    const { store } = fixture
    const run = lease('s', 1)
    await store.runs.begin(run, asks(userMessage('s', 'm1', 'Look')))
    const call = { type: 'tool-read', toolCallId: 'call_1', state: 'output-available', input: {} } as const
    const shown: ChatPart = { ...call, output: { type: 'output', text: 'A picture', files: [fileOf(A)] } }
    await store.runs.end(run, replyWrite(run, 'm1a', [shown]), 3_000)
    expect(await store.blobs.get(A)).toMatchObject({ pendingSince: null })
    expect(await store.blobs.collect(LATE)).toEqual([])
    await store.history.branch(branchOf('s', 'branch', [1, 2]))
    expect((await store.blobs.ofSession('branch')).map(({ hash }) => hash)).toEqual([A])
    expect(await removeForever(store, 's')).toEqual([])
    expect(await removeForever(store, 'branch')).toEqual([A])
  })

  test('DA-15 TO-3 a call whose row has only the head of its result names what holds the rest, and so does a branch', async () => {
    await using fixture = await openWith(open, A, B)
    const { store } = fixture
    const run = lease('s', 1)
    await store.runs.begin(run, asks(userMessage('s', 'm1', 'Look')))
    const call = { type: 'tool-bash', toolCallId: 'call_1', state: 'output-available', input: {} } as const
    const output = { type: 'output', text: 'The head', whole: fileOf(A), wholeData: fileOf(B) }
    await store.runs.end(run, replyWrite(run, 'm1a', [{ ...call, output }]), 3_000)
    expect(await store.blobs.collect(LATE)).toEqual([])
    await store.history.branch(branchOf('s', 'branch', [1, 2]))
    expect((await store.blobs.ofSession('branch')).map(({ hash }) => hash)).toEqual([A, B])
    expect(await removeForever(store, 's')).toEqual([])
    expect((await removeForever(store, 'branch')).toSorted()).toEqual([A, B])
  })

  test('DA-15 an imported message names its blobs, also those that this store does not have', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('s'))
    await turn(store, 's', 'm0')
    await store.blobs.add(blob(A), 1_000)
    await asked(store, 's', 'm1', A)
    const lines = await exported(store, 's')
    expect(await removeForever(store, 's')).toEqual([A])
    const copy = await store.history.importRows(given(lines))
    expect(await store.blobs.ofSession(copy.id)).toEqual([])
    await store.blobs.add(blob(A), 9_500)
    expect(await store.blobs.collect(LATE)).toEqual([])
    expect(await store.blobs.ofSession(copy.id)).toHaveLength(1)
  })

  test('DA-15 what waits for a message has a limit of bytes', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('s'))
    await store.blobs.add(blob(A, { size: LIMITS.pendingBlobBytes }), 1_000)
    await expect(store.blobs.add(blob(B), 2_000)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await store.blobs.add(blob(A), 2_000)
    await asked(store, 's', 'm1', A)
    await store.blobs.add(blob(B), 3_000)
  })
}
