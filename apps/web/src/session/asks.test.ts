import type { PendingPermission, PendingQuestion } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Asks, NO_ASKS, nextAsks, oldestAsk } from './asks.ts'

const ids = {
  sessionId: 'ses_1',
  rootSessionId: 'ses_1',
  runId: 'run_1',
  messageId: 'msg_1',
  toolCallId: 'call_1',
}
const permission = (id: string, createdAt = 0, reason = ''): PendingPermission => ({
  ...ids,
  id,
  tool: 'write',
  args: {},
  reason,
  patterns: [],
  createdAt,
})
const question = (id: string, createdAt = 0): PendingQuestion => ({ ...ids, id, questions: [], createdAt })

const asked = (asks: Asks, ask: PendingPermission | PendingQuestion) =>
  'tool' in ask
    ? nextAsks(asks, { type: 'permission-asked', sessionId: 'ses_1', permission: ask })
    : nextAsks(asks, { type: 'question-asked', sessionId: 'ses_1', question: ask })
const resolved = (asks: Asks, kind: 'permission' | 'question', id: string) =>
  kind === 'permission'
    ? nextAsks(asks, { type: 'permission-resolved', sessionId: 'ses_1', permissionId: id, reply: 'denied' })
    : nextAsks(asks, { type: 'question-resolved', sessionId: 'ses_1', questionId: id, reply: 'denied' })

const NONE = new Set<string>()

test('UI-16 a request that is reported twice waits once, as it was reported last', () => {
  const asks = [permission('p', 1, 'old'), permission('q', 2), permission('p', 1, 'new')].reduce(
    asked,
    NO_ASKS,
  )
  expect(asks.permissions.map(({ id, reason }) => [id, reason])).toEqual([
    ['q', ''],
    ['p', 'new'],
  ])
  expect(oldestAsk(asks, NONE)).toMatchObject({ askId: 'p', more: 1 })
})

test('UI-16 a question and an approval with the same id do not end each other', () => {
  const asks = [permission('x'), question('x')].reduce(asked, NO_ASKS)
  expect(resolved(asks, 'question', 'x')).toEqual({ permissions: [permission('x')], questions: [] })
  expect(resolved(asks, 'permission', 'x')).toEqual({ permissions: [], questions: [question('x')] })
})

test('UI-16 the end of a request that is not there changes nothing', () => {
  const asks = [permission('p'), question('q')].reduce(asked, NO_ASKS)
  expect(resolved(resolved(asks, 'permission', 'gone'), 'question', 'p')).toEqual(asks)
})

test('UI-16 nothing is shown while nothing waits, nor once each request has its reply', () => {
  const nothing = { ask: null, askId: null, more: 0 }
  expect(oldestAsk(NO_ASKS, NONE)).toEqual(nothing)
  const asks = [permission('p'), question('q')].reduce(asked, NO_ASKS)
  expect(oldestAsk(asks, new Set(['p', 'q', 'other']))).toEqual(nothing)
})

test('UI-16 a request is shown as what it is, with what it asks', () => {
  expect(oldestAsk(asked(NO_ASKS, permission('p')), NONE).ask).toEqual({
    kind: 'approval',
    permission: permission('p'),
  })
  expect(oldestAsk(asked(NO_ASKS, question('q')), NONE).ask).toEqual({
    kind: 'answer',
    question: question('q'),
  })
})

test('UI-16 the next request is shown as soon as the one before it has a reply, before the server reports its end', () => {
  const asks = [question('late', 30), permission('first', 10), permission('second', 20)].reduce(
    asked,
    NO_ASKS,
  )
  const order = ['first', 'second', 'late'].map((_, at, all) => oldestAsk(asks, new Set(all.slice(0, at))))
  expect(order.map(({ askId, more }) => [askId, more])).toEqual([
    ['first', 2],
    ['second', 1],
    ['late', 0],
  ])
})

type Step = { id: string; isQuestion: boolean; ends: boolean }

const keyOf = ({ id, isQuestion }: Step) => `${isQuestion ? 'q' : 'p'}${id}`
/** A request has one time, however often it is reported. */
const timeOf = (key: string) => key.charCodeAt(1) * 2 + (key.startsWith('q') ? 1 : 0)

function take(asks: Asks, step: Step): Asks {
  const key = keyOf(step)
  if (step.ends) return resolved(asks, step.isQuestion ? 'question' : 'permission', key)
  return asked(asks, step.isQuestion ? question(key, timeOf(key)) : permission(key, timeOf(key)))
}

/** The keys of the requests that are open after these steps, the oldest first. */
function openAfter(steps: readonly Step[], done: readonly string[]): string[] {
  const last = new Map(steps.map((step) => [keyOf(step), step.ends]))
  const open = [...last].flatMap(([key, ends]) => (ends || done.includes(key) ? [] : [key]))
  return open.toSorted((a, b) => timeOf(a) - timeOf(b))
}

test('UI-16 in whatever order requests come and go, the oldest that is open is shown and the rest are counted', () => {
  const step = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    isQuestion: fc.boolean(),
    ends: fc.boolean(),
  })
  const replied = fc.uniqueArray(fc.constantFrom('pa', 'pb', 'qa', 'qc'))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), replied, (steps, done) => {
      const [first, ...rest] = openAfter(steps, done)
      expect(oldestAsk(steps.reduce(take, NO_ASKS), new Set(done))).toMatchObject({
        askId: first ?? null,
        more: rest.length,
      })
    }),
  )
})
