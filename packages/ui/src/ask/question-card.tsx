import type { PendingQuestion, Question } from '@palimpsest/core/domain'
import { MessageCircleQuestion } from 'lucide-react'
import { useId } from 'react'
import { visibleWords } from '../exact/visible-text.ts'
import { useMessages } from '../messages/messages-context.tsx'
import {
  type AnswerDraft,
  answerDraft,
  answeredCount,
  chooseOption,
  chooseOwn,
  toAnswers,
  withAnswer,
  writeOwn,
} from './ask-draft.ts'
import { type AnswerProps, AskForm, Choice } from './ask-form.tsx'

export type QuestionCardProps = AnswerProps & { question: PendingQuestion }

/** Asks the questions of one call: options to choose from, or the person's own words. */
export function QuestionCard({ question: { questions }, ...props }: QuestionCardProps) {
  const { busy, draft, maxCharacters, onDraftChange } = props
  const { ask } = useMessages()
  return (
    <AskForm
      {...props}
      icon={<MessageCircleQuestion aria-hidden size={16} className="shrink-0 text-caution" />}
      title={ask.answer(questions.length)}
      answers={toAnswers(questions, draft)}
      foot={() =>
        questions.length > 1 && (
          <p className="mr-1 shrink-0 text-sm text-muted tabular-nums">
            {ask.answered(answeredCount(questions, draft), questions.length)}
          </p>
        )
      }
    >
      {questions.map((question, index) => (
        <QuestionFields
          // biome-ignore lint/suspicious/noArrayIndexKey: two questions may have one text, and they never change
          key={index}
          question={question}
          answer={answerDraft(draft, index)}
          busy={busy}
          maxCharacters={maxCharacters}
          onChange={(answer) => onDraftChange(withAnswer(draft, index, answer))}
        />
      ))}
    </AskForm>
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
        {visibleWords(question.question)}
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
            {visibleWords(label)}
            {description !== undefined && (
              <span className="block text-sm text-muted">{visibleWords(description)}</span>
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
            aria-label={ask.ownLabel(visibleWords(question.question))}
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
