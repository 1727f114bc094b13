import { openCoreLab, reply } from '@palimpsest/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { ChatPart, FinishReason } from '../domain/message/message.ts'
import { defineTool } from '../tool/tool.ts'
import { carriedInto, carriedRepetition } from './carried-calls.ts'
import { judgeRepetition, NO_REPETITION, observeCalls } from './doom-loop.ts'

type Run = { calls: readonly string[]; countsOn: boolean; finishReason: FinishReason }

/** The stored reply of a run that made these calls, each in a step of its own. */
function replyOf({ calls, countsOn, finishReason }: Run) {
  const parts = calls.flatMap((name, index): { data: ChatPart }[] => [
    { data: { type: 'step-start' } },
    {
      data: {
        type: 'dynamic-tool',
        toolName: name,
        toolCallId: `call_${index}`,
        state: 'output-available',
        input: {},
        output: 'x',
      },
    },
  ])
  const metadata = { schemaVersion: 1, createdAt: 0, finishReason, ...(countsOn && { countsOn }) } as const
  return { role: 'assistant' as const, metadata, parts }
}

const observed = (calls: readonly string[]) =>
  observeCalls(
    NO_REPETITION,
    calls.map((name) => ({ name, input: {} })),
  )

const callNames = fc.array(fc.constantFrom('dig', 'look'), { minLength: 1, maxLength: 12 })

test('RU-5 however calls are divided into runs that go on from each other, they are counted as those of one run', () => {
  fc.assert(
    fc.property(fc.array(callNames, { minLength: 1, maxLength: 6 }), (runs) => {
      const replies = runs.map((calls, index) =>
        replyOf({ calls, countsOn: index > 0, finishReason: 'doom-loop' }),
      )
      const carried = carriedRepetition(replies)
      expect(carried).toEqual(observed(runs.flat()))
      // A run that goes on never begins with fewer repetitions than the last one had by itself.
      expect(carried.count).toBeGreaterThanOrEqual(observed(runs.at(-1) ?? []).count)
    }),
  )
})

test('RU-5 the count never falls while the same call is made, whatever ends the runs in between', () => {
  const ends = fc.constantFrom<FinishReason>('doom-loop', 'aborted', 'interrupted', 'error', 'budget')
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), ends), { minLength: 1 }), (runs) => {
      let before = NO_REPETITION
      for (let end = 1; end <= runs.length; end++) {
        const replies = runs.slice(0, end).map(([count, finishReason], index) => {
          const calls = Array.from({ length: count }, () => 'dig')
          return replyOf({ calls, countsOn: index > 0, finishReason })
        })
        const after = carriedRepetition(replies)
        expect(after.count).toBeGreaterThan(before.count)
        if (before.count >= 6) expect(judgeRepetition(before, after)).toBe('stop')
        before = after
      }
    }),
  )
})

test('RU-5 a reply that ended by itself carries nothing on, and a new message begins the count anew', () => {
  const calls = ['dig', 'dig', 'dig']
  const done = replyOf({ calls, countsOn: false, finishReason: 'stop' })
  expect(carriedRepetition([done])).toEqual(NO_REPETITION)
  expect(carriedRepetition([])).toEqual(NO_REPETITION)
  const stopped = replyOf({ calls, countsOn: false, finishReason: 'aborted' })
  expect(carriedRepetition([stopped, stopped]).count).toBe(3)
})

test('RU-5 a run that waited goes on with the count that it began with, also after a restart', () => {
  const before = [replyOf({ calls: ['dig', 'dig'], countsOn: false, finishReason: 'aborted' })]
  const start = { trigger: { type: 'existing' } }
  const own = (countsOn: boolean) => replyOf({ calls: [], countsOn, finishReason: 'aborted' })
  expect(carriedInto({ start, reply: own(true) }, before).count).toBe(2)
  expect(carriedInto({ start, reply: own(false) }, before).count).toBe(0)
  expect(carriedInto({ start, reply: null }, before).count).toBe(0)
  expect(carriedInto({ start: { ...start, continues: true }, reply: null }, before).count).toBe(2)
})

/** A model that makes one call for ever, whose tool returns once `until` is over. */
async function openLoop(until: Promise<void> = Promise.resolve()) {
  const dig = defineTool({
    id: 'dig',
    description: 'Digs',
    input: z.object({ place: z.string() }),
    requires: () => [],
    execute: async () => {
      await until
      return { text: 'Nothing there' }
    },
  })
  const lab = await openCoreLab({}, { agent: { tools: [dig] } })
  lab.provider.otherwise(() => reply({ toolCalls: [{ name: 'dig', input: { place: 'here' } }] }))
  return lab
}

type Lab = Awaited<ReturnType<typeof openLoop>>

const isWarned = (lab: Lab) =>
  lab.steps.map(({ body }) => JSON.stringify(body['messages']).includes('same tool call'))

async function lastReason({ sessions }: Lab, sessionId: string) {
  return (await sessions.messages({ sessionId })).items.at(-1)?.metadata?.finishReason
}

test('RU-5 a loop that is continued is warned of at once and ends with its next call, each time', async () => {
  await using lab = await openLoop()
  const { sessionId } = await lab.turn('Find it')
  expect(lab.steps).toHaveLength(6)
  for (const steps of [7, 8]) {
    const { runId } = await lab.sessions.continue(sessionId)
    await lab.chunksOf(sessionId, runId)
    expect(lab.steps).toHaveLength(steps)
    expect(isWarned(lab).at(-1)).toBe(true)
    expect(await lastReason(lab, sessionId)).toBe('doom-loop')
  }
})

test('RU-5 a loop goes on to be counted in the run of a queued message', async () => {
  const gate = Promise.withResolvers<void>()
  await using lab = await openLoop(gate.promise)
  const first = await lab.say('Find it')
  const settled = lab.event(
    (event): event is Extract<typeof event, { type: 'status' }> =>
      event.type === 'status' && event.status.state === 'idle' && lab.steps.length >= 7,
  )
  const queued = await lab.sessions.send({
    sessionId: first.sessionId,
    message: { parts: [{ type: 'text', text: 'And then?' }] },
  })
  expect(queued.queued).toBe(true)
  gate.resolve()
  await settled
  expect(lab.steps).toHaveLength(7)
  expect(await lastReason(lab, first.sessionId)).toBe('doom-loop')
})

test('RU-5 a loop that a person answers with a new message is counted anew', async () => {
  await using lab = await openLoop()
  const { sessionId } = await lab.turn('Find it')
  await lab.turn('Dig deeper', sessionId)
  expect(lab.steps).toHaveLength(12)
  expect(isWarned(lab).slice(6)).toEqual([false, false, false, true, false, false])
})

test('RU-5 another call ends the repetition that a run was carried into', async () => {
  await using lab = await openLoop()
  const { sessionId } = await lab.turn('Find it')
  lab.provider.script(
    reply({ toolCalls: [{ name: 'dig', input: { place: 'there' } }] }),
    reply({ text: 'Found' }),
  )
  const { runId } = await lab.sessions.continue(sessionId)
  await lab.chunksOf(sessionId, runId)
  expect(await lastReason(lab, sessionId)).toBe('stop')
})
