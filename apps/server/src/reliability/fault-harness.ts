import { expect, onTestFinished, vi } from 'vitest'
import { startProcess } from '../testing/start-process.ts'
import { createCallRecorder, send, watch } from './call-recorder.ts'
import { connect } from './connection.ts'
import { findLosses } from './find-losses.ts'
import { openLabFolder } from './lab-folder.ts'
import { remoteHost } from './remote-host.ts'
import { toolRun } from './tool-run.ts'

const MODEL = { providerId: 'lab', modelId: 'm1' }
const never = new AbortController().signal

export type FaultHarnessOptions = {
  /** Milliseconds between two words of the model. */
  everyMs?: number
  /** Variables of the server, beside the lab's own. */
  environment?: Record<string, string>
  /** The command that starts the server, such as `unshare`. */
  through?: readonly string[]
}

/** A server with one session, `s`, and a recorded client. */
export async function openFaultHarness({
  everyMs = 3,
  environment = {},
  through = [],
}: FaultHarnessOptions = {}) {
  const lab = await openLabFolder((request) => toolRun(request, everyMs))
  const server = await startProcess({ ...lab.environment, ...environment }, through)
  const connection = connect(server.url)
  onTestFinished(async () => {
    connection[Symbol.dispose]()
    await server[Symbol.asyncDispose]()
    await lab[Symbol.asyncDispose]()
  })
  const { api } = connection
  await api.session.create.mutate({ id: 's', title: 'S', model: MODEL })
  const recorder = createCallRecorder()
  return {
    server,
    database: lab.database,
    connection,
    recorder,
    say: (text: string) => send(connection, recorder, 's', text),
    watch: (runId: string | undefined) =>
      watch(connection, recorder, { sessionId: 's', ...(runId !== undefined && { runId }) }, never),
    status: () => api.session.status.query({ sessionId: 's' }),
    losses: () => findLosses(remoteHost(connection), recorder, ['s']),
  }
}

type FaultHarness = Awaited<ReturnType<typeof openFaultHarness>>

/** The next message is accepted at once and answered, and nothing that was there before is lost. */
export async function expectRecovered({ say, watch: look, losses }: FaultHarness): Promise<void> {
  const { runId, queued } = await say('And now?')
  expect(queued).toBe(false)
  await look(runId)
  await until(async () => expect(await losses()).toEqual([]))
}

/** Retries a check for as long as a busy machine needs. */
export async function until(look: () => void | Promise<void>): Promise<void> {
  await vi.waitFor(look, { timeout: 20_000 })
}
