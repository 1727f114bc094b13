import { reply, type ScriptedReply } from '@palimpsest/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Call, type Counts, createCallWorld } from '../testing/attack/call-world.ts'
import { createFailureLog } from '../testing/attack/failure-log.ts'
import { generatedCount } from '../testing/attack/generated-count.ts'
import { inputOf } from '../testing/attack/procedure-inputs.ts'
import { PROCEDURES } from '../testing/call-procedure.ts'
import { startTestServer, type TestServer } from '../testing/index.ts'
import { longTalk } from '../testing/long-talk.ts'

const CALLS = generatedCount('GENERATED_CALLS', { short: 1_800, long: 100_000 })
const CALLS_PER_SCRIPT = 60

/** Subscriptions take longer, so they are called less often. */
const path = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...paths(false)) },
  { weight: 1, arbitrary: fc.constantFrom(...paths(true)) },
)
const call: fc.Arbitrary<Call> = path.chain((path) =>
  fc.record({ path: fc.constant(path), input: inputOf(path) }),
)
/** Calls that are made at once, and most often one by one. */
const calls = fc.oneof(
  { weight: 3, arbitrary: fc.array(call, { minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.array(call, { minLength: 2, maxLength: 5 }) },
)
const script = fc.array(calls, { minLength: 1, maxLength: CALLS_PER_SCRIPT, size: 'max' })

function paths(subscriptions: boolean): string[] {
  return PROCEDURES.filter(({ type }) => (type === 'subscription') === subscriptions).map(({ path }) => path)
}

/** Texts, calls of known and unknown tools, and replies that wait until they are released. */
function answers(released: Promise<unknown>): () => ScriptedReply {
  let number = 0
  return () => {
    number += 1
    switch (number % 7) {
      case 2:
        return reply({ text: 'A call.', toolCalls: [{ name: 'todo', input: { todos: [] } }] })
      case 4:
        return reply({ toolCalls: [{ name: 'constructor', input: { a: [number] } }] })
      case 5:
        return reply({ text: ['Wait', ' …'], hold: { before: 1, until: released } })
      default:
        return reply({ text: `Answer ${number}. `.repeat(number % 50) })
    }
  }
}

let scripts = 0

/** Sessions in many states, created anew for each script. */
async function openWorld(server: TestServer, counts: Counts) {
  const world = createCallWorld(server.url, counts)
  const released = Promise.withResolvers<void>()
  server.provider.otherwise(answers(released.promise))
  const id = `t${++scripts}`
  const talks = [
    { id, turns: 6, output: 3_000, condensed: true as const },
    { id: `${id}b`, turns: 2, ephemeral: true },
  ]
  for (const talk of talks) {
    expect(await world.call({ path: 'session.import', input: { data: longTalk(talk) } })).not.toBeNull()
    world.add('session', talk.id)
    world.add('message', ...Array.from({ length: 2 * talk.turns }, (_, index) => `${talk.id}_${index + 1}`))
  }
  world.add('call', 'call_2', 'call_4')
  await world.call({ path: 'session.rewind', input: { sessionId: id, messageId: `${id}_9` } })
  await world.call({ path: 'session.compact', input: { sessionId: id } })
  await world.call({ path: 'session.export', input: { sessionId: id } })
  const created = (await world.call({ path: 'session.create', input: {} })) as { id: string }
  for (const text of ['One', 'Two', 'Three']) {
    const input = { sessionId: created.id, message: { parts: [{ type: 'text', text }] } }
    await world.call({ path: 'session.send', input })
  }
  return { ...world, [Symbol.dispose]: () => released.resolve() }
}

test('RL-7 generated calls in any order with any input get a result or a typed error, and every session stays usable', async ({
  annotate,
}) => {
  const { logger, failures } = createFailureLog()
  await using server = await startTestServer({ store: 'sqlite', ports: { logger } })
  const counts: Counts = new Map()
  await fc.assert(
    fc.asyncProperty(script, async (groups) => {
      using world = await openWorld(server, counts)
      for (const group of groups) await Promise.all(group.map(world.call))
      await world.checkAll()
      expect(failures).toEqual([])
    }),
    { numRuns: Math.ceil(CALLS / CALLS_PER_SCRIPT) },
  )
  for (const { path } of PROCEDURES) expect([path, counts.get(path) ?? 0]).not.toEqual([path, 0])
  const statuses = [...counts].filter(([what]) => what.startsWith('status')).toSorted()
  const made = PROCEDURES.reduce((sum, { path }) => sum + (counts.get(path) ?? 0), 0)
  await annotate(`${made} calls: ${statuses.map(([what, times]) => `${what} ${times}`).join(', ')}`)
}, 3_600_000)
