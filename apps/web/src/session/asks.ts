import type { PendingPermission, PendingQuestion, SessionEvent } from '@palimpsest/core/domain'
import type { ShownAsk } from '@palimpsest/ui'

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

/** Every call of the same tool that the step of a request asks for, the oldest first, without those that have a reply. */
export function alikeAsks(
  { permissions }: Asks,
  shown: ShownAsk | null,
  replied: ReadonlySet<string>,
): readonly PendingPermission[] {
  if (shown?.kind !== 'approval') return []
  const { tool, messageId } = shown.permission
  return permissions
    .filter((one) => one.tool === tool && one.messageId === messageId && !replied.has(one.id))
    .toSorted((a, b) => a.createdAt - b.createdAt)
}

type OldestAsk = { ask: ShownAsk | null; askId: string | null; more: number }

/** The request that is shown, and how many wait behind it; those that have a reply already are left out. */
export function oldestAsk({ permissions, questions }: Asks, replied: ReadonlySet<string>): OldestAsk {
  const open = [
    ...permissions.map((permission) => ({
      ...idsOf(permission),
      ask: { kind: 'approval', permission } as const,
    })),
    ...questions.map((question) => ({ ...idsOf(question), ask: { kind: 'answer', question } as const })),
  ]
    .filter(({ askId }) => !replied.has(askId))
    .toSorted((a, b) => a.createdAt - b.createdAt)
  const [oldest] = open
  if (oldest === undefined) return { ask: null, askId: null, more: 0 }
  return { ask: oldest.ask, askId: oldest.askId, more: open.length - 1 }
}

function idsOf({ id, createdAt }: { id: string; createdAt: number }) {
  return { askId: id, createdAt }
}
