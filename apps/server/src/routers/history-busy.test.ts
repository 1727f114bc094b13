import { reply } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { callProcedure } from '../testing/call-procedure.ts'
import { startTestServer, type TestServer } from '../testing/index.ts'
import { longTalk } from '../testing/long-talk.ts'

const sessionId = 'talk'
const message = { parts: [{ type: 'text', text: 'Instead' }] }

type Call = [path: string, input: object]

const REWIND: Call = ['session.rewind', { sessionId, messageId: 'talk_3' }]
const COMPACT: Call = ['session.compact', { sessionId }]
const PRUNE: Call = ['session.prune', { sessionId }]
const CALL = { sessionId, messageId: 'talk_2', toolCallId: 'call_2' }
const LEAVE_OUT: Call = ['session.leaveOut', { sessionId, messageId: 'talk_3' }]
const UNCONDENSE: Call = ['session.uncondense', CALL]

/** Every history operation, each after the one that it undoes. */
const OPERATIONS: { call: Call; after?: Call }[] = [
  { call: REWIND },
  { call: ['session.unrewind', { sessionId }], after: REWIND },
  { call: ['session.branch', { sessionId, fromMessageId: 'talk_6' }] },
  { call: COMPACT },
  { call: ['session.uncompact', { sessionId }], after: COMPACT },
  { call: PRUNE },
  { call: ['session.unprune', { sessionId }], after: PRUNE },
  { call: UNCONDENSE },
  { call: ['session.recondense', CALL], after: UNCONDENSE },
  { call: LEAVE_OUT },
  { call: ['session.bringBack', { sessionId, messageId: 'talk_3' }], after: LEAVE_OUT },
  { call: ['session.resend', { sessionId, messageId: 'talk_5' }] },
  { call: ['session.send', { sessionId, replaceMessageId: 'talk_5', message }] },
]

test.for(OPERATIONS)(
  'AP-1 $call.0 during a run is refused as busy, and changes nothing',
  async ({ call, after }) => {
    await using server = await openTalk()
    if (after !== undefined) await mutate(server, after)
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    server.provider.intercept(({ body }) => {
      if (body['stream'] !== true) return null
      ask()
      return reply({ text: ['Half'], ending: 'stall' })
    })
    const sent = await mutate(server, ['session.send', { sessionId, message }])
    // By then the run has finished its own compaction.
    await asked
    const before = await historyOf(server)
    const [path, input] = call
    const { status, failure } = await callProcedure(server.url, { path, type: 'mutation' }, input)
    expect([status, failure?.data.appCode]).toEqual([409, 'SESSION_BUSY'])
    expect(await historyOf(server)).toEqual(before)
    expect(sent.queued).toBe(false)
  },
)

test.for(OPERATIONS)('AP-1 one of two concurrent $call.0 succeeds', async ({ call, after }) => {
  await using server = await openTalk()
  if (after !== undefined) await mutate(server, after)
  const { operations } = await historyOf(server)
  const [path, input] = call
  const response = await fetch(`${server.url}/trpc/${path},${path}?batch=1`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ 0: input, 1: input }),
  })
  const answers: { error?: { data: { appCode: string } } }[] = await response.json()
  expect(answers.map(({ error }) => error?.data.appCode ?? 'done').toSorted()).toEqual([
    'SESSION_BUSY',
    'done',
  ])
  expect((await historyOf(server)).operations).toHaveLength(operations.length + 1)
})

async function openTalk(): Promise<TestServer> {
  const server = await startTestServer()
  server.provider.otherwise(reply({ text: 'So far, so good.' }))
  await mutate(server, [
    'session.import',
    { data: longTalk({ id: sessionId, turns: 8, output: 60_000, condensed: true }) },
  ])
  return server
}

async function mutate(server: TestServer, [path, input]: Call) {
  const { body } = await callProcedure(server.url, { path, type: 'mutation' }, input)
  return JSON.parse(body).result.data
}

/** The history operations, the hidden messages, and the number of sessions. */
async function historyOf({ ports }: TestServer) {
  const { entries, operations } = await ports.store.history.outline(sessionId)
  const family = await ports.store.history.family(sessionId)
  return { operations, hidden: entries.filter(({ hiddenBy }) => hiddenBy !== null), family: family.length }
}
