import type { Messages } from '../messages/en.ts'
import { ownToolName, type ToolPart, toolName, toolTitle } from './tool-part.ts'

/** What calls have done, as one sentence in the order of their first call: "Read 1 file, searched 2 times". */
export function callsSummary(parts: readonly ToolPart[], tool: Messages['tool']): string {
  const counts = new Map<string, { count: number; name: string }>()
  for (const part of parts) {
    const own = ownToolName(part)
    const key = own === '' ? `hosted ${toolName(part)}` : own
    const before = counts.get(key)
    counts.set(key, { count: (before?.count ?? 0) + 1, name: before?.name ?? toolTitle(part, {}) })
  }
  const phrases = [...counts].map(([key, { count, name }]) => {
    const known = Object.hasOwn(tool.summaries, key) ? tool.summaries[key] : undefined
    return known?.(count) ?? tool.otherCalls(count, name)
  })
  const sentence = phrases.join(', ')
  return sentence.charAt(0).toLocaleUpperCase() + sentence.slice(1)
}
