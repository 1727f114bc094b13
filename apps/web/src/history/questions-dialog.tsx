import type { ChatMessage } from '@palimpsest/core/domain'
import { QuestionList } from '@palimpsest/ui'
import type { SessionState } from '../session/session-state.ts'
import { useApp } from '../stores/app-context.tsx'
import { useQuestions } from './use-questions.ts'

export type QuestionsDialogProps = {
  state: SessionState
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** The list of questions of a session; the one that is chosen is gone to, wherever it is. */
export function QuestionsDialog({ state, open, onOpenChange }: QuestionsDialogProps) {
  const { router, history } = useApp()
  const { sessionId, messages } = state
  const list = useQuestions(state, open)
  const read = readUpTo(messages, history.places.of(sessionId)?.messageId ?? null, router.get().anchor)
  return (
    <QuestionList
      open={open}
      onOpenChange={onOpenChange}
      questions={list.questions}
      failed={list.failed}
      onRetry={list.retry}
      currentId={read.findLast(({ role }) => role === 'user')?.id ?? null}
      onGoTo={(anchor) => router.replace({ sessionId, anchor })}
    />
  )
}

/**
 * The messages up to the one at the upper edge of the thread, or up to the one after it where that was gone to: less than a pixel of
 * the one before it may be in view then.
 */
function readUpTo(messages: readonly ChatMessage[], topId: string | null, anchor: string | null) {
  if (topId === null) return messages
  const top = messages.findIndex(({ id }) => id === topId)
  return messages.slice(0, messages[top + 1]?.id === anchor ? top + 2 : top + 1)
}
