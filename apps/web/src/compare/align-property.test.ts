import type { ChatMessage } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { alignTurns } from './align-turns.ts'

type Said = { isPrompt: boolean; at: number }

const said = fc.array(fc.record({ isPrompt: fc.boolean(), at: fc.nat(1_000) }), { maxLength: 8 })

const thread = (list: readonly Said[], prefix: string): ChatMessage[] =>
  list.map(({ isPrompt, at }, index) => ({
    id: `${prefix}${index}`,
    role: isPrompt ? 'user' : 'assistant',
    metadata: { schemaVersion: 1, createdAt: at, runId: `run_${prefix}${index}` },
    parts: [],
  }))

/** Two branches that share a beginning; the copies of a branch keep their runs and their times. */
const branches = fc.tuple(said, said, said).map(([shared, left, right]) => {
  const common = thread(shared, 's')
  const copies = common.map((message, at) => ({ ...message, id: `copy${at}` }))
  return { common, left: [...common, ...thread(left, 'l')], right: [...copies, ...thread(right, 'r')] }
})

test('UI-20 for any two branches each message is shown once on its side, in its order', () => {
  fc.assert(
    fc.property(branches, ({ left, right, common }) => {
      const aligned = alignTurns(left, right)
      const of = (side: 'left' | 'right') =>
        aligned.turns.flatMap((turn) => {
          const { prompt, replies } = turn[side] ?? { prompt: null, replies: [] }
          return [...(prompt ? [prompt] : []), ...replies].map(({ id }) => id)
        })
      expect(aligned.common.map(({ id }) => id)).toEqual(common.map(({ id }) => id))
      expect(of('left')).toEqual(left.slice(common.length).map(({ id }) => id))
      expect(of('right')).toEqual(right.slice(common.length).map(({ id }) => id))
      expect(aligned.related).toBe(common.length > 0)
    }),
  )
})

test('UI-20 no row is empty on both sides', () => {
  fc.assert(
    fc.property(branches, ({ left, right }) => {
      for (const turn of alignTurns(left, right).turns) expect(turn.left ?? turn.right).not.toBeNull()
    }),
  )
})
const questions = fc.array(fc.constantFrom('Why?', 'How?', 'And then?', ''), { maxLength: 6 })

const asked = (list: readonly string[], prefix: string): ChatMessage[] =>
  list.map((text, index) => ({
    id: `${prefix}${index}`,
    role: 'user',
    metadata: { schemaVersion: 1, createdAt: index, runId: `run_${prefix}${index}` },
    parts: [{ type: 'text', text }],
  }))

const places = (turns: ReturnType<typeof alignTurns>['turns'], side: 'left' | 'right') =>
  turns.flatMap((turn, row) => (turn[side] === null ? [] : [row]))

test('UI-34 for any two threads what was sent to both faces each other in the last row', () => {
  fc.assert(
    fc.property(questions, questions, fc.constantFrom('Why?', 'And then?'), (left, right, sent) => {
      const { turns } = alignTurns(asked([...left, sent], 'l'), asked([...right, sent], 'r'))
      const last = turns.at(-1)
      expect([last?.left?.prompt?.id, last?.right?.prompt?.id]).toEqual([
        `l${left.length}`,
        `r${right.length}`,
      ])
    }),
  )
})

test('UI-34 for any two threads without a common question the row is the position after the fork', () => {
  fc.assert(
    fc.property(questions, questions, (left, right) => {
      const { turns } = alignTurns(
        asked(left, 'l'),
        asked(
          right.map((text) => `${text} not`),
          'r',
        ),
      )
      expect(places(turns, 'left')).toEqual(left.map((_, at) => at))
      expect(places(turns, 'right')).toEqual(right.map((_, at) => at))
    }),
  )
})
