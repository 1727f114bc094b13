import type { Answer, FormRefusal, PendingQuestion, Question } from '@palimpsest/core/domain'
import { ClipboardList } from 'lucide-react'
import { useId } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import { Button } from '../primitives/button.tsx'
import { AskCard, type AskFrame } from './ask-card.tsx'
import { type AnswerDraft, type AskDraft, chooseOption } from './ask-draft.ts'
import { formAnswers, toFormAnswers, withField } from './form-draft.ts'
import { useArmed } from './use-armed.ts'
import { visibleText } from './visible-text.ts'

export type FormCardProps = {
  question: PendingQuestion
  frame: AskFrame
  /** True while the answers are on their way. */
  busy: boolean
  draft: AskDraft
  /** Characters that an answer may have. */
  maxCharacters: number
  onDraftChange: (draft: AskDraft) => void
  onAnswer: (answers: Answer[]) => void
  onRefuse: (refused: FormRefusal) => void
}

/** The form that a server asks a person to fill in, or to decline. What the server says is plain text. */
export function FormCard(props: FormCardProps) {
  const { busy, draft, onDraftChange } = props
  const { questions, form } = props.question
  const { ask } = useMessages()
  const answers = toFormAnswers(questions, draft)
  const armed = useArmed()
  const off = !armed || busy
  const server = visibleText(form?.server ?? '')
  return (
    <AskCard
      {...props.frame}
      icon={<ClipboardList aria-hidden size={16} className="shrink-0 text-caution" />}
      title={ask.form(server)}
    >
      <form
        className="contents"
        onSubmit={(event) => {
          event.preventDefault()
          if (!off && answers !== null) props.onAnswer(answers)
        }}
      >
        <div className="min-h-0 space-y-3 overflow-y-auto px-4 py-2.5">
          {form !== undefined && form.message !== '' && (
            <p className="text-base wrap-anywhere" dir="auto">
              {visibleText(form.message)}
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
                maxCharacters={props.maxCharacters}
                onChange={(changed) => onDraftChange(withField(questions, draft, index, changed))}
              />
            )
          })}
          <p className="text-xs text-muted">{ask.formNote(server)}</p>
        </div>
        <div className="flex shrink-0 flex-wrap items-center justify-end gap-2 border-line border-t px-4 py-2.5">
          <Button disabled={off} onClick={() => props.onRefuse('cancel')} className="max-md:grow coarse:h-11">
            {ask.closeForm}
          </Button>
          <Button
            disabled={off}
            onClick={() => props.onRefuse('decline')}
            className="max-md:grow coarse:h-11"
          >
            {ask.declineForm}
          </Button>
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
      {visibleText(question.question)}
      {optional === true && <span className="ml-1.5 text-xs font-normal text-faint">{ask.optional}</span>}
      {hint !== undefined && (
        <span id={`${id}-hint`} className="block text-xs font-normal text-muted wrap-anywhere" dir="auto">
          {visibleText(hint)}
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
            text={visibleText(text)}
            onChoose={() => onChange(chooseOption(answer, at, multiple))}
          />
        ))}
        {optional === true && preset === undefined && !multiple && (
          <Choice
            name={id}
            multiple={false}
            chosen={answer.chosen.length === 0}
            text={ask.noAnswer}
            onChoose={() => onChange({ ...answer, chosen: [] })}
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
  text: string
  onChoose: () => void
}

function Choice({ name, multiple, chosen, text, onChoose }: ChoiceProps) {
  return (
    <label className="flex min-h-9 cursor-pointer items-center gap-2 rounded-md border border-line px-3 text-base transition hover:bg-wash has-checked:border-ink has-checked:bg-wash coarse:min-h-11">
      <input
        type={multiple ? 'checkbox' : 'radio'}
        name={name}
        checked={chosen}
        onChange={onChoose}
        className="size-4 shrink-0 accent-ink"
      />
      <span className="min-w-0 wrap-anywhere">{text}</span>
    </label>
  )
}
