import { AppError, type ChatPart, LIMITS } from '@palimpsest/core/domain'
import type { NewMessage, Store } from '@palimpsest/core/ports'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BlobRow, blobPart, type NewBlob } from '../../../core/src/domain/files/blob.ts'
import { asks, lease, newSession, type OpenFixture, removeSession, userMessage } from './fixtures.ts'

const HASHES = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(64))
const SESSIONS = ['one', 'two']

/** What a person or the host does; `files` are places in `HASHES`, `pick` chooses among what is there. */
type Act = {
  kind: 'upload' | 'queue' | 'edit' | 'cancel' | 'remove' | 'collect'
  files: number[]
  pick: number
}

const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom(
    'upload',
    'upload',
    'upload',
    'queue',
    'queue',
    'edit',
    'cancel',
    'remove',
    'collect',
  ),
  files: fc.uniqueArray(fc.nat({ max: HASHES.length - 1 }), { maxLength: 3 }),
  pick: fc.nat({ max: 50 }),
})

type Reference = {
  rows: Map<string, BlobRow>
  /** What each message that waits or was cancelled names. */
  messages: { id: string; session: string; files: string[]; waits: boolean }[]
  made: number
}

function blob(hash: string, over: Partial<NewBlob> = {}): NewBlob {
  return { hash, size: 70_000, mediaType: 'image/png', owner: 'usr_local', ...over }
}

function partOf(hash: string): ChatPart {
  return blobPart({ type: 'file', mediaType: 'image/png', url: '' }, { hash, size: 70_000 })
}

function withFiles(message: NewMessage, files: readonly string[]): NewMessage {
  return { ...message, parts: [...files.map(partOf), ...message.parts] }
}

function isNamed({ messages }: Reference, hash: string): boolean {
  return messages.some(({ files }) => files.includes(hash))
}

/** Names these blobs in the reference; false when one of them has no row. */
function nameAll({ rows }: Reference, files: readonly string[]): boolean {
  const named = files.map((hash) => rows.get(hash))
  for (const row of named) if (row !== undefined && !named.includes(undefined)) row.pendingSince = null
  return !named.includes(undefined)
}

/** `done`, or the code of the refusal. */
function outcome(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )
}

/** A thing that is done to the store and to the reference. */
type Doing = { store: Store; reference: Reference; hashes: string[]; pick: number; at: number }

const sessionOf = ({ pick }: Doing) => SESSIONS[pick % SESSIONS.length] ?? ''

function chosenOf({ reference, pick }: Doing) {
  const waiting = reference.messages.filter(({ waits }) => waits)
  return waiting[pick % Math.max(1, waiting.length)]
}

const PERFORM: Record<Act['kind'], (doing: Doing) => Promise<void>> = {
  async upload({ store, reference, pick, at }) {
    const hash = HASHES[pick % HASHES.length] ?? ''
    const next = { ...blob(hash), createdAt: at, ...reference.rows.get(hash), pendingSince: at }
    reference.rows.set(hash, next)
    expect(await store.blobs.add(blob(hash), at)).toEqual(next)
  },

  async queue(doing) {
    const { store, reference, hashes, at } = doing
    const session = sessionOf(doing)
    const id = `q${reference.made++}`
    const expected = nameAll(reference, hashes) ? 'done' : 'INVALID_INPUT'
    if (expected === 'done') reference.messages.push({ id, session, files: hashes, waits: true })
    const added = store.queue.add(withFiles(userMessage(session, id, id), hashes), at)
    expect(await outcome(added)).toBe(expected)
  },

  async edit(doing) {
    const { store, reference, hashes, at } = doing
    const message = chosenOf(doing)
    if (message === undefined) return
    const expected = nameAll(reference, hashes) ? 'done' : 'INVALID_INPUT'
    const edited = store.queue.edit(message.session, message.id, { parts: hashes.map(partOf) }, at)
    expect(await outcome(edited)).toBe(expected)
    if (expected !== 'done') return
    const former = message.files
    message.files = hashes
    for (const hash of former) {
      const row = reference.rows.get(hash)
      if (row?.pendingSince === null && !isNamed(reference, hash)) row.pendingSince = at
    }
  },

  async cancel(doing) {
    const message = chosenOf(doing)
    if (message === undefined) return
    message.waits = false
    await doing.store.queue.cancel(message.session, message.id, doing.at)
  },

  async remove(doing) {
    const { store, reference, at } = doing
    const session = sessionOf(doing)
    const gone = reference.messages.flatMap((one) => (one.session === session ? one.files : []))
    reference.messages = reference.messages.filter((one) => one.session !== session)
    const removed = [...new Set(gone)].filter(
      (hash) => reference.rows.get(hash)?.pendingSince === null && !isNamed(reference, hash),
    )
    for (const hash of removed) reference.rows.delete(hash)
    await store.sessions.delete(session, { withBranches: false, at })
    expect((await store.sessions.purge(session)).blobs.toSorted()).toEqual(removed.toSorted())
    await store.sessions.create(newSession(session))
  },

  async collect({ store, reference, pick, at }) {
    const before = at - (pick % 6)
    const due = [...reference.rows.values()].filter(
      ({ pendingSince }) => pendingSince !== null && pendingSince <= before,
    )
    const collected = due.filter(({ hash }) => !isNamed(reference, hash)).map(({ hash }) => hash)
    for (const row of due) row.pendingSince = null
    for (const hash of collected) reference.rows.delete(hash)
    expect((await store.blobs.collect(before)).toSorted()).toEqual(collected.toSorted())
  },
}

