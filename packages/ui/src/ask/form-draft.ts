import type { Answer, Question } from '@palimpsest/core/domain'
import type { AnswerDraft, AskDraft } from './ask-draft.ts'

/** What is entered in each field of a form: what the person has changed, else its usual answer. */
export function formAnswers(questions: readonly Question[], { answers }: AskDraft): AnswerDraft[] {
  return questions.map((question, index) => answers[index] ?? usualAnswer(question))
}

export function withField(
  questions: readonly Question[],
  draft: AskDraft,
  index: number,
  answer: AnswerDraft,
): AskDraft {
  return { ...draft, answers: formAnswers(questions, draft).with(index, answer) }
}

/** One answer for each field, empty where none is needed; null while a needed one is missing. */
export function toFormAnswers(questions: readonly Question[], draft: AskDraft): Answer[] | null {
  const answers = formAnswers(questions, draft).map(({ chosen, own }, index) => {
    const options = questions[index]?.options ?? []
    return options.length > 0
      ? chosen.flatMap((at) => options[at]?.label ?? [])
      : [own.trim()].filter((text) => text !== '')
  })
  const isMissing = questions.some(
    ({ optional, preset }, index) =>
      optional !== true && preset === undefined && (answers[index] ?? []).length === 0,
  )
  return isMissing ? null : answers
}

function usualAnswer({ options, preset = [] }: Question): AnswerDraft {
  const chosen = options.flatMap(({ label }, at) => (preset.includes(label) ? [at] : []))
  return { chosen, own: options.length > 0 ? '' : (preset[0] ?? ''), isOwn: options.length === 0 }
}
