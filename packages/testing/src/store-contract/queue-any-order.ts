import type { Store } from '@palimpsest/core/ports'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fires, ids, lease, newSession, type OpenFixture, texts, userMessage } from './fixtures.ts'

/** What a person or a run does to the queue; `pick` chooses among what is there. */
type Act = { kind: 'add' | 'edit' | 'cancel' | 'reorder' | 'fire' | 'choose'; pick: number }

const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom('add', 'add', 'edit', 'cancel', 'reorder', 'fire', 'choose'),
  pick: fc.nat({ max: 50 }),
})

type Waiting = { id: string; text: string }
type Reference = {
  session: string
  waiting: Waiting[]
  fired: string[]
  cancelled: string[]
  made: number
  runs: number
}

function rotated<T>(list: readonly T[], by: number): T[] {
  const start = list.length === 0 ? 0 : by % list.length
  return [...list.slice(start), ...list.slice(0, start)]
}

/** Does one thing to the store and to the reference. */
async function perform(store: Store, reference: Reference, { kind, pick }: Act, at: number): Promise<void> {
  const chosen = reference.waiting[pick % Math.max(1, reference.waiting.length)]
  switch (kind) {
    case 'add': {
      const id = `${reference.session}_${reference.made++}`
      await store.queue.add(userMessage(reference.session, id, id), at)
      reference.waiting.push({ id, text: id })
      return
    }
    case 'edit':
      if (chosen === undefined) return
      chosen.text = `edited ${pick}`
      await store.queue.edit(
        reference.session,
        chosen.id,
        { parts: [{ type: 'text', text: chosen.text }] },
        at,
      )
      return
    case 'cancel':
      if (chosen === undefined) return
      await store.queue.cancel(reference.session, chosen.id, at)
      reference.waiting = reference.waiting.filter((one) => one !== chosen)
      reference.cancelled.push(chosen.id)
      return
    case 'reorder':
      reference.waiting = rotated(reference.waiting, pick)
      await store.queue.reorder(
        reference.session,
        reference.waiting.map(({ id }) => id),
        at,
      )
      return
    default:
      await fire(store, reference, kind === 'choose' ? chosen : reference.waiting[0], kind === 'choose')
  }
}

async function fire(
  store: Store,
  reference: Reference,
  expected: Waiting | undefined,
  byName: boolean,
): Promise<void> {
  const run = lease(reference.session, ++reference.runs)
  if (byName && expected === undefined) return
  const begun = await store.runs.begin(run, fires(byName ? (expected?.id ?? null) : null))
  expect(begun?.message?.id).toBe(expected?.id)
  if (begun === null || expected === undefined) return
  expect(texts(begun.message)).toEqual([expected.text])
  await store.runs.end(run, null, 9_000)
  reference.waiting = reference.waiting.filter((one) => one !== expected)
  reference.fired.push(expected.id)
}

/** One of many things that are done at once, to the first of these messages. */
function attempt(store: Store, session: string, order: string[], { kind, pick }: Act): Promise<unknown> {
  const id = order[0] ?? ''
  if (kind === 'edit') return store.queue.edit(session, id, { metadata: { steer: true } }, 6_000)
  if (kind === 'cancel') return store.queue.cancel(session, id, 6_000)
  if (kind === 'reorder') return store.queue.reorder(session, order, 6_000)
  return store.runs.begin(lease(session, pick), fires(kind === 'choose' ? id : null))
}

export function queueAnyOrderContract(open: OpenFixture): void {
  test('DA-3 after any sequence of operations a queue equals a plain list', async () => {
    await using fixture = await open()
    const { store } = fixture
    const references: Reference[] = []
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 25 }), async (acts) => {
        const session = `s${references.length}`
        await store.sessions.create(newSession(session))
        const reference: Reference = { session, waiting: [], fired: [], cancelled: [], made: 0, runs: 0 }
        references.push(reference)
        for (const [index, next] of acts.entries()) {
          await perform(store, reference, next, 5_000 + (index % 3))
          const queue = await store.queue.list(session)
          expect(queue.map((message) => [message.id, ...texts(message)])).toEqual(
            reference.waiting.map(({ id, text }) => [id, text]),
          )
        }
        expect(ids(await store.messages.visible(session))).toEqual(reference.fired)
        for (const id of reference.cancelled) {
          expect(await store.messages.get(session, id)).toMatchObject({ hiddenBy: 'cancelled' })
        }
      }),
      { numRuns: 12 },
    )
    const restarted = await fixture.restart()
    for (const { session, waiting } of references) {
      expect(ids(await restarted.queue.list(session))).toEqual(waiting.map(({ id }) => id))
    }
  }, 60_000)

  test('DA-1 when cancel, edit, move and fire run at once, each message ends in one state', async () => {
    await using fixture = await open()
    const { store } = fixture
    let sessions = 0
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 16 }), async (acts) => {
        const session = `s${++sessions}`
        await store.sessions.create(newSession(session))
        const made = ['w', 'x', 'y', 'z'].map((name) => `${session}${name}`)
        for (const id of made) await store.queue.add(userMessage(session, id, id), 5_000)
        const settled = await Promise.allSettled(
          acts.map((one, index) => attempt(store, session, rotated(made, one.pick), { ...one, pick: index })),
        )
        const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
        for (const { code } of refused) expect(['CONFLICT', 'SESSION_BUSY']).toContain(code)
        const rows = await Promise.all(made.map((id) => store.messages.get(session, id)))
        const waiting = ids(await store.queue.list(session))
        const fired = ids(await store.messages.visible(session))
        const cancelled = rows.flatMap((row) => (row?.hiddenBy === 'cancelled' ? [row.id] : []))
        expect([...waiting, ...fired, ...cancelled].toSorted()).toEqual(made)
        expect(fired.length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 15 },
    )
  }, 60_000)

  test('DA-3 places in the queue are never shared, however many messages come at the same time', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        store.queue.add(userMessage('a', `q${index}`, 'x'), 5_000 + (index % 2)),
      ),
    )
    const queue = await store.queue.list('a')
    expect(new Set(queue.map(({ queuedAt }) => queuedAt)).size).toBe(30)
    expect(queue.map(({ queuedAt }) => queuedAt)).toEqual(
      queue.map(({ queuedAt }) => queuedAt).toSorted((a, b) => Number(a) - Number(b)),
    )
    await store.queue.reorder('a', ids(queue).toReversed(), 6_000)
    await store.queue.add(userMessage('a', 'last', 'x'), 1)
    expect(ids(await store.queue.list('a'))).toEqual([...ids(queue).toReversed(), 'last'])
  })
}
