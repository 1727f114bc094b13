import { FIRST_EPOCH, LEASE_MS } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { compaction, lease, MODEL, type OpenFixture, replyWrite } from './fixtures.ts'
import { appends, beginRun, delta, FINISH, folds, reduced, START } from './run-writes.ts'

export function claimContract(open: OpenFixture): void {
  test('LS-8 a run that ends before its reply begins has one terminal record too, also after takeovers', async () => {
    await using fixture = await open()
    const { store } = fixture
    const run = await beginRun(store)
    let taken = run
    for (let host = 0; host < 2; host++) {
      const again = await store.runs.takeOver(taken, taken.startedAt + LEASE_MS)
      expect(again?.epoch).toBe(taken.epoch + 1)
      taken = again ?? taken
    }
    const fenced = { code: 'SESSION_NOT_RUNNING' }
    await expect(store.runs.end(run, null, 5_000)).rejects.toMatchObject(fenced)
    expect(await store.runs.log(run.runId)).toEqual([])
    await store.runs.end(taken, null, 5_000)
    await expect(store.runs.end(taken, null, 5_001)).rejects.toMatchObject(fenced)
    const chunks = [{ type: 'error', errorText: expect.any(String) }]
    expect(await store.runs.log(run.runId)).toEqual([{ no: 1, epoch: FIRST_EPOCH + 2, chunks }])
    expect((await store.messages.visible('a')).map(({ id }) => id)).toEqual(['m1'])
  })

  test('DA-17 a write of another epoch or of a run that is over changes nothing and fails by name', async () => {
    await using fixture = await open()
    const { store } = fixture
    const run = await beginRun(store)
    await store.runs.record(folds(run, [...START, delta('One')], reduced([...START, delta('One')])))
    const fenced = { code: 'SESSION_NOT_RUNNING' }
    const other = appends(run, [delta('x')], FIRST_EPOCH + 1)
    const step = { usage: null, contextTokens: 9, contextEstimated: false, model: MODEL, systemPrompt: null }
    const before = [await store.sessions.get('a'), await store.messages.get('a', 'r')]
    await expect(store.runs.record(other)).rejects.toMatchObject(fenced)
    await expect(store.runs.commitStep({ ...other, ...step })).rejects.toMatchObject(fenced)
    await expect(store.runs.takeSteering(run.runId, other)).rejects.toMatchObject(fenced)
    await expect(store.runs.end(run, other, 9_000)).rejects.toMatchObject(fenced)
    expect([await store.sessions.get('a'), await store.messages.get('a', 'r')]).toEqual(before)
    expect(await store.runs.log(run.runId)).toHaveLength(1)
    await store.runs.end(run, appends(run, [FINISH]), 5_000)
    await expect(store.runs.record(appends(run, [delta('late')]))).rejects.toMatchObject(fenced)
    expect(await store.runs.log(run.runId)).toHaveLength(2)
  })

  test('DA-17 a write that appends nothing, and a change of the history, are fenced like any other', async () => {
    await using fixture = await open()
    const { store } = fixture
    const run = await beginRun(store)
    await store.runs.record(folds(run, START, reduced(START)))
    const before = [await store.sessions.get('a'), await store.messages.get('a', 'r')]
    const fenced = { code: 'SESSION_NOT_RUNNING' }
    const { runId } = run
    const stale = { runId, epoch: FIRST_EPOCH + 1 }
    const empty = { ...replyWrite(run, 'r', [{ type: 'text', text: 'x' }]), log: { ...stale, chunks: [] } }
    await expect(store.runs.record({ ...empty, log: { ...empty.log, open: null } })).rejects.toMatchObject(
      fenced,
    )
    await expect(
      store.runs.record({ ...empty, log: { ...empty.log, open: { text: {}, reasoning: {} } } }),
    ).rejects.toMatchObject(fenced)
    const summary = (id: string) => compaction('a', id, { lastSeq: 2, to: 1 })
    await expect(store.history.apply(summary('op_1'), stale)).rejects.toMatchObject(fenced)
    await expect(store.history.apply(summary('op_1'))).rejects.toMatchObject({ code: 'SESSION_BUSY' })
    expect([await store.sessions.get('a'), await store.messages.get('a', 'r')]).toEqual(before)
    await store.history.apply(summary('op_1'), { runId, epoch: FIRST_EPOCH })
    await store.runs.end(run, null, 5_000)
    const late = store.history.apply(summary('op_2'), { runId, epoch: FIRST_EPOCH })
    await expect(late).rejects.toMatchObject(fenced)
  })

  test('DA-17 a claim is taken over after its expiry alone, once, and then fences the run that had it', async () => {
    await using fixture = await open()
    const { store } = fixture
    const run = await beginRun(store)
    await store.runs.record(folds(run, START, reduced(START)))
    const expiry = run.startedAt + LEASE_MS
    expect(await store.runs.orphans(expiry - 1)).toEqual([])
    expect(await store.runs.takeOver(run, expiry - 1)).toBeNull()
    expect(await store.runs.renew([run.runId, 'run_other'], expiry - 1)).toEqual([run.runId])
    expect(await store.runs.orphans(expiry)).toEqual([])
    expect(await store.runs.takeOver(run, expiry)).toBeNull()
    const later = expiry - 1 + LEASE_MS
    const [orphan] = await store.runs.orphans(later)
    expect(orphan).toMatchObject({ lease: { ...run, epoch: FIRST_EPOCH }, message: { id: 'r' } })
    const takers = await Promise.all([1, 2, 3].map(() => store.runs.takeOver(run, later)))
    const [taken, ...others] = takers.filter((lease) => lease !== null)
    expect(taken).toEqual({ ...run, epoch: FIRST_EPOCH + 1 })
    expect(others).toEqual([])
    const fenced = { code: 'SESSION_NOT_RUNNING' }
    await expect(store.runs.record(appends(run, [delta('late')]))).rejects.toMatchObject(fenced)
    await expect(store.runs.end(run, null, 9_000)).rejects.toMatchObject(fenced)
    await expect(store.runs.begin(lease('a', 2), { type: 'existing', change: null })).rejects.toMatchObject({
      code: 'SESSION_BUSY',
    })
    await store.runs.end({ ...run, ...taken }, appends(run, [FINISH], FIRST_EPOCH + 1), 9_000)
    const log = await store.runs.log(run.runId)
    expect(log.map(({ no, epoch }) => [no, epoch])).toEqual([
      [1, FIRST_EPOCH],
      [2, FIRST_EPOCH + 1],
    ])
    expect(await store.runs.renew([run.runId], 9_000)).toEqual([])
    expect(await store.runs.begin(lease('a', 2), { type: 'existing', change: null })).not.toBeNull()
  })
}
