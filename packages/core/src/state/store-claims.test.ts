import { createImpatientClock } from '@palimpsest/testing/fake-clock.ts'
import { type HistoryLab, openHistoryLab } from '@palimpsest/testing/history-lab.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { planned } from '@palimpsest/testing/store-contract/fixtures.ts'
import { withRuns } from '@palimpsest/testing/with-runs.ts'
import { expect, test } from 'vitest'
import { AppError } from '../domain/errors.ts'
import type { SessionEvent } from '../domain/session/event.ts'

/** A store whose runs cannot be ended while `broken`. */
async function breakableStore() {
  const state = { broken: false }
  const store = withRuns(await createMemoryStore(), (runs) => ({
    end: (...args) =>
      state.broken ? Promise.reject(new AppError('STORE_ERROR', 'The disk is full.')) : runs.end(...args),
  }))
  return { store, state }
}

/** A session of three turns, the end of the last one not written, while the store works again. */
async function openStale(lab: HistoryLab, state: { broken: boolean }) {
  const { sessionId } = await lab.turn('One '.repeat(300))
  await lab.turn('Two', sessionId)
  state.broken = true
  await lab.turn('Three', sessionId)
  expect(await lab.sessions.status(sessionId)).toMatchObject({ state: 'error', code: 'STORE_ERROR' })
  state.broken = false
  const messages = await lab.visible(sessionId)
  return { sessionId, messageId: messages[2]?.id ?? '', replyId: messages.at(-1)?.id ?? '' }
}

type Act = (lab: HistoryLab, sessionId: string, messageId: string) => Promise<unknown>

const OPERATIONS: Record<string, Act> = {
  rewind: ({ sessions }, sessionId, messageId) => sessions.history.rewind({ sessionId, messageId }),
  branch: ({ sessions }, sessionId, fromMessageId) => sessions.history.branch({ sessionId, fromMessageId }),
  compact: ({ sessions }, sessionId) => sessions.history.compact(sessionId),
  prune: ({ sessions }, sessionId) => sessions.history.prune(sessionId),
  resend: ({ sessions }, sessionId, messageId) => sessions.resend({ sessionId, messageId }),
  continue: ({ sessions }, sessionId) => sessions.continue(sessionId),
  send: (lab, sessionId) => lab.turn('Four', sessionId),
  archive: ({ sessions }, sessionId) => sessions.archive(sessionId),
  delete: ({ sessions }, sessionId) => sessions.delete(sessionId),
  edit: ({ sessions }, sessionId, replaceMessageId) =>
    sessions.send({ sessionId, replaceMessageId, message: { parts: [{ type: 'text', text: 'Instead' }] } }),
}

test.for(Object.keys(OPERATIONS))(
  'RL-3 RV-1 %s works as soon as the store does after the end of a run could not be written',
  async (name) => {
    const { store, state } = await breakableStore()
    await using lab = await openHistoryLab({ store })
    const { sessionId, messageId, replyId } = await openStale(lab, state)
    await OPERATIONS[name]?.(lab, sessionId, messageId)
    if (name === 'delete') return
    await lab.sessions.abort(sessionId)
    if (name === 'archive') await lab.sessions.unarchive(sessionId)
    expect(await lab.turn('Five', sessionId)).toMatchObject({ queued: false })
    const closed = (await lab.everything(sessionId)).find(({ id }) => id === replyId)
    expect(closed?.metadata?.finishReason).toBe('interrupted')
    expect(closed?.parts.at(-1)).toMatchObject({ type: 'text', state: 'done' })
  },
)

test('RL-3 RV-2 a run whose end could not be written is closed in the background once the store works, and is published', async () => {
  const { store, state } = await breakableStore()
  await using lab = await openHistoryLab({ store, clock: createImpatientClock() })
  lab.provider.script(reply({ text: 'Lost end' }))
  const settled = lab.event(
    (event): event is Extract<SessionEvent, { type: 'message-settled' }> => event.type === 'message-settled',
  )
  state.broken = true
  const { sessionId } = await lab.turn('One')
  state.broken = false
  expect((await settled).message).toMatchObject({ metadata: { finishReason: 'interrupted' } })
  const free = store.history.apply(planned(sessionId, 'op_free', { lastSeq: 2 }))
  expect(await free).toMatchObject({ id: sessionId })
})

test('RL-3 while the store fails, an operation fails with its error and the session stays usable', async () => {
  const { store, state } = await breakableStore()
  await using lab = await openHistoryLab({ store })
  const { sessionId, messageId } = await openStale(lab, state)
  state.broken = true
  const refused = lab.sessions.history.rewind({ sessionId, messageId })
  await expect(refused).rejects.toMatchObject({ code: 'STORE_ERROR' })
  state.broken = false
  expect(await lab.sessions.history.rewind({ sessionId, messageId })).toMatchObject({ hidden: 3 })
})

test('RL-3 the end of a run that could not be written is tried again after 0.5 s, then after twice as long, up to 30 s', async () => {
  const { store, state } = await breakableStore()
  const clock = createImpatientClock()
  const tried = Promise.withResolvers<void>()
  const sleep = clock.sleep
  clock.sleep = async (ms, signal) => {
    await sleep(ms, signal)
    if (clock.slept.length < 9) return
    state.broken = false
    tried.resolve()
  }
  await using lab = await openHistoryLab({ store, clock })
  const settled = lab.event(
    (event): event is Extract<SessionEvent, { type: 'message-settled' }> => event.type === 'message-settled',
  )
  state.broken = true
  await lab.turn('One')
  await tried.promise
  await settled
  expect(clock.slept).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
})

test('RL-3 a run whose end was written although the store reported a failure is published once, without a session of nothing', async () => {
  const state = { lost: true }
  const store = withRuns(await createMemoryStore(), (runs) => ({
    async end(...args) {
      const ended = await runs.end(...args)
      if (!state.lost) return ended
      state.lost = false
      throw new AppError('STORE_ERROR', 'The answer was lost.')
    },
  }))
  await using lab = await openHistoryLab({ store })
  const published: SessionEvent[] = []
  lab.ports.events.subscribe(null, (event) => void published.push(event))
  const { sessionId } = await lab.turn('One')
  expect(state.lost).toBe(false)
  await lab.sessions.history.prune(sessionId)
  await lab.sessions.history.prune(sessionId)
  const changes = published.filter((event) => event.type === 'session-changed')
  expect(changes.every(({ session }) => session !== null)).toBe(true)
  const [first] = (await lab.visible(sessionId)).filter(({ role }) => role === 'assistant')
  const settled = published.filter((event) => event.type === 'message-settled')
  expect(settled.filter(({ message }) => message.id === first?.id)).toHaveLength(1)
})
