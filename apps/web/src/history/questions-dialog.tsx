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
  const place = history.places.of(sessionId)
  const read =
    place === null ? messages : messages.slice(0, 1 + messages.findIndex(({ id }) => id === place.messageId))
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
