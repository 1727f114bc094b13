import { type Ask, type AskRequest, LEASE_MS } from '@palimpsest/core/domain'
import type { RecordWrite, RunLease, Store } from '@palimpsest/core/ports'
import { expect, test } from 'vitest'
import {
  asks,
  lease,
  newSession,
  type OpenFixture,
  planned,
  removeSession,
  replyWrite,
  texts,
  userMessage,
} from './fixtures.ts'

const QUESTION: AskRequest = {
  kind: 'answer',
  questions: [{ question: 'Which way?', options: [{ label: 'Left' }, { label: 'Right' }] }],
}
const APPROVAL: AskRequest = {
  kind: 'approval',
  tool: 'bash',
  args: { command: 'ls' },
  reason: 'No rule allows this.',
  patterns: ['ls'],
}

function ask(run: RunLease, id: string, request: AskRequest = QUESTION): Ask {
  const { runId, sessionId } = run
  return {
    id,
    sessionId,
    rootSessionId: sessionId,
    runId,
    messageId: 'r',
    toolCallId: `call_${id}`,
    step: 1,
    request,
    reply: null,
    createdAt: 3_000,
  }
}

/** A run of session `a` that has written the start of its reply `r`. */
async function beginRun(store: Store): Promise<RunLease> {
  const run = lease('a', 1)
  await store.sessions.create(newSession('a'))
  await store.runs.begin(run, asks(userMessage('a', 'm1', 'Go')))
  await store.runs.record(write(run, 'Let me see'))
  return run
}

const write = (run: RunLease, text: string): RecordWrite => replyWrite(run, 'r', [{ type: 'text', text }])
const words = async (store: Store) => texts(await store.messages.get('a', 'r'))
const ids = (found: readonly Ask[]) => found.map(({ id }) => id)

export function askContract(open: OpenFixture): void {
  test('RU-9 a run that waits has no claim that expires, blocks its session, and is resumed in the next epoch', async () => {
    await using fixture = await open()
    const { store } = fixture
    const run = await beginRun(store)
    await store.runs.ask(write(run, 'Which way?'), [ask(run, 'q1')])
    expect(await store.runs.pause(run, write(run, 'Which way, then?'), 4_000)).toMatchObject({ id: 'a' })
    expect(await words(store)).toEqual(['Which way, then?'])
    expect(await store.runs.waiting()).toEqual([
      { lease: { ...run, epoch: 1 }, messageId: 'r', on: 'answer' },
    ])
    expect(await store.runs.orphans(9_000 + LEASE_MS)).toEqual([])
    expect(await store.runs.takeOver({ ...run, epoch: 1 }, 9_000 + LEASE_MS)).toBeNull()
    await expect(store.runs.begin(lease('a', 2), asks(userMessage('a', 'm2', 'Now')))).rejects.toMatchObject({
      code: 'SESSION_BUSY',
    })
    await expect(store.history.apply(planned('a', 'op1', {}))).rejects.toMatchObject({ code: 'SESSION_BUSY' })

    expect(await store.runs.resume(run.runId, 5_000)).toBeNull()
    await store.asks.reply('q1', { type: 'answered', answers: [['Left']] }, 5_000)
    const resumed = await store.runs.resume(run.runId, 5_000)
    expect(resumed).toEqual({ ...run, epoch: 2 })
    expect(await store.runs.resume(run.runId, 5_000)).toBeNull()
    expect(await store.runs.waiting()).toEqual([])
    expect(await store.runs.orphans(5_001 + LEASE_MS)).toMatchObject([
      { lease: { runId: run.runId, epoch: 2 } },
    ])
  })

  test('RU-9 a run that waits, and what was asked, outlive their host, and another one resumes it', async () => {
    await using fixture = await open()
    const run = await beginRun(fixture.store)
    await fixture.store.runs.ask(write(run, 'May I?'), [ask(run, 'p1', APPROVAL)])
    await fixture.store.runs.pause(run, write(run, 'May I?'), 4_000)
    const store = await fixture.restart()
    expect(await store.runs.orphans(9_000 + LEASE_MS)).toEqual([])
    expect(await store.asks.open(null)).toEqual([ask(run, 'p1', APPROVAL)])
    expect(await store.asks.open('b')).toEqual([])
    await store.asks.reply('p1', { type: 'approved', scope: 'once' }, 5_000)
    expect(await store.runs.resume(run.runId, 5_000)).toEqual({ ...run, epoch: 2 })
    expect(await store.asks.ofRun(run.runId)).toEqual([
      { ...ask(run, 'p1', APPROVAL), reply: { type: 'approved', scope: 'once' } },
    ])
  })

  test('RU-9 a run whose asks all have replies before it waits does not wait', async () => {
    await using fixture = await open()
    const { store } = fixture
    const run = await beginRun(store)
    await store.runs.ask(write(run, 'Which way?'), [ask(run, 'q1')])
    await store.asks.reply('q1', { type: 'answered', answers: [['Right']] }, 4_000)
    expect(await store.runs.pause(run, write(run, 'Right, then'), 4_000)).toBeNull()
    expect(await words(store)).toEqual(['Right, then'])
    await expect(store.runs.record(write(run, 'On'))).resolves.toBeUndefined()
  })

  test('PE-2 the first of concurrent replies to one ask counts', async () => {
    await using fixture = await open()
    const { store } = fixture
    const run = await beginRun(store)
    await store.runs.ask(write(run, 'May I?'), [ask(run, 'p1', APPROVAL)])
    const replies = await Promise.allSettled([
      store.asks.reply('p1', { type: 'denied', reason: 'No' }, 4_000),
      store.asks.reply('p1', { type: 'approved', scope: 'once' }, 4_000),
      store.asks.reply('p1', { type: 'approved', scope: 'session' }, 4_000),
    ])
    const codes = replies.flatMap((reply) => (reply.status === 'rejected' ? [reply.reason.code] : []))
    expect(codes).toEqual(['CONFLICT', 'CONFLICT'])
    const given = replies.find(({ status }) => status === 'fulfilled')
    expect(await store.asks.ofRun(run.runId)).toEqual([given?.status === 'fulfilled' ? given.value : null])
    await expect(store.asks.reply('p2', { type: 'denied' }, 4_000)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    })
  })

  test('PE-3 the end of a run cancels what it asked, waiting or not', async () => {
    await using fixture = await open()
    const { store } = fixture
    const run = await beginRun(store)
    await store.runs.ask(write(run, 'Well?'), [ask(run, 'q1'), ask(run, 'q2')])
    await store.asks.reply('q1', { type: 'answered', answers: [['Left']] }, 4_000)
    await store.runs.pause(run, write(run, 'Well?'), 4_000)
    const interrupted = await store.runs.interrupt(run.runId, 5_000)
    expect(interrupted).toEqual({ ...run, epoch: 2 })
    expect(ids(await store.asks.open(null))).toEqual(['q2'])
    if (interrupted !== null) await store.runs.end(interrupted, null, 5_000)
    expect(await store.asks.open(null)).toEqual([])
    expect((await store.asks.ofRun(run.runId)).map(({ reply }) => reply?.type)).toEqual([
      'answered',
      'cancelled',
    ])
    await removeSession(store, 'a')
    expect(await store.asks.ofRun(run.runId)).toEqual([])
  })
}
