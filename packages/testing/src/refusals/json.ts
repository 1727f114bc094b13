export type Json = Record<string, unknown>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects of an array; none of anything else. */
export function objects(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Neighbours of one role as one list of their contents. */
export function byTurns<Item>(
  messages: readonly Json[],
  contentOf: (message: Json) => Item[],
): { role: string; content: Item[] }[] {
  const turns: { role: string; content: Item[] }[] = []
  for (const message of messages) {
    const role = text(message['role'])
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...contentOf(message))
    else turns.push({ role, content: [...contentOf(message)] })
  }
  return turns
}
