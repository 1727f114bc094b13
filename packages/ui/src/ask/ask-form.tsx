import type { Answer } from '@palimpsest/core/domain'
import type { ReactNode } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { cx } from '../primitives/cx.ts'
import { AskCard, type AskFrame } from './ask-card.tsx'
import type { AskDraft } from './ask-draft.ts'
import { useArmed } from './use-armed.ts'

/** What a card that asks for answers takes, beside its questions. */
export type AnswerProps = {
  frame: AskFrame
  /** True while the answers are on their way. */
  busy: boolean
  draft: AskDraft
  /** Characters that an answer may have. */
  maxCharacters: number
  onDraftChange: (draft: AskDraft) => void
  onAnswer: (answers: Answer[]) => void
}

export type AskFormProps = Pick<AnswerProps, 'frame' | 'busy' | 'onAnswer'> & {
  icon: ReactNode
  title: string
  /** Null while something has no answer that needs one. */
  answers: Answer[] | null
  /** Before the button that answers; `off` is true while no button does anything. */
  foot: (off: boolean) => ReactNode
  children: ReactNode
}

/** A card of fields, with the button that answers. No button does anything in the first moment, nor while a reply is on its way. */
export function AskForm({ frame, icon, title, busy, answers, onAnswer, foot, children }: AskFormProps) {
  const { ask } = useMessages()
  const armed = useArmed()
  const off = !armed || busy
  return (
    <AskCard {...frame} icon={icon} title={title}>
      <form
        className="contents"
        onSubmit={(event) => {
          event.preventDefault()
          if (!off && answers !== null) onAnswer(answers)
        }}
      >
        <div className="min-h-0 space-y-3 overflow-y-auto px-4 py-2.5">{children}</div>
        <div className="flex shrink-0 flex-wrap items-center justify-end gap-2 border-line border-t px-4 py-2.5">
          {foot(off)}
          <Button
            type="submit"
            variant="primary"
            disabled={off || answers === null}
            className="max-md:grow coarse:h-11"
          >
            {ask.submit}
          </Button>
        </div>
      </form>
      <p role="status" className="sr-only">
        {busy && ask.sending}
      </p>
    </AskCard>
  )
}

export type ChoiceProps = {
  name: string
  multiple: boolean
  chosen: boolean
  onChoose: () => void
  /** More of its look. */
  className?: string
  children: ReactNode
}

/** One of several answers to choose from. */
export function Choice({ name, multiple, chosen, onChoose, className, children }: ChoiceProps) {
  return (
    <label
      className={cx(
        'flex min-h-9 cursor-pointer items-start gap-2 rounded-md border border-line px-3 py-1.5 text-base transition hover:bg-wash has-checked:border-ink has-checked:bg-wash coarse:min-h-11 coarse:py-2.5',
        className,
      )}
    >
      <input
        type={multiple ? 'checkbox' : 'radio'}
        name={name}
        checked={chosen}
        onChange={onChoose}
        className="mt-1 size-4 shrink-0 accent-ink"
      />
      <span className="min-w-0 grow wrap-anywhere">{children}</span>
    </label>
  )
}
