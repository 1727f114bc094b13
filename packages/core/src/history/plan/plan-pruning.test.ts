import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type PrunableOutput, planPruning, tokensOf } from './plan-pruning.ts'

const outputs = fc
  .array(
    fc.record({
      tool: fc.constantFrom('find', 'read', 'todo', 'skill', 'task'),
      tokens: fc.integer({ min: -5, max: 40_000 }),
      pruned: fc.boolean(),
      step: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map((all): PrunableOutput[] => {
    let repliesAfter = all.filter(({ step }) => step).length
    return all.map(({ tool, tokens, pruned, step }, index) => {
      if (step) repliesAfter -= 1
      return { messageId: `m${index}`, partId: `p${index}`, tool, tokens, pruned, repliesAfter }
    })
  })

test('PR-2 pruning always gains enough or does nothing, and never touches what is protected', () => {
  fc.assert(
    fc.property(outputs, (all) => {
      const chosen = planPruning(all, null)
      if (chosen.length > 0) expect(tokensOf(chosen)).toBeGreaterThanOrEqual(20_000)
      for (const output of chosen) {
        expect(output.pruned).toBe(false)
        expect(output.tokens).toBeGreaterThan(0)
        expect(output.repliesAfter).toBeGreaterThanOrEqual(3)
        expect(['todo', 'skill', 'task']).not.toContain(output.tool)
        const newer = all.slice(all.indexOf(output) + 1)
        expect(tokensOf(newer.filter(({ tokens }) => tokens > 0))).toBeGreaterThanOrEqual(40_000)
      }
    }),
  )
})

test('PR-2 a pruned output is not chosen again, so a second pass finds nothing', () => {
  fc.assert(
    fc.property(outputs, (all) => {
      const ids = new Set(planPruning(all, null).map(({ partId }) => partId))
      const after = all.map((output) => (ids.has(output.partId) ? { ...output, pruned: true } : output))
      expect(planPruning(after, null)).toEqual([])
    }),
  )
})
