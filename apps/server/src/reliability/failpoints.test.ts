import { type Core, createCore, systemClock } from '@palimpsest/core'
import { type ChatChunk, initialReduction, reduceChunk } from '@palimpsest/core/domain'
import { openStore } from '@palimpsest/db'
import { startScriptedProvider } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { temporaryDatabase } from '../testing/temporary-database.ts'
import { type CallRecorder, createCallRecorder } from './call-recorder.ts'
import { MODEL, portsOn, SAYS, SETTINGS } from './crash-ports.ts'
import { POINTS, type Point, withFailpoint } from './failpoints.ts'
import { findLosses } from './find-losses.ts'
import type { Host } from './host.ts'
import { toolRun } from './tool-run.ts'

test.concurrent.for(POINTS)(
  'RL-1 a host that crashes %s, at each of its occurrences of a 60-chunk, three-tool run, loses nothing',
  {
    timeout: 120_000,
  },
  async (point) => {
    await using provider = await startScriptedProvider()
    provider.otherwise((request) => toolRun(request, 2))
    const { baseURL } = provider
    let crashes = 0
    let finished: ChatChunk[] | null = null
    while (finished === null) {
      await using database = await temporaryDatabase()
      const { url } = database
      const recorder = createCallRecorder()
      const occurrence = crashes + 1
      finished = await runUntilCrash({ point, occurrence }, url, baseURL, recorder)
      const losses = await lossesAfterRestart(url, baseURL, recorder)
      expect(losses, `crashed ${point}, occurrence ${occurrence}`).toEqual([])
      if (finished === null) crashes += 1
    }
    expect(crashes).toBeGreaterThan(0)
    // Viewers receive merged deltas, so the provider's chunks are counted by their words.
    const words = finished.flatMap((chunk) =>
      chunk.type === 'text-delta' ? chunk.delta.trim().split(' ') : [],
    )
    expect(words.length).toBeGreaterThanOrEqual(60)
    const outputs = finished.filter(({ type }) => type === 'tool-output-available')
    expect(outputs.length).toBeGreaterThanOrEqual(3)
  },
)

/** Restarts on the same store, and returns what is missing or wrong; the session has to take the next message. */
async function lossesAfterRestart(url: string, baseURL: string, recorder: CallRecorder): Promise<string[]> {
  await using store = await openStore({ url, clock: systemClock })
  const core = createCore(portsOn(store, baseURL), SETTINGS)
  await core.recover()
  const losses = await findLosses(localHost(core), recorder, ['s'])
  const { queued } = await core.sessions.send({ sessionId: 's', message: SAYS })
  // The message is queued behind those that wait, and starts them.
  const stuck = queued && core.activeRuns === 0
  await core.shutdown(0)
  return stuck ? [...losses, 'The session is stuck'] : losses
}

const STEERS = { parts: [{ type: 'text' as const, text: 'Left' }] }

/** Runs one turn on a host that crashes at a failpoint. Returns the chunks of the run, or null when the host crashed first. */
async function runUntilCrash(
  { point, occurrence }: { point: Point; occurrence: number },
  url: string,
  baseURL: string,
  recorder: CallRecorder,
): Promise<ChatChunk[] | null> {
  await using store = await openStore({ url, clock: systemClock })
  const { ports, crashed } = withFailpoint(portsOn(store, baseURL), point, occurrence)
  const { sessions } = createCore(ports, SETTINGS)
  await sessions.create({ id: 's', title: 'S', model: MODEL })
  return await Promise.race([crashed.then(() => null), turn(sessions, recorder)])
}

async function turn(sessions: Core['sessions'], recorder: CallRecorder): Promise<ChatChunk[]> {
  const { messageId, runId = '' } = await sessions.send({ sessionId: 's', message: SAYS })
  recorder.acknowledged.push({ sessionId: 's', messageId, text: 'Go' })
  const steering = await sessions.send({ sessionId: 's', message: STEERS, steer: true })
  recorder.acknowledged.push({ sessionId: 's', messageId: steering.messageId, text: 'Left' })
  const seen = { sessionId: 's', message: initialReduction('').message }
  recorder.shown.push(seen)
  const received: ChatChunk[] = []
  let reduction = initialReduction('')
  for await (const chunks of sessions.stream({ sessionId: 's', runId })) {
    for (const chunk of chunks) reduction = reduceChunk(reduction, chunk)
    received.push(...chunks)
    seen.message = reduction.message
  }
  return received
}

function localHost({ sessions }: Core): Host {
  return {
    state: async (sessionId) => (await sessions.status(sessionId)).state,
    page: (sessionId, cursor) =>
      sessions.messages({ sessionId, limit: 200, hidden: true, ...(cursor !== null && { cursor }) }),
    queue: (sessionId) => sessions.queue.list(sessionId),
  }
}
