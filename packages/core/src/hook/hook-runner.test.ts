import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { expect, test } from 'vitest'
import { AppError } from '../domain/errors.ts'
import { HOOK_EVENTS, type HookAnswer, type HookPayload } from '../domain/settings/hook.ts'
import type { Hook, Logger } from '../ports/index.ts'
import { createBackground } from '../state/background.ts'
import { createHookRunner } from './hook-runner.ts'

type Run = (payload: HookPayload, signal: AbortSignal) => Promise<HookAnswer> | HookAnswer

function hook(name: string, run: Run, over: Partial<Hook> = {}): Hook {
  const facts = {
    event: 'tool.before',
    kind: 'module',
    source: './hook.mjs',
    required: false,
    timeoutMs: 1_000,
    tools: null,
  } as const
  return { name, ...facts, run: async (payload, signal) => await run(payload, signal), ...over }
}

function open(...hooks: Hook[]) {
  const clock = createFakeClock()
  const logged: unknown[] = []
  const logger: Logger = { debug() {}, info() {}, warn: (line) => logged.push(line), error() {} }
  const background = createBackground({ logger })
  return { hooks: createHookRunner(hooks, { clock, logger, background }), clock, logged, background }
}

const CALL = { sessionId: 's', tool: 'bash' }

test('HK-1 the events are a closed list', () => {
  expect(HOOK_EVENTS).toEqual([
    'session.create',
    'session.delete',
    'session.save',
    'session.archive',
    'message.user',
    'turn.start',
    'step.start',
    'step.end',
    'turn.end',
    'tool.before',
    'tool.after',
    'compaction.before',
    'compaction.after',
    'cost',
  ])
})

test('HK-2 hooks run one after the other in declared order, with the event and its facts', async () => {
  const order: string[] = []
  const payloads: HookPayload[] = []
  const slow = Promise.withResolvers<void>()
  const { hooks } = open(
    hook('first', async (payload) => {
      await slow.promise
      payloads.push(payload)
      order.push('first')
      return { metadata: { a: 1, b: 1 } }
    }),
    hook('other event', () => ({ decision: 'block' }), { event: 'turn.start' }),
    hook('other tool', () => ({ decision: 'block' }), { tools: ['read'] }),
    hook('second', () => {
      order.push('second')
      return { metadata: { b: 2 }, decision: 'ask', reason: 'Look at it.' }
    }),
  )
  const deciding = hooks.decide('tool.before', CALL)
  slow.resolve()
  expect(await deciding).toEqual({
    blocked: null,
    asks: 'Look at it.',
    metadata: { a: 1, b: 2 },
    snapshotId: null,
  })
  expect(order).toEqual(['first', 'second'])
  expect(payloads).toEqual([{ ...CALL, event: 'tool.before', at: expect.any(Number) }])
})

test('HK-2 a hook that throws is logged and harms nothing, and the next one runs', async () => {
  const { hooks, logged } = open(
    hook('bad', () => Promise.reject(new Error('Broken'))),
    hook('good', () => ({ decision: 'block', reason: 'Not here.' })),
  )
  expect((await hooks.decide('tool.before', CALL)).blocked).toBe('Not here.')
  expect(logged).toMatchObject([{ hook: 'bad', event: 'tool.before' }])
  expect(hooks.list()).toMatchObject([
    { name: 'bad', runs: 1, failures: 1, last: { type: 'failed', message: expect.stringContaining('log') } },
    { name: 'good', runs: 1, failures: 0, last: { type: 'blocked', message: 'Not here.' } },
  ])
})

test('HK-2 the last failure of a hook is kept after runs that went well', async () => {
  let broken = true
  const { hooks } = open(
    hook('shaky', () => (broken ? Promise.reject(new AppError('HOOK_DENIED', 'Not ready.')) : {})),
  )
  expect(hooks.list()).toMatchObject([{ runs: 0, last: null, lastFailure: null, source: './hook.mjs' }])
  await hooks.decide('tool.before', CALL)
  broken = false
  await hooks.decide('tool.before', CALL)
  expect(hooks.list()).toMatchObject([
    { runs: 2, failures: 1, last: { type: 'done' }, lastFailure: { type: 'failed', message: 'Not ready.' } },
  ])
  expect(hooks.list()[0]).not.toHaveProperty('run')
})

test('HK-2 a required hook that fails blocks with its reason, and no later hook runs', async () => {
  let later = 0
  const { hooks } = open(
    hook('guard', () => Promise.reject(new AppError('HOOK_DENIED', 'It could not be started.')), {
      required: true,
    }),
    hook('later', () => {
      later += 1
      return {}
    }),
  )
  const blocked = 'The hook “guard” is required and failed. It could not be started.'
  expect((await hooks.decide('tool.before', CALL)).blocked).toBe(blocked)
  await expect(hooks.assertAllowed('tool.before', CALL)).rejects.toMatchObject({
    code: 'HOOK_DENIED',
    message: blocked,
  })
  expect(later).toBe(0)
})

test('HK-2 a hook ends at its time limit, also one that does not listen to its signal', async () => {
  const signals: AbortSignal[] = []
  const { hooks, clock } = open(
    hook(
      'stuck',
      (_, signal) => {
        signals.push(signal)
        return new Promise(() => undefined)
      },
      { required: true, timeoutMs: 500 },
    ),
  )
  const deciding = hooks.decide('tool.before', CALL)
  await clock.advance(499)
  expect(signals[0]?.aborted).toBe(false)
  await clock.advance(1)
  expect((await deciding).blocked).toContain('It took longer than 500 ms.')
  expect(signals[0]?.aborted).toBe(true)
})

test('HK-2 a run that is stopped does not wait for its hooks', async () => {
  const stop = new AbortController()
  const { hooks, logged } = open(hook('stuck', () => new Promise(() => undefined)))
  const deciding = hooks.decide('tool.before', CALL, stop.signal)
  stop.abort()
  expect((await deciding).blocked).toBeNull()
  expect(logged).toEqual([])
})

test('HK-2 what is only reported delays nothing, and its failure is kept for the list', async () => {
  const seen: HookPayload[] = []
  const gate = Promise.withResolvers<void>()
  const { hooks, background } = open(
    hook(
      'slow',
      async (payload) => {
        await gate.promise
        seen.push(payload)
        return { decision: 'block' }
      },
      { event: 'turn.end' },
    ),
  )
  hooks.report('turn.end', { sessionId: 's' })
  hooks.report('cost', { sessionId: 's' })
  expect(seen).toEqual([])
  gate.resolve()
  await expect.poll(() => seen.length).toBe(1)
  await background[Symbol.asyncDispose]()
  expect(seen).toMatchObject([{ event: 'turn.end', sessionId: 's' }])
})

test('HK-2 reports to a hook that is too slow are dropped beyond a bound', async () => {
  const { hooks, logged, background } = open(
    hook('stuck', () => new Promise(() => undefined), { event: 'cost' }),
  )
  for (let at = 0; at < 600; at++) hooks.report('cost', { sessionId: 's' })
  await expect.poll(() => logged.length).toBeGreaterThan(0)
  await background[Symbol.asyncDispose]()
})

test('HK-2 without hooks nothing is asked or reported', async () => {
  const { hooks } = open()
  expect(HOOK_EVENTS.filter(hooks.has)).toEqual([])
  expect(hooks.list()).toEqual([])
})
