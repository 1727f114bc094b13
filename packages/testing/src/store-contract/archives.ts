import type { ArchiveEntry } from '@palimpsest/core'
import { AppError, type ArchiveReport } from '@palimpsest/core/domain'
import type { Store } from '@palimpsest/core/ports'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBlobKeeper } from '../../../core/src/blob/blob-service.ts'
import { blobPart } from '../../../core/src/domain/files/blob.ts'
import { sessionIdOfHash } from '../../../core/src/domain/ids.ts'
import { collect } from '../../../core/src/history/archive/bytes-of.ts'
import { readArchive } from '../../../core/src/history/archive/read-archive.ts'
import { writeArchive } from '../../../core/src/history/archive/write-archive.ts'
import { createFakeClock } from '../fake-clock.ts'
import { createMemoryBlobs } from '../memory-blobs.ts'
import { newHash } from '../new-hash.ts'
import {
  branchOf,
  compaction,
  exported,
  given,
  newSession,
  type OpenFixture,
  planned,
  turn,
  userMessage,
} from './fixtures.ts'

const NOW = 1_000_000

/** A store with files, and ways to carry all of it out and in. */
function partsOf(store: Store) {
  const clock = createFakeClock(NOW)
  const keeper = createBlobKeeper({ blobs: createMemoryBlobs(clock), store, clock })
  const events = { publish() {} }
  return {
    keeper,
    async write(): Promise<Kept[]> {
      const kept: Kept[] = []
      for await (const { name, content } of writeArchive(
        { store, keeper, clock },
        { language: 'en' },
        newHash,
      ))
        kept.push({ name, bytes: (await collect(content, Number.POSITIVE_INFINITY)) ?? new Uint8Array() })
      return kept
    },
    read: (entries: readonly Kept[]): Promise<ArchiveReport> =>
      readArchive({ store, keeper, clock, events }, given(entries.map(toEntry)), null, newHash),
  }
}

type Kept = { name: string; bytes: Uint8Array }

function toEntry({ name, bytes }: Kept): ArchiveEntry {
  return { name, size: bytes.length, content: given([bytes.slice(0, 7), bytes.slice(7)]) }
}

type Act = {
  kind: 'session' | 'turn' | 'branch' | 'rewind' | 'compact' | 'queue' | 'file' | 'archive' | 'bin' | 'rename'
  pick: number
}

const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom(
    'session',
    'turn',
    'turn',
    'branch',
    'rewind',
    'compact',
    'queue',
    'file',
    'archive',
    'bin',
    'rename',
  ),
  pick: fc.nat({ max: 50 }),
})

/** Does one thing to a session that there is; a refusal is no fault. */
async function perform(
  store: Store,
  { keeper }: Pick<Parts, 'keeper'>,
  ids: string[],
  { kind, pick }: Act,
  at: number,
) {
  const id = ids[pick % ids.length] ?? ''
  const lastSeq = Math.max(0, ...(await seqsOf(store, id)))
  const next = `${kind}_${at}`
  switch (kind) {
    case 'session':
      await store.sessions.create(newSession(next, { title: `Chat ${pick}`, at }))
      ids.push(next)
      return
    case 'turn':
      await turn(store, id, next, { question: `Why ${pick}? ☕`, at })
      return
    case 'branch':
      await store.history.branch(branchOf(id, next, lastSeq === 0 ? [] : [1], { at }))
      ids.push(next)
      return
    case 'rewind':
      if (lastSeq > 1)
        await store.history.apply(planned(id, next, { lastSeq, hidden: [[2, lastSeq]] }, { createdAt: at }))
      return
    case 'compact':
      if (lastSeq > 1) await store.history.apply(compaction(id, next, { lastSeq, to: 1 }))
      return
    case 'queue':
      await store.queue.add(userMessage(id, next, 'Later'), at)
      return
    case 'file': {
      const blob = await keeper.keep(given([new TextEncoder().encode(`file ${pick % 3}`)]), 'text/plain')
      if (blob === null) return
      const file = blobPart({ type: 'file', mediaType: 'text/plain', filename: 'a.txt', url: '' }, blob)
      const message = userMessage(id, next, 'Look')
      await store.queue.add({ ...message, parts: [file, ...message.parts] }, at)
      return
    }
    case 'archive':
      await store.sessions.setArchived(id, at, at)
      return
    case 'rename':
      await store.sessions.rename(id, `Named ${pick}`, at)
      return
    case 'bin':
      await store.sessions.delete(id, { withBranches: pick % 2 === 0, at })
  }
}

type Parts = ReturnType<typeof partsOf>

async function seqsOf(store: Store, id: string): Promise<number[]> {
  try {
    return (await store.history.outline(id)).entries.map(({ seq }) => seq)
  } catch {
    return []
  }
}

async function fill(store: Store, parts: Pick<Parts, 'keeper'>, acts: readonly Act[]): Promise<void> {
  const ids = ['first']
  await store.sessions.create(newSession('first'))
  for (const [index, one] of acts.entries()) {
    await perform(store, parts, ids, one, 3_000 + index * 10).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
    })
  }
}

/** Every session as it would be exported, those in the bin too. */
async function everything(store: Store): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {}
  for (const { id } of await store.history.links(null)) {
    using source = await store.history.openExport(id)
    all[id] = { rows: await Array.fromAsync(source.rows()), blobs: source.blobs.map(({ hash }) => hash) }
  }
  return all
}

