import type { Answer, Question } from '@palimpsest/core/domain'

/** An answer that has not been sent. */
export type AnswerDraft = {
  /** Places of the chosen options. */
  readonly chosen: readonly number[]
  /** The person's own text; it is part of the answer while `isOwn`. */
  readonly own: string
  readonly isOwn: boolean
}

/** What a person has entered about a request and not sent: a reason to deny, or an answer to each question. */
export type AskDraft = {
  readonly reason: string
  /** What a lasting permission would allow; the narrowest pattern until another one is chosen. */
  readonly pattern?: string
  readonly answers: readonly AnswerDraft[]
}

export const EMPTY_ASK_DRAFT: AskDraft = { reason: '', answers: [] }

const NO_ANSWER: AnswerDraft = { chosen: [], own: '', isOwn: false }

export function answerDraft({ answers }: AskDraft, index: number): AnswerDraft {
  return answers[index] ?? NO_ANSWER
}

export function withAnswer(draft: AskDraft, index: number, answer: AnswerDraft): AskDraft {
  const length = Math.max(draft.answers.length, index + 1)
  const answers = Array.from({ length }, (_, at) => (at === index ? answer : answerDraft(draft, at)))
  return { ...draft, answers }
}

/** Chooses an option, or takes the choice back where several may be chosen. The own text is kept. */
export function chooseOption(answer: AnswerDraft, option: number, multiple: boolean): AnswerDraft {
  if (!multiple) return { ...answer, chosen: [option], isOwn: false }
  const isChosen = answer.chosen.includes(option)
  const chosen = isChosen
    ? answer.chosen.filter((at) => at !== option)
    : [...answer.chosen, option].toSorted((a, b) => a - b)
  return { ...answer, chosen }
}

/** Chooses the own text, or takes it out where several may be chosen. The text is kept. */
export function chooseOwn(answer: AnswerDraft, multiple: boolean): AnswerDraft {
  return multiple ? { ...answer, isOwn: !answer.isOwn } : { ...answer, chosen: [], isOwn: true }
}

/** An own text that is entered is chosen. */
export function writeOwn(answer: AnswerDraft, own: string, multiple: boolean): AnswerDraft {
  return { chosen: multiple ? answer.chosen : [], own, isOwn: true }
}

/** One answer to each question; null while a question has none. */
export function toAnswers(questions: readonly Question[], draft: AskDraft): Answer[] | null {
  const answers = questions.map((question, index) => toAnswer(question, answerDraft(draft, index)))
  return answers.some((answer) => answer.length === 0) ? null : answers
}

/** How many questions have an answer. */
export function answeredCount(questions: readonly Question[], draft: AskDraft): number {
  return questions.filter((question, index) => toAnswer(question, answerDraft(draft, index)).length > 0)
    .length
}

function toAnswer({ options }: Question, { chosen, own, isOwn }: AnswerDraft): Answer {
  const labels = chosen.flatMap((option) => options[option]?.label ?? [])
  return isOwn && own.trim() !== '' ? [...labels, own.trim()] : labels
}

/** Everything that was entered in words, the reason first; empty when nothing was. */
export function enteredText({ reason, answers }: AskDraft): string {
  const entered = [reason, ...answers.map(({ own }) => own)].map((text) => text.trim())
  return entered.filter((text) => text !== '').join('\n\n')
}
