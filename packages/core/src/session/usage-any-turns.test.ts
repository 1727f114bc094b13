import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createImpatientClock } from '@palimpsest/testing/fake-clock.ts'
import {
  type ChatUsage,
  failure,
  reply,
  type ScriptedReply,
} from '@palimpsest/testing/scripted-provider-reply.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addTokens, NO_TOKENS, type TokenCounts, totalTokens } from '../domain/model/usage.ts'

const count = fc.nat({ max: 2_000 })

/** One model call: what it counts, each token under one of the four names that the format has; null counts nothing. */
const step = fc.option(fc.record({ fresh: count, cached: count, text: count, thought: count }), {
  freq: 6,
  nil: null,
})
type Step = { fresh: number; cached: number; text: number; thought: number } | null

/** How a turn ends after its steps, the last of which says something. */
const turn = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
  ending: fc.constantFrom('done', 'done', 'cut', 'refused'),
})
type Turn = { steps: Step[]; ending: string }

function usageOf(counts: Step): ChatUsage | null {
  if (counts === null) return null
  const { fresh, cached, text, thought } = counts
  return {
    prompt_tokens: fresh + cached,
    completion_tokens: text + thought,
    total_tokens: fresh + cached + text + thought,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: thought },
  }
}

const todo = { name: 'todo', input: { todos: [{ content: 'Look', status: 'completed' }] } }

function repliesOf({ steps, ending }: Turn): ScriptedReply[] {
  const replies = steps.map((counts, index) => {
    const more = index < steps.length - 1 || ending !== 'done'
    return reply({
      text: `Step ${index}`,
      usage: usageOf(counts),
      ...(more && { toolCalls: [{ ...todo, id: `c${index}` }] }),
    })
  })
  if (ending === 'cut') return [...replies, reply({ text: ['Half'], ending: 'cut' })]
  return ending === 'refused' ? [...replies, failure(401, 'No')] : replies
}

const ZERO: TokenCounts = NO_TOKENS
const asReported = (counts: Step): TokenCounts =>
  counts === null
    ? ZERO
    : {
        input: counts.fresh,
        cacheRead: counts.cached,
        output: counts.text,
        reasoning: counts.thought,
        cacheWrite: 0,
      }

test('US-2 US-3 whatever its turns count, each reply holds the sum of its steps and the session that of its replies', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 4 }), async (turns) => {
      await using lab = await openCoreLab({ clock: createImpatientClock() }, {}, { contextLimit: null })
      const { id: sessionId } = await lab.sessions.create({ title: 'Counted' })
      let all = NO_TOKENS
      for (const [index, one] of turns.entries()) {
        lab.provider.script(...repliesOf(one))
        const { messages } = await lab.turn(`Turn ${index}`, sessionId)
        const sum = one.steps.map(asReported).reduce(addTokens, NO_TOKENS)
        all = addTokens(all, sum)
        const cut = one.ending !== 'done'
        const unknown = one.steps.includes(null) || cut
        expect(messages.at(-1)?.metadata?.usage).toEqual({
          ...sum,
          steps: one.steps.length,
          ...(unknown && { unknown: true }),
        })
      }
      const { usage } = await lab.sessions.get(sessionId)
      expect(usage).toMatchObject({
        promptTokens: all.input,
        completionTokens: all.output,
        reasoningTokens: all.reasoning,
        cacheRead: all.cacheRead,
        cacheWrite: 0,
        totalTokens: totalTokens(all),
        costUsd: null,
      })
      const { rows } = await lab.sessions.usageReport({})
      const reported = rows.map(({ usage: row }) => row).reduce<TokenCounts>(addTokens, NO_TOKENS)
      expect(totalTokens(reported)).toBe(totalTokens(all))
    }),
    { numRuns: 25 },
  )
})

test('US-4 the window is what the last counted step held, and an estimate as soon as anything is uncounted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
      await using lab = await openCoreLab({ clock: createImpatientClock() }, {}, { contextLimit: null })
      lab.provider.script(...repliesOf({ steps, ending: 'done' }))
      const { id: sessionId } = await lab.sessions.create({ title: 'Window' })
      await lab.turn('Go', sessionId)
      const { contextWindow } = await lab.sessions.get(sessionId)
      const last = steps.at(-1) ?? null
      if (last === null) expect(contextWindow).toMatchObject({ estimated: true })
      else expect(contextWindow).toMatchObject({ used: totalTokens(asReported(last)), estimated: false })
    }),
    { numRuns: 25 },
  )
})
