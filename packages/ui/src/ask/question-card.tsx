import type { Answer, PendingQuestion, Question } from '@palimpsest/core/domain'
import { MessageCircleQuestion } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { AskCard, type AskFrame } from './ask-card.tsx'
import {
  type AnswerDraft,
  type AskDraft,
  answerDraft,
  answeredCount,
  chooseOption,
  chooseOwn,
  toAnswers,
  withAnswer,
  writeOwn,
} from './ask-draft.ts'
import { useArmed } from './use-armed.ts'

export type QuestionCardProps = {
  question: PendingQuestion
  frame: AskFrame
  /** True while the answers are on their way. */
  busy: boolean
  draft: AskDraft
  /** Characters that an answer may have. */
  maxCharacters: number
  onDraftChange: (draft: AskDraft) => void
  onAnswer: (answers: Answer[]) => void
}

/** Asks the questions of one call: options to choose from, or the person's own words. */
export function QuestionCard(props: QuestionCardProps) {
  const { busy, draft, onDraftChange } = props
  const { questions } = props.question
  const { ask } = useMessages()
  const answers = toAnswers(questions, draft)
  const off = !useArmed() || busy || answers === null
  return (
    <AskCard
      {...props.frame}
      icon={<MessageCircleQuestion aria-hidden size={16} className="shrink-0 text-caution" />}
      title={ask.answer(questions.length)}
    >
      <form
        className="contents"
        onSubmit={(event) => {
          event.preventDefault()
          if (!off) props.onAnswer(answers)
        }}
      >
        <div className="min-h-0 space-y-3 overflow-y-auto px-4 py-2.5">
          {questions.map((question, index) => (
            <QuestionFields
              // biome-ignore lint/suspicious/noArrayIndexKey: two questions may have one text, and they never change
              key={index}
              question={question}
              answer={answerDraft(draft, index)}
              busy={busy}
              maxCharacters={props.maxCharacters}
              onChange={(answer) => onDraftChange(withAnswer(draft, index, answer))}
            />
          ))}
        </div>
        <div className="flex shrink-0 items-center justify-end gap-3 border-line border-t px-4 py-2.5">
          {questions.length > 1 && (
            <p className="shrink-0 text-sm text-muted tabular-nums">
              {ask.answered(answeredCount(questions, draft), questions.length)}
            </p>
          )}
          <Button type="submit" variant="primary" disabled={off} className="max-md:grow coarse:h-11">
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

type QuestionFieldsProps = {
  question: Question
  answer: AnswerDraft
  busy: boolean
  maxCharacters: number
  onChange: (answer: AnswerDraft) => void
}

function QuestionFields({ question, answer, busy, maxCharacters, onChange }: QuestionFieldsProps) {
  const { ask } = useMessages()
  const name = useId()
  const { multiple = false, options } = question
  return (
    <fieldset disabled={busy}>
      <legend className="pb-1.5 text-base font-medium wrap-anywhere">
        {question.question}
        {multiple && <span className="block text-xs font-normal text-faint">{ask.several}</span>}
      </legend>
      <div className="space-y-1.5">
        {options.map(({ label, description }, index) => (
          <Choice
            // biome-ignore lint/suspicious/noArrayIndexKey: two options may have one label, and they never change
            key={index}
            name={name}
            multiple={multiple}
            chosen={answer.chosen.includes(index)}
            onChoose={() => onChange(chooseOption(answer, index, multiple))}
          >
            <span className="wrap-anywhere">{label}</span>
            {description !== undefined && (
              <span className="block text-sm text-muted wrap-anywhere">{description}</span>
            )}
          </Choice>
        ))}
        <Choice
          name={name}
          multiple={multiple}
          chosen={answer.isOwn}
          onChoose={() => onChange(chooseOwn(answer, multiple))}
        >
          {ask.own}
        </Choice>
        {answer.isOwn && (
          <textarea
            rows={1}
            dir="auto"
            aria-label={ask.ownLabel(question.question)}
            value={answer.own}
            maxLength={maxCharacters}
            onChange={(event) => onChange(writeOwn(answer, event.target.value, multiple))}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
              event.preventDefault()
              event.currentTarget.form?.requestSubmit()
            }}
            className="field-sizing-content max-h-40 min-h-control w-full resize-none rounded-md border border-line-strong bg-paper px-2.5 py-1.5 text-base coarse:min-h-11"
          />
        )}
      </div>
    </fieldset>
  )
}

type ChoiceProps = {
  name: string
  multiple: boolean
  chosen: boolean
  onChoose: () => void
  children: ReactNode
}

function Choice({ name, multiple, chosen, onChoose, children }: ChoiceProps) {
  return (
    <label className="flex min-h-9 cursor-pointer items-start gap-2.5 rounded-md border border-line px-3 py-1.5 text-base transition hover:bg-wash has-checked:border-ink has-checked:bg-wash coarse:min-h-11 coarse:py-2.5">
      <input
        type={multiple ? 'checkbox' : 'radio'}
        name={name}
        checked={chosen}
        onChange={onChoose}
        className="mt-1 size-4 shrink-0 accent-ink"
      />
      <span className="min-w-0 grow">{children}</span>
    </label>
  )
}
