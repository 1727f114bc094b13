import { createMemorySessionEvents } from '@palimpsest/core'
import type { ChatMessage } from '@palimpsest/core/domain'
import { silentLogger } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

type Metadata = NonNullable<ChatMessage['metadata']>

const NO_TOKENS = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0, steps: 1 }

function openMetrics() {
  const events = createMemorySessionEvents({ logger: silentLogger })
  const state = { activeRuns: 0, sockets: 0 }
  const metrics = createMetrics(events, { activeRuns: () => state.activeRuns, sockets: () => state.sockets })
  return {
    metrics,
    state,
    settle(metadata: Partial<Metadata>, role: ChatMessage['role'] = 'assistant') {
      const message = { id: 'm', role, parts: [], metadata: { schemaVersion: 1, createdAt: 1, ...metadata } }
      events.publish({ type: 'message-settled', sessionId: 's', message: message as ChatMessage })
    },
    /** The value of a line of the text format; null without that line. */
    async value(line: string): Promise<number | null> {
      const { body } = await metrics.render()
      const found = body.split('\n').find((each) => each.startsWith(`palimpsest_${line} `))
      return found === undefined ? null : Number(found.split(' ').at(-1))
    },
    [Symbol.dispose]: () => metrics[Symbol.dispose](),
  }
}

test('OB-3 tokens are counted by model and kind, summed over replies', async () => {
  using open = openMetrics()
  const usage = { input: 100, output: 20, reasoning: 7, cacheRead: 50, cacheWrite: 3, steps: 2 }
  const model = { providerId: 'lab', modelId: 'm1' }
  open.settle({ usage, model })
  open.settle({ usage, model })
  open.settle({ usage, model: { ...model, modelId: 'm2' } })
  for (const [kind, count] of Object.entries({
    input: 100,
    output: 20,
    reasoning: 7,
    cacheRead: 50,
    cacheWrite: 3,
  })) {
    expect(await open.value(`tokens_total{provider="lab",model="m1",kind="${kind}"}`)).toBe(2 * count)
    expect(await open.value(`tokens_total{provider="lab",model="m2",kind="${kind}"}`)).toBe(count)
  }
  expect(await open.value('tokens_total{provider="lab",model="m1",kind="steps"}')).toBeNull()
})

test('OB-3 the duration of a run is counted under its outcome, in seconds', async () => {
  using open = openMetrics()
  open.settle({ durationMs: 1500, finishReason: 'stop' })
  open.settle({ durationMs: 700, finishReason: 'aborted' })
  open.settle({ durationMs: 200 })
  expect(await open.value('run_seconds_sum{finish="stop"}')).toBe(1.5)
  expect(await open.value('run_seconds_bucket{le="1",finish="aborted"}')).toBe(1)
  expect(await open.value('run_seconds_count{finish="other"}')).toBe(1)
})

test('OB-3 replies without a model or without the provider’s counts are in no sum', async () => {
  using open = openMetrics()
  open.settle({ durationMs: 10, finishReason: 'stop', usage: { ...NO_TOKENS, input: 9 } }, 'user')
  open.settle({})
  expect((await open.metrics.render()).body).not.toMatch(/palimpsest_(tokens_total|run_seconds_count)\{/)
  open.settle({ usage: { ...NO_TOKENS, input: 9 } })
  expect(await open.value('tokens_total{provider="unknown",model="unknown",kind="input"}')).toBe(9)
})

test('OB-3 gauges are read when metrics are requested', async () => {
  using open = openMetrics()
  expect([await open.value('active_runs'), await open.value('websockets')]).toEqual([0, 0])
  Object.assign(open.state, { activeRuns: 3, sockets: 5 })
  expect([await open.value('active_runs'), await open.value('websockets')]).toEqual([3, 5])
})

test('OB-3 requests are counted by their method, group and status, in seconds', async () => {
  using open = openMetrics()
  open.metrics.countRequest({ method: 'GET', group: 'trpc', status: 200, ms: 30 })
  open.metrics.countRequest({ method: 'GET', group: 'trpc', status: 200, ms: 300 })
  open.metrics.countRequest({ method: 'GET', group: 'trpc', status: 404, ms: 1 })
  const labels = 'method="GET",group="trpc",status="200"'
  expect(await open.value(`http_request_seconds_count{${labels}}`)).toBe(2)
  expect(await open.value(`http_request_seconds_sum{${labels}}`)).toBeCloseTo(0.33)
  expect(await open.value(`http_request_seconds_bucket{le="0.05",${labels}}`)).toBe(1)
})

test('OB-3 nothing is counted after the metrics are closed', async () => {
  const open = openMetrics()
  open.metrics[Symbol.dispose]()
  open.settle({ durationMs: 10, finishReason: 'stop' })
  expect(await open.value('run_seconds_count{finish="stop"}')).toBeNull()
})
