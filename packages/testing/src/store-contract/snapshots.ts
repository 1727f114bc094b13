import { AppError } from '@palimpsest/core/domain'
import type { ImportLine, Store } from '@palimpsest/core/ports'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  asks,
  branchOf,
  exported,
  fires,
  given,
  lease,
  newSession,
  type OpenFixture,
  planned,
  removeSession,
  replyWrite,
  turn,
  userMessage,
} from './fixtures.ts'

/** Every method that reads, by name. Sessions: `a` is written to, `b` and `c` are made of it, `o` has a dead run. */
const READS: Record<string, (store: Store) => Promise<unknown>> = {
  'sessions.get': (store) => store.sessions.get('a'),
  'sessions.list': (store) => store.sessions.list({ limit: 3, archived: false, ephemeral: true }),
  'sessions.list by words': (store) =>
    store.sessions.list({ limit: 3, archived: false, ephemeral: true, search: 'zebra' }),
  'messages.get': (store) => store.messages.get('a', 'm1'),
  'messages.page': (store) => store.messages.page({ sessionId: 'a', limit: 9, hidden: true }),
  'messages.page of a branch': (store) => store.messages.page({ sessionId: 'b', limit: 9, hidden: true }),
  'messages.prompts': (store) => store.messages.prompts({ sessionId: 'a', limit: 9 }),
  'messages.visible': (store) => store.messages.visible('a'),
  'messages.visible of an import': (store) => store.messages.visible('c'),
  'messages.search': (store) => store.messages.search({ text: 'zebra', limit: 5 }),
  'queue.list': (store) => store.queue.list('a'),
  'runs.orphans': (store) => store.runs.orphans(9_000),
  'reports.usage': (store) => store.reports.usage({ since: 0, until: 99_000 }),
  'reports.counts': (store) => store.reports.counts(),
  'history.outline': (store) => store.history.outline('a'),
  'history.messagesAt': (store) => store.history.messagesAt('a', [[1, 99]]),
  'history.fileChangesAt': (store) => store.history.fileChangesAt('a', [[1, 99]]),
  'history.lastRewind': (store) => store.history.lastRewind('a'),
  'history.family': (store) => store.history.family('a'),
  'history.exportRows': (store) => exported(store, 'a'),
  'history.exportRows of a branch': (store) => exported(store, 'b'),
}

const ACTS = ['turn', 'rewind', 'unrewind', 'branch', 'import', 'queue', 'reorder', 'fire', 'orphan'] as const
type Act = (typeof ACTS)[number]

/** What the acts so far have made of session `a`. */
type World = { lines: ImportLine[]; last: number; queued: string[]; made: Set<string> }

/** Does one thing, with a stop after each call of the store that writes. */
async function* perform(store: Store, world: World, act: Act, n: number): AsyncGenerator<void> {
  const at = 10_000 + n
  const { last, queued, made } = world
  const run = lease('a', n)
  switch (act) {
    case 'turn':
      yield void (await store.runs.begin(run, asks(userMessage('a', `t${n}`, `zebra ${n}`, at))))
      yield void (await store.runs.record(replyWrite(run, `t${n}a`, [{ type: 'text', text: 'Half' }], at)))
      yield void (await store.runs.end(run, replyWrite(run, `t${n}a`, REPLY, at), at))
      world.last += 2
      return
    case 'rewind':
    case 'unrewind': {
      const ranges = { [act === 'rewind' ? 'hidden' : 'shown']: [[Math.max(1, last - 3), last]] }
      const change = planned('a', `op_${n}`, { lastSeq: last, ...ranges }, { createdAt: at, kind: act })
      yield void (await store.history.apply(change))
      return
    }
    case 'branch':
      if (made.has('b')) return
      made.add('b')
      yield void (await store.history.branch(
        branchOf(
          'a',
          'b',
          Array.from({ length: last }, (_, i) => i + 1),
        ),
      ))
      return
    case 'import':
      if (made.has('c')) return
      made.add('c')
      yield void (await store.history.importRows(given(world.lines)))
      return
    case 'queue':
      queued.push(`q${n}`)
      yield void (await store.queue.add(userMessage('a', `q${n}`, 'waits'), at))
      return
    case 'reorder':
      world.queued = queued.toReversed()
      yield void (await store.queue.reorder('a', world.queued, at))
      return
    case 'fire': {
      const id = world.queued.shift()
      if (id === undefined) return
      yield void (await store.runs.begin(run, fires(null)))
      yield void (await store.runs.end(run, null, at))
      world.last += 1
      return
    }
    case 'orphan':
      if (made.has('end')) return
      made.add('end')
      yield void (await store.runs.end(lease('o', 1), replyWrite(lease('o', 1), 'oa', REPLY), at))
  }
}

const REPLY = [{ type: 'text' as const, text: 'Half of it' }, { type: 'step-start' as const }]

