import { setTimeout as delay } from 'node:timers/promises'
import { reply } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { longTalk } from '../testing/long-talk.ts'
import { startProcess } from '../testing/start-process.ts'
import { type Connection, connect } from './connection.ts'
import { findInconsistencies, type Histories, readHistories } from './history-consistency.ts'
import { openLabFolder } from './lab-folder.ts'
import { createRandom } from './random.ts'

const ROUNDS = process.env['TEST_PROFILE'] === 'long' ? 20 : 1
const SEED = Number(process.env['KILL_SEED'] ?? 20261121)
const TURNS = 300
/** Characters of each tool output: enough to be pruned. */
const OUTPUT = 2_000

type Act = (server: Connected, sessionId: string) => Promise<unknown>
type Connected = Connection & { url: string }

const TEXT = (text: string) => ({ parts: [{ type: 'text' as const, text }] })

const rewind: Act = ({ api }, sessionId) =>
  api.session.rewind.mutate({ sessionId, messageId: `${sessionId}_3` })
const compact: Act = ({ api }, sessionId) => api.session.compact.mutate({ sessionId })
const prune: Act = ({ api }, sessionId) => api.session.prune.mutate({ sessionId })

/** The operations on a session of many turns, each with the one that has to precede it. */
const OPERATIONS: Record<string, { before?: Act; act: Act }> = {
  rewind: { act: rewind },
  unrewind: { before: rewind, act: ({ api }, sessionId) => api.session.unrewind.mutate({ sessionId }) },
  'edit and send': {
    act: ({ api }, sessionId) =>
      api.session.send.mutate({ sessionId, replaceMessageId: `${sessionId}_5`, message: TEXT('Instead') }),
  },
  resend: {
    act: ({ api }, sessionId) => api.session.resend.mutate({ sessionId, messageId: `${sessionId}_5` }),
  },
  branch: {
    act: ({ api }, sessionId) =>
      api.session.branch.mutate({ sessionId, fromMessageId: `${sessionId}_${2 * TURNS}` }),
  },
  compact: { act: compact },
  uncompact: { before: compact, act: ({ api }, sessionId) => api.session.uncompact.mutate({ sessionId }) },
  prune: { act: prune },
  unprune: { before: prune, act: ({ api }, sessionId) => api.session.unprune.mutate({ sessionId }) },
  import: { act: (server, sessionId) => importTalk(server, `${sessionId}_copy`) },
}

test(`RL-1 a kill during a history operation leaves the state before or after it, never one between (${ROUNDS} each)`, {
  timeout: ROUNDS * 120_000,
}, async () => {
  const random = createRandom(SEED)
  await using lab = await openLabFolder(() => reply({ text: 'So far, so good.' }))
  const lengths = await measure(lab.environment)
  let cutShort = 0
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, { before, act }] of Object.entries(OPERATIONS)) {
      const where = `${name}, round ${round}, seed ${SEED}`
      await using server = await startProcess(lab.environment)
      using connection = connect(server.url)
      const connected = { ...connection, url: server.url }
      const sessionId = `${name.replaceAll(' ', '-')}-${round}`
      await importTalk(connected, sessionId)
      await before?.(connected, sessionId)
      const intact = readHistories(lab.database)

      const acting = Promise.allSettled([act(connected, sessionId)])
      await delay(random() * (lengths.get(name) ?? 0))
      server.kill('SIGKILL')
      const [outcome] = await acting
      await server.exited

      const left = readHistories(lab.database)
      const isDone = isAfter(left, intact)
      if (outcome?.status === 'fulfilled') expect(isDone, where).toBe(true)
      else cutShort += 1
      if (!isDone) expect(left, where).toEqual(intact)
      expect(findInconsistencies(left), where).toEqual([])
      expect(copiesIn(left), where).toEqual([])
      expect(lab.integrity(), where).toBe('ok')
    }
  }
  // Kills that all came too late would prove nothing.
  expect(cutShort).toBeGreaterThan(ROUNDS)
})

/** Runs every operation once without a kill; returns 1.2 times the milliseconds that each took. */
async function measure(environment: Record<string, string>): Promise<Map<string, number>> {
  await using server = await startProcess(environment)
  using connection = connect(server.url)
  const connected = { ...connection, url: server.url }
  const lengths = new Map<string, number>()
  for (const [name, { before, act }] of Object.entries(OPERATIONS)) {
    const sessionId = `${name.replaceAll(' ', '-')}-measured`
    await importTalk(connected, sessionId)
    await before?.(connected, sessionId)
    const start = performance.now()
    await act(connected, sessionId)
    lengths.set(name, 1.2 * (performance.now() - start))
  }
  return lengths
}

async function importTalk({ url }: Connected, id: string): Promise<void> {
  const answer = await fetch(`${url}/api/v1/sessions/import`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: longTalk({ id, turns: TURNS, output: OUTPUT }),
  })
  if (!answer.ok) throw new Error(await answer.text())
}

/** Whether there is a new operation or session. */
function isAfter(left: Histories, intact: Histories): boolean {
  return left.operations.length > intact.operations.length || left.sessions.length > intact.sessions.length
}

/** Sessions with fewer messages than they were created with. */
function copiesIn({ sessions, messages }: Histories): string[] {
  const counts = Map.groupBy(messages, ({ session_id }) => session_id)
  return sessions.filter(({ id }) => (counts.get(id)?.length ?? 0) < 2 * TURNS).map(({ id }) => id)
}
