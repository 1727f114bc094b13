import type { ChatMessage, Session, SessionEvent, SessionStatus } from '@palimpsest/core/domain'
import { IDLE } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSessionWorld, userMessage } from '../testing/session-world.ts'
import { applyEvent, dropSeen } from './apply-event.ts'
import { growLiveRun, startLiveRun } from './live-run.ts'
import type { Outgoing } from './outgoing.ts'
import { initialSessionState, type SessionState } from './session-state.ts'

const sessionId = 'ses_1'
const world = createSessionWorld(sessionId)
const { status: _s, usage, contextWindow, canUnrewind: _c, keepsFiles: _k, ...row } = world.snapshot(1).view
const session: Session = row
const reply = (id: string, runId = 'run_1'): ChatMessage => ({
  ...userMessage(id),
  role: 'assistant',
  metadata: { schemaVersion: 1, createdAt: 0, runId },
})
const busy = (runId: string): SessionStatus => ({ state: 'busy', runId, startedAt: 0 })
const ready = initialSessionState(sessionId, 'ready')
const streaming: SessionState = {
  ...ready,
  status: busy('run_1'),
  live: growLiveRun(startLiveRun('run_1', 'reply'), [
    { type: 'start', messageId: 'reply' },
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: 'Half a' },
  ]),
}
const outgoing = (id: string): Outgoing => ({
  message: userMessage(id),
  model: null,
  queued: false,
  steer: false,
  replaces: null,
  createsSession: false,
  state: { type: 'sending' },
})
const idsOf = (messages: readonly ChatMessage[]) => messages.map(({ id }) => id)

const id = fc.constantFrom('a', 'b', 'c', 'd')
const replyId = fc.constantFrom('reply', 'later')
const someIds = fc.uniqueArray(id, { maxLength: 4 })
const runId = fc.constantFrom('run_1', 'run_2', 'op_1')
const event = fc.oneof(
  fc.option(runId).map((run) => ({ type: 'status' as const, status: run === null ? IDLE : busy(run) })),
  id.map((one) => ({ type: 'message-added' as const, message: userMessage(one) })),
  fc
    .tuple(replyId, runId)
    .map(([one, run]) => ({ type: 'message-settled' as const, message: reply(one, run) })),
  id.map((one) => ({ type: 'message-changed' as const, message: userMessage(one, 'changed') })),
  someIds.map((messageIds) => ({ type: 'message-hidden' as const, messageIds, hiddenBy: 'op_1' })),
  someIds.map((messageIds) => ({ type: 'message-shown' as const, messageIds })),
  fc.boolean().map((auto) => ({ type: 'compaction-started' as const, auto })),
  fc.constant({ type: 'compaction-completed' as const, beforeTokens: 2, afterTokens: 1 }),
  fc.constant({ type: 'usage' as const, usage, contextWindow }),
  someIds.map((queued) => ({ type: 'queue' as const, queue: queued.map((one) => userMessage(one)) })),
  fc.string().map((title) => ({ type: 'title' as const, title })),
  fc.nat(9).map((revision) => ({ type: 'session-changed' as const, session: { ...session, revision } })),
  fc.constantFrom({ type: 'session-purged' as const }, { type: 'session-restored' as const, session }),
)
const events = fc.array(
  event.map((one): SessionEvent => ({ sessionId, ...one })),
  { maxLength: 25 },
)
const start = fc.constantFrom(ready, streaming, {
  ...ready,
  session,
  outgoing: [outgoing('a'), outgoing('d')],
})

test('AP-2 whatever happened before, an event that is applied again changes nothing', () => {
  fc.assert(
    fc.property(start, events, (from, all) => {
      let state = from
      for (const one of all) {
        state = applyEvent(state, one)
        expect(applyEvent(state, one)).toEqual(state)
      }
    }),
  )
})

test('LS-5 after any events a message is in one place: in the thread, in the queue or on its way', () => {
  fc.assert(
    fc.property(start, events, (from, all) => {
      const { messages, queue, outgoing: sending } = all.reduce(applyEvent, from)
      const everywhere = [...messages, ...queue, ...sending.map(({ message }) => message)].map(
        (one) => one.id,
      )
      expect(new Set(everywhere).size).toBe(everywhere.length)
    }),
  )
})

test('UI-11 the words of a run that ended stay in the thread until the finished message comes', () => {
  const ended = applyEvent(streaming, { type: 'status', sessionId, status: IDLE })
  expect(ended.live?.phase).toBe('ended')
  expect(ended.messages).toMatchObject([{ id: 'reply', parts: [{ type: 'text', text: 'Half a' }] }])
  const settled = applyEvent(ended, { type: 'message-settled', sessionId, message: reply('reply') })
  expect(settled.live?.phase).toBe('settled')
  expect(settled.messages).toEqual([reply('reply')])
})

test('UI-11 a run that follows another leaves the words of the first in the thread', () => {
  const next = applyEvent(streaming, { type: 'status', sessionId, status: busy('run_2') })
  expect(next.live?.runId).toBe('run_2')
  expect(idsOf(next.messages)).toEqual(['reply'])
})

test('AP-2 the settled message of another run leaves the one that streams as it is', () => {
  const other = applyEvent(streaming, { type: 'message-settled', sessionId, message: reply('old', 'run_0') })
  expect(other.live).toBe(streaming.live)
})

test('UI-8 a changed message of a page that is not loaded is not added', () => {
  const state = { ...ready, messages: [userMessage('b')] }
  const changed = applyEvent(state, { type: 'message-changed', sessionId, message: userMessage('a') })
  expect(changed.messages).toBe(state.messages)
})

test('UI-21 a summary that was being written when its run ended is no longer shown as such', () => {
  const running = applyEvent(streaming, { type: 'compaction-started', sessionId, auto: true })
  expect(running.compaction).toEqual({ type: 'running', auto: true })
  expect(applyEvent(running, { type: 'status', sessionId, status: IDLE }).compaction.type).toBe('none')
})

test('UI-26 a new title is shown at once, and waits for a session that is not read yet', () => {
  const named = applyEvent({ ...ready, session }, { type: 'title', sessionId, title: 'Oars' })
  expect(named.session).toEqual({ ...session, title: 'Oars' })
  expect(applyEvent(ready, { type: 'title', sessionId, title: 'Oars' })).toBe(ready)
})

test('UI-4 a session that is deleted or purged reads as missing and keeps what is shown of it', () => {
  const state: SessionState = { ...ready, session, messages: [userMessage('a')] }
  const deleted = applyEvent(state, { type: 'session-deleted', sessionId, session })
  expect(deleted).toEqual({ ...state, phase: 'missing' })
  expect(applyEvent(state, { type: 'session-purged', sessionId })).toEqual(deleted)
})

test('ID-2 a message that the thread shows is neither queued nor on its way any more', () => {
  const state: SessionState = {
    ...ready,
    messages: [userMessage('a')],
    queue: [userMessage('a'), userMessage('b')],
    outgoing: [outgoing('a'), outgoing('b'), outgoing('c')],
  }
  const seen = dropSeen(state)
  expect(idsOf(seen.queue)).toEqual(['b'])
  expect(seen.outgoing.map(({ message }) => message.id)).toEqual(['c'])
})