function perform(store: Store, reference: Reference, { kind, files, pick }: Act, at: number): Promise<void> {
  const hashes = files.flatMap((place) => HASHES[place] ?? [])
  return PERFORM[kind]({ store, reference, hashes, pick, at })
}

export function blobsAnyOrderContract(open: OpenFixture): void {
  test('DA-15 after any sequence of uploads, messages, edits and removals there are the blobs that a message names or that wait for one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 8, maxLength: 30 }), async (acts) => {
        await using fixture = await open()
        const { store } = fixture
        for (const id of SESSIONS) await store.sessions.create(newSession(id))
        const reference: Reference = { rows: new Map(), messages: [], made: 0 }
        for (const [index, next] of acts.entries()) {
          await perform(store, reference, next, 3_000 + index)
          const rows = await Promise.all(HASHES.map((hash) => store.blobs.get(hash)))
          expect(rows).toEqual(HASHES.map((hash) => reference.rows.get(hash) ?? null))
        }
        const restarted = await fixture.restart()
        expect((await restarted.blobs.known(HASHES)).toSorted()).toEqual(
          [...reference.rows.keys()].toSorted(),
        )
        for (const session of SESSIONS) {
          const named = reference.messages.flatMap((one) => (one.session === session ? one.files : []))
          const found = await restarted.blobs.ofSession(session)
          expect(found.map(({ hash }) => hash)).toEqual([...new Set(named)].toSorted())
        }
      }),
      { numRuns: 12 },
    )
  }, 60_000)

  test('DA-15 an upload of a file that a message names takes space among waiting files for a day, and no longer', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    const [large = '', other = ''] = HASHES
    await store.blobs.add(blob(large, { size: LIMITS.pendingBlobBytes }), 1_000)
    await store.queue.add(withFiles(userMessage('a', 'q', 'Look'), [large]), 2_000)
    await store.blobs.add(blob(large), 3_000)
    await expect(store.blobs.add(blob(other), 4_000)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect(await store.blobs.collect(2_999)).toEqual([])
    await expect(store.blobs.add(blob(other), 4_000)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect(await store.blobs.collect(3_000)).toEqual([])
    expect(await store.blobs.get(large)).toMatchObject({ createdAt: 1_000, pendingSince: null })
    await store.blobs.add(blob(other), 5_000)
    await removeSession(store, 'a')
    expect(await store.blobs.known([large, other])).toEqual([other])
  })

  test('DA-15 files that wait fill the limit to its last byte, and a refused one leaves no row', async () => {
    await using fixture = await open()
    const { store } = fixture
    const [first = '', second = '', third = ''] = HASHES
    await store.blobs.add(blob(first, { size: LIMITS.pendingBlobBytes - 10 }), 1_000)
    await store.blobs.add(blob(second, { size: 10 }), 1_000)
    const refused = store.blobs.add(blob(third, { size: 1 }), 2_000)
    await expect(refused).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect(await store.blobs.get(third)).toBeNull()
    expect(await store.blobs.collect(1_000)).toHaveLength(2)
    await store.blobs.add(blob(third, { size: LIMITS.pendingBlobBytes }), 3_000)
  })

  test('DA-15 a thousand rows are collected at once, and the rest the next time', async () => {
    await using fixture = await open()
    const { store } = fixture
    const many = Array.from({ length: 1_003 }, (_, at) => at.toString(16).padStart(64, '0'))
    for (const hash of many) await store.blobs.add(blob(hash), 1_000)
    const first = await store.blobs.collect(1_000)
    const second = await store.blobs.collect(1_000)
    expect([first.length, second.length]).toEqual([1_000, 3])
    expect([...first, ...second].toSorted()).toEqual(many)
    expect(await store.blobs.collect(1_000)).toEqual([])
  })

  test('DA-15 a file that is in one message several times, or in several, is one blob of its session', async () => {
    await using fixture = await open()
    const { store } = fixture
    const [hash = ''] = HASHES
    await store.sessions.create(newSession('a'))
    await store.blobs.add(blob(hash), 1_000)
    await store.queue.add(withFiles(userMessage('a', 'q1', 'Look'), [hash, hash]), 2_000)
    await store.queue.add(withFiles(userMessage('a', 'q2', 'Again'), [hash]), 2_000)
    expect(await store.blobs.ofSession('a')).toHaveLength(1)
    await store.queue.edit('a', 'q1', { parts: [] }, 3_000)
    expect(await store.blobs.get(hash)).toMatchObject({ pendingSince: null })
    await store.queue.edit('a', 'q2', { parts: [partOf(hash), partOf(hash)] }, 4_000)
    expect(await store.blobs.get(hash)).toMatchObject({ pendingSince: null })
    await store.queue.edit('a', 'q2', { parts: [] }, 5_000)
    expect(await store.blobs.get(hash)).toMatchObject({ pendingSince: 5_000 })
  })

  test('DA-15 a cancelled message keeps its files, and has them when it is restored', async () => {
    await using fixture = await open()
    const { store } = fixture
    const [hash = ''] = HASHES
    await store.sessions.create(newSession('a'))
    await store.blobs.add(blob(hash), 1_000)
    await store.queue.add(withFiles(userMessage('a', 'q', 'Look'), [hash]), 2_000)
    await store.queue.cancel('a', 'q', 3_000)
    expect(await store.blobs.collect(Number.MAX_SAFE_INTEGER)).toEqual([])
    const restored = await store.queue.restore('a', 'q', 4_000)
    expect(restored.parts.map(({ data }) => data)).toContainEqual(partOf(hash))
    expect(await store.blobs.get(hash)).toMatchObject({ pendingSince: null })
  })

  test('DA-15 a session in the bin keeps the files of its messages', async () => {
    await using fixture = await open()
    const { store } = fixture
    const [hash = ''] = HASHES
    await store.sessions.create(newSession('a'))
    await store.blobs.add(blob(hash), 1_000)
    const run = lease('a', 1)
    await store.runs.begin(run, asks(withFiles(userMessage('a', 'm', 'Look'), [hash])))
    await store.runs.end(run, null, 3_000)
    await store.sessions.delete('a', { withBranches: false, at: 4_000 })
    expect(await store.blobs.collect(Number.MAX_SAFE_INTEGER)).toEqual([])
    await store.sessions.restore('a', 5_000)
    expect((await store.blobs.ofSession('a')).map((row) => row.hash)).toEqual([hash])
  })

  test('DA-15 unknown hashes and sessions have no blobs, and nothing is asked for no hashes', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.blobs.add(blob(HASHES[0] ?? ''), 1_000)
    expect(await store.blobs.known([])).toEqual([])
    expect(await store.blobs.known(["' OR 1=1 --", '%', 'A'.repeat(64)])).toEqual([])
    expect(await store.blobs.get("' OR 1=1 --")).toBeNull()
    expect(await store.blobs.ofSession('none')).toEqual([])
  })
}
