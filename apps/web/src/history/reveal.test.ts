import type { ChatMessage } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstHidden, toggled } from './reveal.ts'

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
  expect(firstHidden(loaded, ['op_1'])?.id).toBe('m3')
  expect(firstHidden(loaded, ['op_2'])).toBeNull()
})
