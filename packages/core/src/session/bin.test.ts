import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { createMemorySnapshots } from '@palimpsest/testing/memory-snapshots.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { createMemoryTables } from '@palimpsest/testing/memory-store/tables.ts'
import { createMemoryWorkspaces } from '@palimpsest/testing/memory-workspaces.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import type { SessionEvent } from '../domain/session/event.ts'
import { BIN_DAYS } from '../domain/session/session.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const GONE = { code: 'SESSION_NOT_FOUND' }

const isPurged = (event: SessionEvent): event is SessionEvent & { type: 'session-purged' } =>
  event.type === 'session-purged'

test('DA-14 a deletion during a run stops it and pauses the queue, and the session comes back whole', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: ['Half'], ending: 'stall' }))
  const { sessionId } = await lab.say('Go')
  await lab.provider.received(0)
  await lab.say('Later', sessionId)
  await lab.sessions.delete(sessionId)
  expect(lab.core.activeRuns).toBe(0)
  await expect(lab.sessions.get(sessionId)).rejects.toMatchObject(GONE)
  expect(await lab.sessions.restore(sessionId)).toMatchObject({ id: sessionId, deletedAt: null })
  const { items } = await lab.sessions.messages({ sessionId })
  expect(items.map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(items[1]?.metadata?.finishReason).toBe('aborted')
  expect(await lab.sessions.queue.list(sessionId)).toHaveLength(1)
  expect(await lab.sessions.status(sessionId)).toEqual({ state: 'idle' })
  expect(lab.steps).toHaveLength(1)
})

test('DA-14 every call against a session in the bin is SESSION_NOT_FOUND', async () => {
  await using lab = await openCoreLab()
  lab.provider.script(reply({ text: 'Done' }))
  const { sessionId, runId, messages } = await lab.turn('One')
  const messageId = messages[0]?.id ?? ''
  await lab.sessions.delete(sessionId)
  const { sessions } = lab
  const calls = [
    () => sessions.get(sessionId),
    () => sessions.messages({ sessionId }),
    () => sessions.status(sessionId),
    () => sessions.rename(sessionId, 'x'),
    () => sessions.archive(sessionId),
    () => sessions.unarchive(sessionId),
    () => sessions.delete(sessionId),
    () => sessions.send({ sessionId, message: { parts: [{ type: 'text', text: 'x' }] } }),
    () => sessions.resend({ sessionId, messageId }),
    () => sessions.continue(sessionId),
    () => sessions.abort(sessionId),
    () => sessions.content(sessionId),
    () => sessions.queue.list(sessionId),
    () => sessions.search({ text: 'One', sessionId }),
    () => sessions.history.rewind({ sessionId, messageId }),
    () => sessions.history.branch({ sessionId, fromMessageId: messageId }),
    () => sessions.history.tree(sessionId),
    () => Array.fromAsync(sessions.stream({ sessionId, runId })),
    () => Array.fromAsync(sessions.events(sessionId)),
  ]
  for (const call of calls) await expect(call()).rejects.toMatchObject(GONE)
  expect((await sessions.search({ text: 'One' })).items).toEqual([])
  expect((await sessions.list({ deleted: true })).items).toMatchObject([{ id: sessionId }])
  for (const id of ['ses_unknown'])
    for (const call of [sessions.delete, sessions.restore, sessions.purge])
      await expect(call(id)).rejects.toMatchObject(GONE)
})

test('DA-14 branches stay unless they are deleted too, and both ways are undone by one restore', async () => {
  await using lab = await openCoreLab()
  lab.provider.otherwise(() => reply({ text: 'Done' }))
  const { sessionId, messages } = await lab.turn('One')
  const branch = await lab.sessions.history.branch({ sessionId, fromMessageId: messages[1]?.id ?? '' })
  await lab.sessions.delete(sessionId)
  expect((await lab.sessions.history.tree(branch.id)).root.session.id).toBe(branch.id)
  expect((await lab.turn('Two', branch.id)).messages).toHaveLength(4)
  await lab.sessions.restore(sessionId)
  expect((await lab.sessions.history.tree(branch.id)).root.session.id).toBe(sessionId)
  await lab.sessions.delete(sessionId, { withBranches: true })
  expect((await lab.sessions.list({})).items).toEqual([])
  await lab.sessions.restore(sessionId)
  expect((await lab.sessions.list({})).items).toHaveLength(2)
})

