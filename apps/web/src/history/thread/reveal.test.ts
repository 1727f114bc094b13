import type { ChatMessage } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findSpot, firstHidden, toggled } from './reveal.ts'
import { threadLayout } from './thread-layout.ts'

const ids = fc.uniqueArray(fc.constantFrom('op_1', 'op_2', 'op_3', 'op_4'), { minLength: 1 })

test('UI-17 what is asked for twice is as it was, but for what was shown in part', () => {
  fc.assert(
    fc.property(ids, ids, (revealed, asked) => {
      const once = toggled(revealed, asked)
      expect(once.shown).toBe(!asked.every((id) => revealed.includes(id)))
      expect(asked.every((id) => once.revealed.includes(id))).toBe(once.shown)
      const twice = toggled(once.revealed, asked)
      expect(twice.shown).toBe(!once.shown)
      expect([...twice.revealed].sort()).toEqual(
        (once.shown
          ? revealed.filter((id) => !asked.includes(id))
          : [...new Set([...revealed, ...asked])]
        ).sort(),
      )
    }),
  )
})

test('UI-17 what comes forward begins at the first message that was hidden, not at a summary', () => {
  const message = (id: string, metadata: Partial<ChatMessage['metadata']>): ChatMessage => ({
    id,
    role: 'user',
    metadata: { schemaVersion: 1, createdAt: 1, ...metadata },
    parts: [],
  })
  const loaded = [
    message('m1', {}),
    message('m2', { hiddenBy: 'op_1', summary: true }),
    message('m3', { hiddenBy: 'op_1' }),
    message('m4', { hiddenBy: 'op_1' }),
  ]
  expect(firstHidden(loaded, ['op_1'], new Map())?.id).toBe('m3')
  expect(firstHidden(loaded, ['op_2'], new Map())).toBeNull()
})

/** A message that is visible, or hidden by an operation, or the summary of a compaction. */
const messages = fc
  .uniqueArray(
    fc.record({
      at: fc.nat(30),
      hiddenBy: fc.option(fc.constantFrom('op_1', 'op_2', 'c1', 'c2'), { nil: undefined }),
      compactionId: fc.option(fc.constantFrom('c1', 'c2'), { nil: undefined, freq: 4 }),
    }),
    { selector: ({ at }) => at, maxLength: 12 },
  )
  .map((list) => list.map(({ at, ...metadata }) => messageOf(`m${at}`, metadata)))

function messageOf(
  id: string,
  { hiddenBy, compactionId }: { hiddenBy: string | undefined; compactionId: string | undefined },
): ChatMessage {
  const tail = { type: 'data-compaction', data: { summary: 'So far', tail_start_id: 'm0' } } as const
  return {
    id,
    role: compactionId === undefined ? 'user' : 'assistant',
    metadata: {
      schemaVersion: 1,
      createdAt: 1,
      ...(hiddenBy !== undefined && { hiddenBy }),
      ...(compactionId !== undefined && { compactionId, summary: true }),
    },
    parts: compactionId === undefined ? [] : [tail],
  }
}

test('UI-30 whatever hides a message, what has to be revealed for it is found at once, and nothing else is', () => {
  fc.assert(
    fc.property(messages, ids, (loaded, open) => {
      const at = (revealed: ReadonlySet<string>) => {
        const layout = threadLayout({ loaded, revealed, timeline: [{ id: 'c1' }, { id: 'c2' }] })
        return { loaded, layout, revealed }
      }
      for (const { id, metadata } of loaded) {
        const first = findSpot(id, at(new Set(open)))
        const revealed = new Set([...open, ...(first.type === 'covered' ? first.operationIds : [])])
        const then = findSpot(id, at(revealed))
        expect(then.type).not.toBe('covered')
        if (metadata?.compactionId === undefined) expect(then).toEqual({ type: 'shown', messageId: id })
        if (metadata?.hiddenBy === undefined) expect(first.type).not.toBe('covered')
      }
      expect(findSpot('msg_elsewhere', at(new Set()))).toEqual({ type: 'absent' })
    }),
  )
})
