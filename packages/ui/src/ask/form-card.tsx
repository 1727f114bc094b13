import type { FormRefusal, PendingQuestion, Question } from '@palimpsest/core/domain'
import { ClipboardList } from 'lucide-react'
import { useId } from 'react'
import { visibleWords } from '../exact/visible-text.ts'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { type AnswerDraft, chooseOption } from './ask-draft.ts'
import { type AnswerProps, AskForm, Choice } from './ask-form.tsx'
import { formAnswers, toFormAnswers, withField } from './form-draft.ts'

export type FormCardProps = AnswerProps & {
  question: PendingQuestion
  onRefuse: (refused: FormRefusal) => void
}

/** The form that a server asks a person to fill in, or to decline. What the server says is plain text. */
export function FormCard({ question: { questions, form }, ...props }: FormCardProps) {
  const { busy, draft, maxCharacters, onDraftChange, onRefuse } = props
  const { ask } = useMessages()
  const server = visibleWords(form?.server ?? '')
  return (
    <AskForm
      {...props}
      icon={<ClipboardList aria-hidden size={16} className="shrink-0 text-caution" />}
      title={ask.form(server)}
      answers={toFormAnswers(questions, draft)}
      foot={(off) => (
        <>
          <Button disabled={off} onClick={() => onRefuse('cancel')} className="max-md:grow coarse:h-11">
            {ask.closeForm}
          </Button>
          <Button disabled={off} onClick={() => onRefuse('decline')} className="max-md:grow coarse:h-11">
            {ask.declineForm}
          </Button>
        </>
      )}
    >
      {form !== undefined && form.message !== '' && (
        <p className="text-base wrap-anywhere" dir="auto">
          {visibleWords(form.message)}
        </p>
      )}
      {formAnswers(questions, draft).map((answer, index) => {
        const question = questions[index]
        return question === undefined ? null : (
          <FormField
            // biome-ignore lint/suspicious/noArrayIndexKey: the fields of a form never change places
            key={index}
            question={question}
            answer={answer}
            busy={busy}
            maxCharacters={maxCharacters}
            onChange={(changed) => onDraftChange(withField(questions, draft, index, changed))}
          />
        )
      })}
      <p className="text-xs text-muted">{ask.formNote(server)}</p>
    </AskForm>
  )
}

type FormFieldProps = {
  question: Question
  answer: AnswerDraft
  busy: boolean
  maxCharacters: number
  onChange: (answer: AnswerDraft) => void
}

function FormField({ question, answer, busy, maxCharacters, onChange }: FormFieldProps) {
  const { ask } = useMessages()
  const id = useId()
  const { multiple = false, options, optional, hint, preset } = question
  const label = (
    <>
      {visibleWords(question.question)}
      {optional === true && <span className="ml-1.5 text-xs font-normal text-faint">{ask.optional}</span>}
      {hint !== undefined && (
        <span id={`${id}-hint`} className="block text-xs font-normal text-muted wrap-anywhere" dir="auto">
          {visibleWords(hint)}
        </span>
      )}
    </>
  )
  const look = 'block pb-1.5 text-base font-medium wrap-anywhere'
  if (options.length === 0)
    return (
      <div>
        <label htmlFor={id} className={look}>
          {label}
        </label>
        <input
          id={id}
          type="text"
          dir="auto"
          value={answer.own}
          maxLength={maxCharacters}
          readOnly={busy}
          placeholder={preset?.[0]}
          {...(hint !== undefined && { 'aria-describedby': `${id}-hint` })}
          onChange={(event) => onChange({ ...answer, own: event.target.value })}
          className="h-control w-full rounded-md border border-line-strong bg-paper px-2.5 text-base coarse:h-11"
        />
      </div>
    )
  const choices = options.map(({ label: text }, at) => ({ text, at, chosen: answer.chosen.includes(at) }))
  return (
    <fieldset disabled={busy}>
      <legend className={look}>{label}</legend>
      <div className="flex flex-wrap gap-1.5">
        {choices.map(({ text, at, chosen }) => (
          <Choice
            key={at}
            name={id}
            multiple={multiple}
            chosen={chosen}
            onChoose={() => onChange(chooseOption(answer, at, multiple))}
          >
            {visibleWords(text)}
          </Choice>
        ))}
        {optional === true && preset === undefined && !multiple && (
          <Choice
            name={id}
            multiple={false}
            chosen={answer.chosen.length === 0}
            onChoose={() => onChange({ ...answer, chosen: [] })}
          >
            {ask.noAnswer}
          </Choice>
        )}
      </div>
    </fieldset>
  )
}
