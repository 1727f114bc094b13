import type { PendingPermission, PendingQuestion, SessionEvent } from '@palimpsest/core/domain'

/** What runs of a session wait for, the oldest first. */
export type Asks = { permissions: readonly PendingPermission[]; questions: readonly PendingQuestion[] }

export const NO_ASKS: Asks = { permissions: [], questions: [] }

type AskEvent = Extract<SessionEvent, { type: `permission-${string}` | `question-${string}` }>

export function nextAsks({ permissions, questions }: Asks, event: AskEvent): Asks {
  switch (event.type) {
    case 'permission-asked':
      return { questions, permissions: [...without(permissions, event.permission.id), event.permission] }
    case 'permission-resolved':
      return { questions, permissions: without(permissions, event.permissionId) }
    case 'question-asked':
      return { permissions, questions: [...without(questions, event.question.id), event.question] }
    case 'question-resolved':
      return { permissions, questions: without(questions, event.questionId) }
  }
}

function without<T extends { id: string }>(asks: readonly T[], id: string): T[] {
  return asks.filter((ask) => ask.id !== id)
}
