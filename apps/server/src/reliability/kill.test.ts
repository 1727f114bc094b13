import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { startProcess } from '../testing/start-process.ts'
import { type CallRecorder, createCallRecorder, send, watch } from './call-recorder.ts'
import { type Connection, connect } from './connection.ts'
import { findLosses } from './find-losses.ts'
import { openLabFolder } from './lab-folder.ts'
import { createRandom } from './random.ts'
import { remoteHost } from './remote-host.ts'
import { toolRun } from './tool-run.ts'

const ROUNDS = process.env['TEST_PROFILE'] === 'long' ? 200 : 12
const SEED = Number(process.env['KILL_SEED'] ?? 20261121)
const SESSIONS = ['a', 'b', 'c', 'd']

/** Real milliseconds under load before the kill: from the first chunk of a run to the second run's end. */
const MIN_MS = 5
const MAX_MS = 450

test(`RL-1 ${ROUNDS} kills at random moments under load lose nothing that was acknowledged or shown`, {
  timeout: ROUNDS * 15_000,
}, async () => {
  const random = createRandom(SEED)
  await using lab = await openLabFolder(toolRun)
  let recorder = createCallRecorder()
  let shownParts = 0
  for (let round = 0; round <= ROUNDS; round++) {
    await using server = await startProcess(lab.environment)
    using connection = connect(server.url)
    const losses = round === 0 ? [] : await findLosses(remoteHost(connection), recorder, SESSIONS)
    expect(losses, `round ${round}, seed ${SEED}`).toEqual([])
    recorder = createCallRecorder()
    await loadUntilKilled(connection, recorder, round, {
      afterMs: MIN_MS + random() * (MAX_MS - MIN_MS),
      kill: () => server.kill('SIGKILL'),
    })
    await server.exited
    shownParts += recorder.shown.flatMap(({ message }) => message.parts).length
    expect(lab.integrity(), `round ${round}, seed ${SEED}`).toBe('ok')
  }
  // Rounds in which nothing was displayed would prove nothing.
  expect(shownParts).toBeGreaterThan(ROUNDS)
})

/** Clients in every session that send as soon as a reply has ended, and in the first session during the reply too. */
async function loadUntilKilled(
  connection: Connection,
  recorder: CallRecorder,
  round: number,
  { afterMs, kill }: { afterMs: number; kill(): void },
): Promise<void> {
  const gone = new AbortController()
  const starts = await Promise.all(SESSIONS.map((sessionId) => start(connection, recorder, sessionId, round)))
  const talks = Promise.allSettled(starts.map((run) => talk(connection, recorder, run, gone.signal)))
  await delay(afterMs)
  kill()
  gone.abort()
  await talks
}

type Talk = { sessionId: string; runId?: string }

/** After a kill, a session accepts the next message at once, or answers the queued ones before it. */
async function start(
  connection: Connection,
  recorder: CallRecorder,
  sessionId: string,
  round: number,
): Promise<Talk> {
  if (round === 0)
    await connection.api.session.create.mutate({ id: sessionId, title: sessionId, model: MODEL })
  const { runId, queued } = await send(connection, recorder, sessionId, `Question of round ${round}`)
  if (queued) {
    await vi.waitFor(async () => {
      const { state } = await connection.api.session.status.query({ sessionId })
      const stuck = state === 'idle' && (await connection.api.queue.list.query({ sessionId })).length > 0
      expect(stuck, `${sessionId} is stuck in round ${round}, seed ${SEED}`).toBe(false)
    })
  }
  return { sessionId, ...(runId !== undefined && { runId }) }
}

async function talk(
  connection: Connection,
  recorder: CallRecorder,
  first: Talk,
  gone: AbortSignal,
): Promise<void> {
  const { sessionId } = first
  // After many rounds the queue may be full.
  if (sessionId === SESSIONS[0])
    await Promise.allSettled([send(connection, recorder, sessionId, 'One more thing')])
  await watch(connection, recorder, first, gone)
  while (!gone.aborted) {
    const { runId } = await send(connection, recorder, sessionId, 'Go on')
    await watch(connection, recorder, { sessionId, ...(runId !== undefined && { runId }) }, gone)
  }
}

const MODEL = { providerId: 'lab', modelId: 'm1' }