test('DA-14 two deletions, two restores and two purges at once each take effect once', async () => {
  await using lab = await openCoreLab()
  const types: string[] = []
  const { id } = await lab.sessions.create({})
  using _watching = lab.ports.events.subscribe(null, ({ type }) => types.push(type))
  const deleted = await Promise.allSettled([lab.sessions.delete(id), lab.sessions.delete(id)])
  expect(deleted.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const restored = await Promise.all([lab.sessions.restore(id), lab.sessions.restore(id)])
  expect(restored).toMatchObject([
    { id, deletedAt: null },
    { id, deletedAt: null },
  ])
  await expect(lab.sessions.purge(id)).rejects.toMatchObject({ code: 'CONFLICT' })
  await lab.sessions.delete(id)
  const purged = await Promise.allSettled([lab.sessions.purge(id), lab.sessions.purge(id)])
  expect(purged.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(lab.sessions.restore(id)).rejects.toMatchObject(GONE)
  expect(types).toEqual(['session-deleted', 'session-restored', 'session-deleted', 'session-purged'])
})

test('DA-14 a host purges what has been in the bin for 30 days, at its start and every hour', async () => {
  const clock = createFakeClock()
  const tables = createMemoryTables()
  await using first = await openCoreLab({ clock, store: createMemoryStore(tables) })
  const [early, late] = [await first.sessions.create({}), await first.sessions.create({})]
  await first.sessions.delete(early.id)
  clock.advance(DAY_MS)
  await first.sessions.delete(late.id)
  clock.advance((BIN_DAYS - 1) * DAY_MS)
  await using lab = await openCoreLab({ clock, store: createMemoryStore(tables) })
  const bin = async () => (await lab.sessions.list({ deleted: true })).items.map(({ id }) => id)
  expect(await bin()).toEqual([late.id, early.id])
  const atStart = lab.event(isPurged)
  lab.core.startBinSweep()
  expect(await atStart).toMatchObject({ sessionId: early.id })
  expect(await bin()).toEqual([late.id])
  await expect.poll(() => clock.pending).toBe(1)
  const hourly = lab.event(isPurged)
  clock.advance(DAY_MS)
  expect(await hourly).toMatchObject({ sessionId: late.id })
  expect(await bin()).toEqual([])
})

test('DA-14 RL-3 a sweep that fails is tried again, and a restored session is not purged', async () => {
  const clock = createFakeClock()
  const memory = createMemoryStore()
  let broken = true
  const expired = (before: number) =>
    broken ? Promise.reject(new Error('The disk is gone.')) : memory.sessions.expired(before)
  const store = { ...memory, sessions: { ...memory.sessions, expired } }
  await using lab = await openCoreLab({ clock, store })
  const [kept, gone] = [await lab.sessions.create({}), await lab.sessions.create({})]
  await lab.sessions.delete(kept.id)
  await lab.sessions.delete(gone.id)
  await lab.sessions.restore(kept.id)
  lab.core.startBinSweep()
  await expect.poll(() => clock.pending).toBe(1)
  broken = false
  const purged = lab.event(isPurged)
  clock.advance(BIN_DAYS * DAY_MS)
  expect(await purged).toMatchObject({ sessionId: gone.id })
  expect(await lab.sessions.get(kept.id)).toMatchObject({ deletedAt: null })
})

test('DA-14 RL-3 a session that cannot be purged is logged once, and stops no other in the bin', async () => {
  const clock = createFakeClock()
  const memory = createMemoryStore()
  const warned: unknown[] = []
  const warn = (fields: object, message: string) => void warned.push({ ...fields, message })
  const logger = { debug() {}, info() {}, warn, error: warn }
  const broken = new Set<string>()
  const purge = (id: string) =>
    broken.has(id) ? Promise.reject(new Error('This row is damaged.')) : memory.sessions.purge(id)
  const store = { ...memory, sessions: { ...memory.sessions, purge } }
  await using lab = await openCoreLab({ clock, store, logger })
  for (let count = 0; count < 120; count++) {
    const { id } = await lab.sessions.create({})
    if (count < 110) broken.add(id)
    await lab.sessions.delete(id)
  }
  clock.advance(BIN_DAYS * DAY_MS)
  lab.core.startBinSweep()
  const left = () => memory.sessions.expired(clock.now(), [...broken])
  await expect.poll(left).toEqual([])
  await expect.poll(() => clock.pending).toBe(1)
  clock.advance(60 * 60 * 1000)
  await expect.poll(() => clock.pending).toBe(1)
  const named = warned.filter((one) => JSON.stringify(one).includes('could not be purged'))
  expect(named).toHaveLength(broken.size)
})

test('DA-14 RL-3 a session that cannot be purged keeps no other in the bin, and is tried again an hour later', async () => {
  const clock = createFakeClock()
  const memory = createMemoryStore()
  const tries: string[] = []
  let broken = ''
  const purge = (sessionId: string) => {
    tries.push(sessionId)
    return sessionId === broken
      ? Promise.reject(new Error('A broken row.'))
      : memory.sessions.purge(sessionId)
  }
  await using lab = await openCoreLab({
    clock,
    store: { ...memory, sessions: { ...memory.sessions, purge } },
  })
  const [first, second] = [await lab.sessions.create({}), await lab.sessions.create({})]
  broken = first.id
  for (const { id } of [first, second]) {
    await lab.sessions.delete(id)
    clock.advance(1)
  }
  clock.advance(BIN_DAYS * DAY_MS)
  const purged = lab.event(isPurged)
  lab.core.startBinSweep()
  expect(await purged).toMatchObject({ sessionId: second.id })
  await expect.poll(() => clock.pending).toBe(1)
  expect(tries).toEqual([first.id, second.id])
  broken = ''
  const later = lab.event(isPurged)
  clock.advance(60 * 60 * 1000)
  expect(await later).toMatchObject({ sessionId: first.id })
})

test('DA-14 the snapshots of a folder go with the last chat in it, also where another one names it by another path', async () => {
  const forgotten: string[] = []
  const snapshots = createMemorySnapshots()
  snapshots.forget = async (root) => void forgotten.push(root)
  const workspaces = {
    ...createMemoryWorkspaces(),
    resolve: async (path: string) => (path === '/link' ? '/work' : path),
  }
  await using lab = await openCoreLab({ snapshots, workspaces })
  const ids: string[] = []
  for (const workspaceRoot of ['/work', '/link', '/other'])
    ids.push((await lab.sessions.create({ workspaceRoot })).id)
  const left: string[][] = []
  for (const id of ids) {
    await lab.sessions.delete(id)
    await lab.sessions.purge(id)
    left.push([...forgotten])
  }
  expect(left).toEqual([[], ['/work'], ['/work', '/other']])
})