/** A store with a conversation in `a`, a dead run in `o`, and what an import of `c` takes. */
async function begin(open: OpenFixture) {
  await using stack = new AsyncDisposableStack()
  const fixture = stack.use(await open())
  await fixture.store.sessions.create(newSession('o'))
  await fixture.store.runs.begin(lease('o', 1), asks(userMessage('o', 'om', 'Go')))
  await fixture.store.runs.record(replyWrite(lease('o', 1), 'oa', [{ type: 'text', text: 'half' }]))
  const store = await fixture.restart()
  await store.sessions.create(newSession('c', { title: 'An import' }))
  await turn(store, 'c', 'cm', { question: 'zebra' })
  const lines = await exported(store, 'c')
  await removeSession(store, 'c')
  await store.sessions.create(newSession('a', { at: 2_000 }))
  for (const id of ['m1', 'm2']) await turn(store, 'a', id, { question: 'zebra' })
  const world: World = { lines, last: 4, queued: [], made: new Set() }
  const opened = stack.move()
  return { store, world, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** An answer as text, without what each store makes up. */
async function answer(reading: Promise<unknown>): Promise<string> {
  const value = await reading.catch((error: unknown) => (error instanceof AppError ? error.code : error))
  return JSON.stringify(value).replace(/\b(prt|msg)_[0-7][0-9a-hjkmnp-tv-z]{25}/g, '$1')
}

/** What each method answers before the first write and after each, when nothing else runs. */
async function statesOf(open: OpenFixture, acts: readonly Act[]): Promise<Record<string, string>[]> {
  await using begun = await begin(open)
  const { store, world } = begun
  const look = async () =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(READS).map(async ([name, read]) => [name, await answer(read(store))] as const),
      ),
    )
  const states = [await look()]
  for (const [n, act] of acts.entries()) {
    for await (const _ of perform(store, world, act, n)) states.push(await look())
  }
  return states
}

/** Reads by every method while the acts run; returns what was read that is no state of its time. */
async function readMeanwhile(
  open: OpenFixture,
  acts: readonly Act[],
  states: Record<string, string>[],
  pauses: readonly number[],
): Promise<string[]> {
  await using begun = await begin(open)
  const { store, world } = begun
  const torn: string[] = []
  const reads: Promise<void>[] = []
  let written = 0
  let over = false

  const check = async (name: string, read: (store: Store) => Promise<unknown>) => {
    const from = written
    const got = await answer(read(store))
    // The write that is under way may have been committed and not yet have returned.
    const allowed = states.slice(from, written + 2).map((state) => state[name])
    if (!allowed.includes(got)) torn.push(`${name} at ${from} to ${written}: ${got}`)
  }
  const write = async () => {
    for (const [n, act] of acts.entries()) {
      for await (const _ of perform(store, world, act, n)) written += 1
    }
  }
  const writing = write().finally(() => {
    over = true
  })
  for (let round = 0; !over; round++) {
    for (const [name, read] of Object.entries(READS)) reads.push(check(name, read))
    for (let wait = pauses[round % pauses.length] ?? 0; wait > 0; wait--) await Promise.resolve()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await writing
  await Promise.all(reads)
  return torn
}

export function snapshotContract(open: OpenFixture): void {
  test('DA-16 during any writes, every method that reads returns one committed state', async () => {
    const acts = fc.array(fc.constantFrom(...ACTS), { minLength: 4, maxLength: 9 })
    const pauses = fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(acts, pauses, async (some, rhythm) => {
        const states = await statesOf(open, some)
        expect(await readMeanwhile(open, some, states, rhythm)).toEqual([])
      }),
      { numRuns: 6 },
    )
  }, 60_000)

  test('DA-16 a branch that ends in a conflict is never readable, and one that succeeds is never half', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    for (const id of ['m1', 'm2']) await turn(store, 'a', id)
    const before = await store.reports.counts()
    const seqs = Array.from({ length: 600 }, (_, place) => (place % 4) + 1)
    /** Branches and reads meanwhile; returns the outcome and how many messages of the branch were read, of those there. */
    const branching = async (places: number[]) => {
      const lengths: Promise<number>[] = []
      let outcome: unknown = null
      const branched = store.history.branch(branchOf('a', 'b', places)).then(
        () => 'done',
        (error: unknown) => (error instanceof AppError ? error.code : error),
      )
      void branched.then((value) => {
        outcome = value
      })
      while (outcome === null) {
        lengths.push(
          store.messages.visible('b').then(({ length }) => length),
          store.sessions.get('b').then((session) => (session === null ? 0 : places.length)),
          store.reports.counts().then(({ messages }) => messages - before.messages),
        )
        await new Promise((resolve) => setImmediate(resolve))
      }
      return { outcome, lengths: new Set(await Promise.all(lengths)) }
    }
    expect(await branching([...seqs, 99])).toEqual({ outcome: 'CONFLICT', lengths: new Set([0]) })
    const { outcome, lengths } = await branching(seqs)
    expect(outcome).toBe('done')
    expect(lengths.difference(new Set([0, 600]))).toEqual(new Set())
    expect(await store.messages.visible('b')).toHaveLength(600)
  })

  test('DA-16 a read that begins after a write has been acknowledged sees it', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    for (let n = 1; n <= 20; n++) {
      await store.sessions.rename('a', `Title ${n}`, 3_000 + n)
      expect((await store.sessions.get('a'))?.title).toBe(`Title ${n}`)
      await turn(store, 'a', `m${n}`, { at: 4_000 + n })
      expect(await store.messages.visible('a')).toHaveLength(2 * n)
      const { items } = await store.sessions.list({ limit: 1, archived: false, ephemeral: false })
      expect(items[0]?.revision).toBe(3 * n)
    }
  })
}
