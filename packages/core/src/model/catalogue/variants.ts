import type { ModelVariant } from '../../domain/model/model.ts'
import type { Thinking } from './known-model.ts'

const LABELS: ReadonlyMap<string, string> = new Map([
  ['none', 'No reasoning'],
  ['minimal', 'Minimal'],
  ['low', 'Low'],
  ['medium', 'Medium'],
  ['high', 'High'],
  ['xhigh', 'Extra high'],
  ['max', 'Maximum'],
])

/** Tokens that a model with a thinking budget may spend. */
export const THINKING_BUDGETS = { low: 4_096, medium: 12_288, high: 24_576 } as const

/** The variants that a person can choose among. */
export function variantsOf(thinking: Thinking | null): ModelVariant[] {
  return levelsOf(thinking).map((id) => ({ id, label: LABELS.get(id) ?? id }))
}

function levelsOf(thinking: Thinking | null): readonly string[] {
  switch (thinking?.style) {
    case undefined:
      return []
    case 'effort':
    case 'adaptive':
    case 'level':
      return thinking.levels
    case 'budget':
      return Object.keys(THINKING_BUDGETS)
    case 'thinking-budget':
      return [...(thinking.off ? ['none'] : []), ...Object.keys(THINKING_BUDGETS)]
  }
}
