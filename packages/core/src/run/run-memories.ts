import { AppError } from '../domain/errors.ts'
import type { MemoryScope } from '../domain/settings/memory.ts'
import type { Clock, MemoryPlace, MemoryStore } from '../ports/index.ts'
import type { RunMemories } from '../tool/run-memories.ts'

/** A run by its session, its reply, and the message that started it. */
type Origin = { sessionId: string; messageId: string; question: { id: string } | null }

/** The memories of a run that works in this workspace; null without one. */
export function createRunMemories(
  { sessionId, messageId, question }: Origin,
  workspaceRoot: string | null,
  { memories, clock }: { memories: MemoryStore; clock: Clock },
): RunMemories {
  const origin = { sessionId, messageId: question?.id ?? messageId }

  function placeOf(scope: MemoryScope): MemoryPlace {
    if (scope === 'user') return null
    if (workspaceRoot !== null) return workspaceRoot
    const message =
      'This chat has no folder that the operator allows, so it has no project to remember things of.'
    throw new AppError('INVALID_INPUT', message, { field: 'scope' })
  }

  return {
    index: () => memories.index(workspaceRoot),
    async read(scope, name) {
      const found = await memories.find(placeOf(scope), name)
      return found?.state === 'accepted' ? found : null
    },
    write: async (scope, text) =>
      await memories.put({ ...text, workspaceRoot: placeOf(scope), origin }, clock.now()),
    async remove(scope, name) {
      const found = await memories.find(placeOf(scope), name)
      return found !== null && (await memories.remove(found.id))
    },
  }
}
