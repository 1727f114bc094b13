import { openWindowChat } from '@palimpsest/testing/window-chat.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const MOST_REQUESTS = 3

/** A turn: the characters of its question and its answer, and those of the outputs of the calls that its model makes first. */
const turn = fc.record({
  question: fc.integer({ min: 1, max: 12_000 }),
  answer: fc.integer({ min: 1, max: 4_000 }),
  finds: fc.array(fc.integer({ min: 1, max: 30_000 }), { maxLength: 3 }),
})

test('CP-11 CP-12 in any window from 4,096 tokens up every request fits, or the turn ends with its ways out; three requests a turn at most', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 4_096, max: 16_384 }),
      fc.option(fc.integer({ min: 256, max: 16_384 })),
      fc.array(turn, { minLength: 1, maxLength: 6 }),
      async (contextLimit, maxOutput, turns) => {
        const say = (at: number, step: number) => {
          const { finds = [], answer = 1 } = turns[at - 1] ?? {}
          const calls = finds.map((tokens, index) => ({
            name: 'find',
            input: { tokens: Math.ceil(tokens / 4) },
            id: `call_${at}_${index}`,
          }))
          if (step === 1 && calls.length > 0) return { toolCalls: calls }
          return { text: 'An answer. '.repeat(Math.ceil(answer / 11)) }
        }
        await using chat = await openWindowChat(contextLimit, 'named', { contextLimit, maxOutput }, say)
        for (const { question } of turns) {
          const { reason, error, requests, steps } = await chat.ask(
            'So what? '.repeat(Math.ceil(question / 9)),
          )
          expect(requests - Math.max(0, steps - 1)).toBeLessThanOrEqual(MOST_REQUESTS)
          if (reason === 'stop') continue
          expect(error?.code).toBe('CONTEXT_EXHAUSTED')
          expect(error?.message).toMatch(
            /larger window.*old tool results.*branch.*new chat|shorter.*in parts.*larger window/,
          )
        }
        expect(chat.server.over).toBe(0)
      },
    ),
    { numRuns: 25 },
  )
}, 120_000)
