import { join } from 'node:path'
import {
  type Core,
  type CorePorts,
  createCore,
  createMemoryLiveStreams,
  createMemorySessionEvents,
  systemClock,
} from '@palimpsest/core'
import { initialReduction, reduceChunk } from '@palimpsest/core/domain'
import {
  createLabModels,
  createMemoryWorkspaces,
  silentLogger,
  startScriptedProvider,
} from '@palimpsest/core/testing'
import { openStore } from '@palimpsest/db'
import { expect, test } from 'vitest'
import { workspaceFiles } from '../adapters/workspace-files.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { findLosses } from './find-losses.ts'
import type { Host } from './host.ts'
import { withFailpoint, POINTS, type Point } from './failpoints.ts'
import { toolRun } from './tool-run.ts'
import { createCallRecorder, type CallRecorder } from './call-recorder.ts'

test.concurrent.for(POINTS)(
  'RL-1 a host that dies %s, whichever time of a run it is, loses nothing',
  {
    timeout: 120_000,
  },
  async (point) => {
    await using provider = await startScriptedProvider()
    provider.otherwise((request) => toolRun(request, 2))
    const { baseURL } = provider
    let deaths = 0
    for (let died = true; died; deaths += died ? 1 : 0) {
      await using folder = await temporaryFolder()
      const url = `file:${join(folder.path, 'chat.db')}`
      const recorder = createCallRecorder()
      died = await liveUntil({ point, time: deaths + 1 }, url, baseURL, recorder)
      expect(await lossesOfNext(url, baseURL, recorder), `died ${point}, time ${deaths + 1}`).toEqual([])
    }
    expect(deaths).toBeGreaterThan(0)
  },
)

/** Starts again, looks, and sees that the session takes the next message. */
async function lossesOfNext(url: string, baseURL: string, recorder: CallRecorder): Promise<string[]> {
  await using store = await openStore({ url, clock: systemClock })
  const core = createCore(portsOn(store, baseURL), SETTINGS)
  await core.recover()
  const losses = await findLosses(localHost(core), recorder, ['s'])
  const { queued } = await core.sessions.send({ sessionId: 's', message: SAYS })
  // It comes behind what waits, which goes on with it.
  const stuck = queued && core.activeRuns === 0
  await core.shutdown(0)
  return stuck ? [...losses, 'The session is stuck'] : losses
}

const MODEL = { providerId: 'lab', modelId: 'm1' }
const SAYS = { parts: [{ type: 'text' as const, text: 'Go' }] }
const STEERS = { parts: [{ type: 'text' as const, text: 'Left' }] }
const SETTINGS = { platform: 'test', gitStatus: () => Promise.resolve(null) }

function portsOn(store: CorePorts['store'], baseURL: string): CorePorts {
  return {
    store,
    live: createMemoryLiveStreams({ clock: systemClock }),
    events: createMemorySessionEvents({ logger: silentLogger }),
    models: createLabModels(baseURL),
    clock: systemClock,
    logger: silentLogger,
    files: workspaceFiles,
    workspaces: createMemoryWorkspaces(),
    random: () => 0.5,
  }
}

/** One turn on a host that dies at that point; answers whether it did before the turn was over. */
async function liveUntil(
  death: { point: Point; time: number },
  url: string,
  baseURL: string,
  recorder: CallRecorder,
): Promise<boolean> {
  await using store = await openStore({ url, clock: systemClock })
  const { ports, died } = withFailpoint(portsOn(store, baseURL), death.point, death.time)
  const { sessions } = createCore(ports, SETTINGS)
  await sessions.create({ id: 's', title: 'S', model: MODEL })
  const over = turn(sessions, recorder).then(() => false)
  return await Promise.race([died.then(() => true), over])
}

async function turn(sessions: Core['sessions'], recorder: CallRecorder): Promise<void> {
  const { messageId, runId = '' } = await sessions.send({ sessionId: 's', message: SAYS })
  recorder.acknowledged.push({ sessionId: 's', messageId, text: 'Go' })
  const steering = await sessions.send({ sessionId: 's', message: STEERS, steer: true })
  recorder.acknowledged.push({ sessionId: 's', messageId: steering.messageId, text: 'Left' })
  const seen = { sessionId: 's', message: initialReduction('').message }
  recorder.shown.push(seen)
  let reduction = initialReduction('')
  for await (const chunks of sessions.stream({ sessionId: 's', runId })) {
    for (const chunk of chunks) reduction = reduceChunk(reduction, chunk)
    seen.message = reduction.message
  }
}

function localHost({ sessions }: Core): Host {
  return {
    state: async (sessionId) => (await sessions.status(sessionId)).state,
    page: (sessionId, cursor) =>
      sessions.messages({ sessionId, limit: 200, hidden: true, ...(cursor !== null && { cursor }) }),
    queue: (sessionId) => sessions.queue.list(sessionId),
  }
}
