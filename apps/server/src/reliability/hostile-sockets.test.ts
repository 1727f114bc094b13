import { deltas, reply } from '@palimpsest/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createFailureLog } from '../testing/attack/failure-log.ts'
import { generatedCount } from '../testing/attack/generated-count.ts'
import { hostileValue, made, mutated, oddText, rawJson } from '../testing/attack/hostile-values.ts'
import { inputOf } from '../testing/attack/procedure-inputs.ts'
import { callProcedure, PROCEDURES } from '../testing/call-procedure.ts'
import { startTestServer, type TestServer } from '../testing/index.ts'
import type { Answer } from '../testing/open-line.ts'

const MESSAGES = generatedCount('GENERATED_MESSAGES', { short: 1_500, long: 20_000 })
const MESSAGES_PER_SOCKET = 30
/** Milliseconds within which each call is answered, under the load of a test machine. */
const BOUND_MS = 20_000

const id = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 9 }) },
  fc.constantFrom<unknown>('__proto__', 'constructor', '5', -1, 0.5, 1e300, null, {}, [], ''),
)
const lastEventId = fc.oneof(fc.constant(undefined), oddText, hostileValue)
const call = fc.constantFrom(...PROCEDURES).chain(({ path, type }) =>
  fc.record({
    id,
    method: fc.oneof(
      { weight: 8, arbitrary: fc.constant(type as string) },
      fc.constantFrom('query', 'mutation', 'subscription', 'subscription.stop', 'reconnect', 'constructor'),
    ),
    params: fc.record({ path: fc.constant(path), input: inputOf(path), lastEventId }),
  }),
)
const stop = fc.record({ id, method: fc.constant('subscription.stop') })
const message = fc.oneof(
  { weight: 6, arbitrary: call },
  { weight: 2, arbitrary: stop },
  { weight: 2, arbitrary: call.chain(mutated) },
  { weight: 1, arbitrary: fc.array(fc.oneof(call, stop, hostileValue), { maxLength: 5 }) },
  hostileValue,
)
const frame = fc.record({
  /** A value is sent as JSON, a text as it is. */
  text: fc.oneof({ weight: 8, arbitrary: message }, oddText),
  how: fc.oneof(
    { weight: 6, arbitrary: fc.constant('whole') },
    fc.constantFrom('binary', 'fragments', 'ping'),
  ),
})
const socket = fc.record({
  query: fc.oneof(
    { weight: 6, arbitrary: fc.constant('') },
    fc.constantFrom('?connectionParams=1', '?batch=1'),
  ),
  frames: fc.array(frame, { minLength: 1, maxLength: MESSAGES_PER_SOCKET }),
})

async function open({ port }: TestServer, query = '') {
  const ws = new WebSocket(`ws://127.0.0.1:${port}/trpc${query}`)
  const heard: Answer[] = []
  const closed = new Promise<number>((resolve) => ws.once('close', resolve))
  ws.on('error', () => undefined)
  ws.on('message', (data) => {
    if (String(data).startsWith('{')) heard.push(JSON.parse(String(data)))
  })
  await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject))
  return { ws, heard, closed, [Symbol.dispose]: () => ws.terminate() }
}

function send(ws: WebSocket, text: string, how: string): void {
  if (how === 'ping') ws.ping(text.slice(0, 30))
  else if (how === 'fragments') {
    ws.send(text.slice(0, 5), { fin: false })
    ws.send(text.slice(5), { fin: true })
  } else ws.send(text, { binary: how === 'binary' })
}

/** Resolves once the server has read all that was sent. */
async function answered({ ws, closed }: { ws: WebSocket; closed: Promise<number> }): Promise<void> {
  const pong = new Promise((resolve) => ws.once('pong', resolve))
  ws.ping('last')
  await Promise.race([pong, closed])
}

test('RL-7 AP-3 any messages on a socket get results or typed errors, and every other connection keeps working', async ({
  annotate,
}) => {
  const { logger, failures } = createFailureLog()
  await using server = await startTestServer({ store: 'sqlite', ports: { logger } })
  server.provider.otherwise(reply({ text: deltas(20) }))
  const ids = ['s0', 's1', 's2']
  for (const one of ids)
    await callProcedure(server.url, { path: 'session.create', type: 'mutation' }, { id: one })
  const make = (_: string, argument: string) => ids[Number(argument) % ids.length] ?? 's0'
  let sent = 0
  await fc.assert(
    fc.asyncProperty(socket, async ({ query, frames }) => {
      using odd = await open(server, query)
      for (const { text, how } of frames) {
        const value = made(text, make)
        send(odd.ws, typeof value === 'string' ? value : (rawJson(value) ?? ''), how)
        sent += 1
      }
      await answered(odd)
      for (const { error } of odd.heard) {
        if (error === undefined) continue
        expect(error.data).toMatchObject({ appCode: expect.stringMatching(/^[A-Z_]+$/) })
        expect(error).toMatchObject({ data: { httpStatus: expect.any(Number) } })
        expect([error.message, error.data.httpStatus < 500]).toEqual([error.message, true])
        expect(error.data.stack).toBeUndefined()
      }
      const list = { path: 'session.list', type: 'query' as const }
      const { status } = await callProcedure(server.url, list, {}, AbortSignal.timeout(BOUND_MS))
      expect(status).toBe(200)
      // Calls whose socket has closed are carried out as well.
      expect(failures).toEqual([])
    }),
    { numRuns: Math.ceil((2 * MESSAGES) / MESSAGES_PER_SOCKET) },
  )
  const info = { path: 'system.info', type: 'query' as const }
  expect((await callProcedure(server.url, info, {})).status).toBe(200)
  await server.shutdown(0)
  expect(failures).toEqual([])
  await annotate(`${sent} messages`)
}, 3_600_000)
