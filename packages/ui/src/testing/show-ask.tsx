import type { Answer, PendingQuestion } from '@palimpsest/core/domain'
import { act } from '@testing-library/react'
import { createRef, type ReactNode, useState } from 'react'
import { vi } from 'vitest'
import { type AskDraft, EMPTY_ASK_DRAFT } from '../ask/ask-draft.ts'
import type { AnswerProps } from '../ask/ask-form.tsx'
import { show } from './show.tsx'

type ShownProps = AnswerProps & { question: PendingQuestion }

type LabProps = Pick<ShownProps, 'question' | 'busy' | 'onAnswer'> & {
  card: (props: ShownProps) => ReactNode
  left: () => void
}

function Lab({ card, left, ...props }: LabProps) {
  const [draft, setDraft] = useState<AskDraft>(EMPTY_ASK_DRAFT)
  const frame = { more: 0, ref: createRef<HTMLElement>(), onLeave: left }
  return card({ ...props, frame, draft, maxCharacters: 40, onDraftChange: setDraft })
}

const PENDING = {
  sessionId: 's',
  rootSessionId: 's',
  runId: 'r',
  messageId: 'm',
  toolCallId: 'c',
  createdAt: 0,
  id: 'qst_1',
}

type ShowOptions = Pick<PendingQuestion, 'questions' | 'form'> & { armed?: boolean }

/** Shows a card of questions with a draft of its own, past its first moment unless `armed` is false. Needs fake timers. */
export function showAsk(card: LabProps['card'], { questions, form, armed = true }: ShowOptions) {
  const sent: Answer[][] = []
  const left = vi.fn()
  const question = { ...PENDING, questions, ...(form && { form }) }
  const element = (busy: boolean) => (
    <Lab card={card} left={left} question={question} busy={busy} onAnswer={(answers) => sent.push(answers)} />
  )
  const page = show(element(false))
  if (armed) act(() => vi.advanceTimersByTime(500))
  return Object.assign(page, { sent, left, draw: (busy: boolean) => page.rerender(element(busy)) })
}
