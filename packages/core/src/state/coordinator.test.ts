import { silentLogger } from '@palimpsest/testing/core-lab.ts'
import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { expect, test } from 'vitest'
import { LIMITS } from '../domain/limits.ts'
import { createMemorySessionEvents } from '../live/memory-session-events.ts'
import { createCoordinator } from './coordinator.ts'

const run = (runId: string) => ({ runId, messageId: `msg_${runId}` })
const openCoordinator = () =>
  createCoordinator({ clock: createFakeClock(), events: createMemorySessionEvents({ logger: silentLogger }) })

test('ST-3 a session is claimed once, and free again after its release', async () => {
  const coordinator = openCoordinator()
  const claim = coordinator.claim('ses_1', run('run_1'))
  expect(() => coordinator.claim('ses_1', run('run_2'))).toThrow(
    expect.objectContaining({ code: 'SESSION_BUSY' }),
  )
  coordinator.claim('ses_2', run('run_3'))
  claim.release()
  await claim.released
  expect(coordinator.active('ses_1')).toBeNull()
  coordinator.claim('ses_1', run('run_4'))
  expect(coordinator.activeRuns.map(({ runId }) => runId)).toEqual(['run_3', 'run_4'])
})

test('ST-1 status events of a run after its release never change the next run', async () => {
  const coordinator = openCoordinator()
  const first = coordinator.claim('ses_1', run('run_1'))
  first.release()
  coordinator.claim('ses_1', run('run_2'))
  first.apply({ type: 'failed', code: 'INTERNAL', message: 'Late' })
  first.release()
  expect(await coordinator.status('ses_1')).toMatchObject({ state: 'busy', runId: 'run_2' })
  expect(coordinator.active('ses_1')?.runId).toBe('run_2')
})

test('ST-3 a host takes so many runs at once and no more', async () => {
  const coordinator = openCoordinator()
  for (let count = 0; count < LIMITS.runs; count++) coordinator.claim(`ses_${count}`, run(`run_${count}`))
  expect(() => coordinator.claim('ses_more', run('run_more'))).toThrow(
    expect.objectContaining({ code: 'RATE_LIMITED' }),
  )
  expect(await coordinator.status('ses_more')).toEqual({ state: 'idle' })
})

test('ST-1 failed sessions are listed until they are forgotten', async () => {
  const coordinator = openCoordinator()
  const claim = coordinator.claim('ses_1', run('run_1'))
  claim.apply({ type: 'failed', code: 'PROVIDER_ERROR', message: 'No' })
  claim.release()
  expect(await coordinator.statuses()).toEqual([
    ['ses_1', { state: 'error', runId: 'run_1', code: 'PROVIDER_ERROR', message: 'No' }],
  ])
  coordinator.forget('ses_1')
  expect(await coordinator.statuses()).toEqual([])
})

test('ST-2 a status is that of the call, whatever follows it', async () => {
  const coordinator = openCoordinator()
  const claim = coordinator.claim('ses_1', run('run_1'))
  const asked = coordinator.status('ses_1')
  claim.release()
  expect(await asked).toMatchObject({ state: 'busy', runId: 'run_1' })
  expect(await coordinator.status('ses_1')).toEqual({ state: 'idle' })
})

/** A root, its subagent and the subagent of that: each waits for the one below, and the last one for `on`. */
function openFamily(on: 'approval' | 'answer' | 'task') {
  const events = createMemorySessionEvents({ logger: silentLogger })
  const coordinator = createCoordinator({ clock: createFakeClock(), events })
  const published: string[] = []
  events.subscribe(null, (event) => {
    if (event.type !== 'status') return
    const { status } = event
    published.push(`${event.sessionId} ${status.state === 'waiting' ? status.waitingOn : status.state}`)
  })
  const waits = (id: string, kind: typeof on, ancestors: string[]) =>
    coordinator.restore(id, { ...run(`run_${id}`), startedAt: 1, on: kind, ancestors })
  waits('root', 'task', [])
  waits('child', 'task', ['root'])
  waits('grandchild', on, ['root', 'child'])
  waits('other', 'task', [])
  published.length = 0
  const states = async () =>
    Object.fromEntries(
      (await coordinator.statuses()).map(([id, status]) => [
        id,
        status.state === 'waiting' ? status.waitingOn : status.state,
      ]),
    )
  return { coordinator, published, states }
}

test('SA-1 what a subagent two levels below asks is what every run above it waits for, and no other', async () => {
  const { states } = openFamily('approval')
  expect(await states()).toEqual({
    root: 'approval',
    child: 'approval',
    grandchild: 'approval',
    other: 'busy',
  })
})

test('SA-1 a run that waits for something else now is shown so in every run above it, and what stays the same is not published', async () => {
  const { coordinator, published, states } = openFamily('approval')
  coordinator.waitOn('grandchild', 'answer')
  const all = { root: 'answer', child: 'answer', grandchild: 'answer', other: 'busy' }
  expect(await states()).toEqual(all)
  expect(published.toSorted()).toEqual(['child answer', 'grandchild answer', 'root answer'])
  published.length = 0
  coordinator.waitOn('grandchild', 'answer')
  coordinator.waitOn('nobody', 'approval')
  expect(published).toEqual([])
  expect(await states()).toEqual(all)
})
