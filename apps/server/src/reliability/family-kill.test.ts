import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { generatedCount } from '../testing/attack/generated-count.ts'
import { startProcess } from '../testing/start-process.ts'
import { type CallRecorder, createCallRecorder, send, watch } from './call-recorder.ts'
import { type Connection, connect } from './connection.ts'
import {
  answerQuestions,
  childrenOf,
  type FamilyLab,
  faultsOf,
  openFamilyLab,
  untilSettled,
} from './family-lab.ts'
import { createRandom } from './random.ts'

const ROUNDS = generatedCount('KILL_ROUNDS', { short: 2, long: 200 })
const SEED = Number(process.env['KILL_SEED'] ?? 20261122)

/** Real milliseconds from the message to the kill: from the first delta to the time in which only the long commands run. */
const MIN_MS = 5
const MAX_MS = 1_300

const never = new AbortController().signal

test(`RL-1 SA-3 TO-4 ${ROUNDS} kills of a run with subagents and commands, in the foreground and in the background, run nothing twice, leave no process and lose nothing`, {
  timeout: 60_000 + ROUNDS * 30_000,
}, async () => {
  const random = createRandom(SEED)
  await using lab = await openFamilyLab()
  let last: Round | null = null
  for (let round = 0; round <= ROUNDS; round++) {
    // Without a sandbox, nothing but the next server ends what runs.
    await using server = await startProcess(lab.environment({ sandbox: random() < 0.5 }))
    using connection = connect(server.url)
    if (last !== null) await expectRecovered(lab, connection, last, `round ${round - 1}, seed ${SEED}`)
    if (round === ROUNDS) break
    // Sessions with this ending have a subagent that asks.
    last = {
      sessionId: `r${round}${random() < 0.4 ? 'q' : ''}`,
      recorder: createCallRecorder(),
      requestsBefore: 0,
    }
    await lab.create(connection, last.sessionId)
    await loadUntilKilled(lab, connection, last, {
      afterMs: MIN_MS + random() * (MAX_MS - MIN_MS),
      kill: () => server.kill('SIGKILL'),
    })
    await server.exited
    lab.commands.calm = true
    last.requestsBefore = lab.provider.requests.length
    expect(lab.integrity()).toBe('ok')
  }
  expect(await lab.running()).toEqual([])
})

test('TO-4 Stop ends all subagents, commands and model calls of a run within two seconds; commands in the background end with the archive of the chat', async () => {
  await using lab = await openFamilyLab()
  await using server = await startProcess(lab.environment({ sandbox: false }))
  using connection = connect(server.url)
  const { api } = connection
  const recorder = createCallRecorder()
  const sessionId = 'rs'
  await lab.create(connection, sessionId)
  await send(connection, recorder, sessionId, `Round ${sessionId}`)
  const tasks = ['child', 'behind', 'root', 'server', 'child-server'].map((name) => `${sessionId}-${name}`)
  await expect.poll(lab.ran).toEqual(expect.arrayContaining(tasks))
  // The second request of the subagent in the foreground never ends.
  const open = () => lab.provider.requests.findIndex(({ body }) => isSecondOfChild(body))
  await expect.poll(open).toBeGreaterThan(-1)
  const since = performance.now()
  expect(await api.session.abort.mutate({ sessionId })).toEqual({ aborted: true })
  const { by } = await lab.provider.closed(open())
  await expect.poll(lab.runningInForeground, { interval: 20 }).toEqual([])
  expect(performance.now() - since).toBeLessThan(2_000)
  expect(by).toBe('client')
  await untilSettled(connection, sessionId, 'stopped')
  const { items } = await api.session.messages.query({ sessionId })
  expect(JSON.stringify(items)).toContain('aborted by parent')

  // Those of the chat itself and of its subagents.
  const listed = (await api.process.list.query({ sessionId })).items
  expect(listed).toMatchObject([{ exit: null }, { exit: null }])
  expect((await lab.running()).length).toBeGreaterThan(0)
  await api.session.archive.mutate({ sessionId })
  expect(await lab.running()).toEqual([])
})

function isSecondOfChild(body: Record<string, unknown>): boolean {
  const messages = JSON.stringify(body['messages'])
  return messages.includes('"Foreground rs"') && messages.includes('"role":"tool"')
}

/** There is nothing to continue where the kill came before the reply, or after it. */
function ignoreFinished(error: { data?: { code?: string } | null }): void {
  if (error.data?.code !== 'CONFLICT') throw error
}

type Round = { sessionId: string; recorder: CallRecorder; requestsBefore: number }

async function loadUntilKilled(
  { commands }: FamilyLab,
  connection: Connection,
  { sessionId, recorder }: Round,
  { afterMs, kill }: { afterMs: number; kill(): void },
): Promise<void> {
  commands.calm = false
  const gone = new AbortController()
  const { runId } = await send(connection, recorder, sessionId, `Round ${sessionId}`)
  const watching = Promise.allSettled([
    watch(connection, recorder, { sessionId, ...(runId !== undefined && { runId }) }, gone.signal),
    watchChildren(connection, recorder, sessionId, gone.signal),
  ])
  await delay(afterMs)
  kill()
  gone.abort()
  await watching
}

/** Watches each subagent from when it is listed. */
async function watchChildren(
  connection: Connection,
  recorder: CallRecorder,
  sessionId: string,
  gone: AbortSignal,
): Promise<void> {
  const watched = new Set<string>()
  while (!gone.aborted) {
    for (const { id } of await childrenOf(connection, sessionId)) {
      if (watched.has(id)) continue
      watched.add(id)
      void watch(connection, recorder, { sessionId: id }, gone)
    }
    await delay(20)
  }
}

/** What a person does after the restart: answers, continues, goes on. Nothing is wrong before it and after it. */
async function expectRecovered(
  lab: FamilyLab,
  connection: Connection,
  { sessionId, recorder, requestsBefore }: Round,
  where: string,
): Promise<void> {
  const { api } = connection
  expect(await lab.running(), where).toEqual([])
  await untilSettled(connection, sessionId, where)
  // A run whose subagent had ended may have gone on by itself, which is a request that was not made before.
  const requests = lab.provider.requests.map(({ body }) => JSON.stringify(body['messages']))
  const before = new Set(requests.slice(0, requestsBefore))
  expect(
    requests.slice(requestsBefore).filter((request) => before.has(request)),
    where,
  ).toEqual([])
  await answerQuestions(connection, sessionId)
  await untilSettled(connection, sessionId, where)
  expect(await faultsOf(lab, connection, recorder, sessionId), where).toEqual([])

  await api.session.continue.mutate({ sessionId }).catch(ignoreFinished)
  await untilSettled(connection, sessionId, where)
  // A subagent that the continued run has started may ask.
  await answerQuestions(connection, sessionId)
  await untilSettled(connection, sessionId, where)
  const { runId, queued } = await send(connection, recorder, sessionId, 'And now?')
  expect(queued, where).toBe(false)
  await watch(connection, recorder, { sessionId, ...(runId !== undefined && { runId }) }, never)
  await untilSettled(connection, sessionId, where)
  expect(await faultsOf(lab, connection, recorder, sessionId), where).toEqual([])
  const { items } = await api.session.messages.query({ sessionId })
  expect(items.findLast(({ role }) => role === 'assistant')?.metadata?.finishReason, where).toBe('stop')
}