const NOTHING = { imported: 0, copied: 0, skipped: 0, failed: 0 }

export function archiveContract(open: OpenFixture): void {
  test('OB-1 any store comes back from its archive with the same exports, and a second import changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 25 }), async (acts) => {
        await using from = await open()
        await using to = await open()
        const source = partsOf(from.store)
        await fill(from.store, source, acts)
        const before = await everything(from.store)
        const archive = await source.write()

        const target = partsOf(to.store)
        const report = await target.read(archive)
        expect(report).toMatchObject({ complete: true, problems: [] })
        expect(report.sessions).toEqual({ ...NOTHING, imported: Object.keys(before).length })
        expect(await everything(to.store)).toEqual(before)
        expect(await target.write()).toEqual(archive)

        const again = await target.read(archive)
        expect(again).toMatchObject({ complete: true, problems: [] })
        expect(again.sessions).toEqual({ ...NOTHING, skipped: Object.keys(before).length })
        expect(again.files.imported).toBe(0)
        expect(await everything(to.store)).toEqual(before)
      }),
      { numRuns: 8 },
    )
  }, 60_000)

  test('OB-1 what an import leaves out makes no copies, folder and states of files; an unknown agent stays', async () => {
    await using from = await open()
    await using to = await open()
    const { store } = from
    await store.sessions.create(newSession('a', { workspaceRoot: '/work', agent: 'other' }))
    const message = userMessage('a', 'm1', 'Hello')
    const metadata = { ...message.metadata, snapshotId: 'abc', agent: 'other' }
    await store.queue.add({ ...message, metadata }, 2_000)
    const archive = await partsOf(store).write()
    const target = partsOf(to.store)
    expect((await target.read(archive)).sessions).toEqual({ ...NOTHING, imported: 1 })
    expect((await target.read(archive)).sessions).toEqual({ ...NOTHING, skipped: 1 })
    expect((await partsOf(store).read(archive)).sessions).toEqual({ ...NOTHING, skipped: 1 })
    expect(await to.store.sessions.get('a')).toMatchObject({ workspaceRoot: null, agent: 'other' })
  })

  test('OB-1 a session whose id has other content becomes a copy, once', async () => {
    await using from = await open()
    await using to = await open()
    for (const store of [from.store, to.store]) await store.sessions.create(newSession('a'))
    await turn(from.store, 'a', 'm1', { question: 'There' })
    await turn(to.store, 'a', 'm2', { question: 'Here' })
    const here = await exported(to.store, 'a')
    const archive = await partsOf(from.store).write()
    const target = partsOf(to.store)
    expect((await target.read(archive)).sessions).toEqual({ ...NOTHING, copied: 1 })
    expect((await target.read(archive)).sessions).toEqual({ ...NOTHING, skipped: 1 })
    const hash = archive
      .find(({ name }) => name.startsWith('sessions/'))
      ?.name.split('/')[2]
      ?.slice(0, 64)
    expect((await to.store.history.links(null)).map(({ id }) => id)).toEqual([
      'a',
      sessionIdOfHash(hash ?? ''),
    ])
    expect(await exported(to.store, 'a')).toEqual(here)
  })

  test('OB-1 an export can be read several times, also in the bin, and holds what was there when it was opened', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await turn(store, 'a', 'm1')
    const rows = await exported(store, 'a')
    await store.sessions.delete('a', { withBranches: false, at: 5_000 })
    using source = await store.history.openExport('a')
    await store.sessions.restore('a', 6_000)
    await turn(store, 'a', 'm2')
    const first = await Array.fromAsync(source.rows())
    expect(first[0]).toMatchObject({ type: 'session', rows: rows.length, deleted_at: 5_000 })
    expect(first.slice(1)).toEqual(rows.slice(1).map(({ number: _, ...row }) => row))
    expect(await Array.fromAsync(source.rows())).toEqual(first)
    await expect(store.history.openExport('none')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })

  test('OB-1 rows that were in the bin come back into it, and one with a wrong time is refused', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a', { at: 1_000 }))
    const [line] = await exported(store, 'a')
    if (line === undefined) throw new Error('An export has a session.')
    await store.sessions.delete('a', { withBranches: false, at: 5_000 })
    await store.sessions.purge('a')
    const wrong = store.history.importRows(given([{ ...line, deleted_at: -1 }]))
    await expect(wrong).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('deleted_at'),
    })
    expect(await store.history.importRows(given([{ ...line, deleted_at: 5_000 }]))).toMatchObject({
      deletedAt: 5_000,
    })
    expect(await store.sessions.get('a')).toBeNull()
    await store.sessions.restore('a', 6_000)
    expect(await store.sessions.get('a')).toMatchObject({ deletedAt: null })
  })

  test('OB-1 a thousand sessions are linked at a time, in the order of their ids', async () => {
    await using fixture = await open()
    const { store } = fixture
    const ids = Array.from({ length: 1_001 }, (_, at) => `s${String(at).padStart(4, '0')}`)
    for (const id of ids.toReversed()) await store.sessions.create(newSession(id))
    await store.sessions.delete('s0000', { withBranches: false, at: 5_000 })
    const links = await store.history.links(null)
    expect(links.map(({ id }) => id)).toEqual(ids.slice(0, 1_000))
    expect(await store.history.links('s0999')).toEqual([{ id: 's1000', parentId: null }])
    expect(await store.history.links('s1000')).toEqual([])
  })
}
