import { isRecord, type ToolPart } from './tool-part.ts'

export type TodoState = 'pending' | 'in-progress' | 'completed' | 'cancelled'
export type TodoItem = { text: string; state: TodoState }

const STATES: ReadonlyMap<unknown, TodoState> = new Map([
  ['pending', 'pending'],
  ['in_progress', 'in-progress'],
  ['in-progress', 'in-progress'],
  ['completed', 'completed'],
  ['done', 'completed'],
  ['cancelled', 'cancelled'],
])

/** Reads the list from the arguments of a to-do call, also while they stream; null when there is none. */
export function todoItems(part: ToolPart): TodoItem[] | null {
  const input: unknown = part.input
  if (!isRecord(input)) return null
  const list = input['todos'] ?? input['items']
  if (!Array.isArray(list)) return null
  return list.filter(isRecord).flatMap((item) => {
    const text = item['content'] ?? item['text']
    if (typeof text !== 'string') return []
    return [{ text, state: STATES.get(item['status']) ?? 'pending' }]
  })
}
