import { isRecord, ownToolName, type ToolPart } from './tool-part.ts'

/** A question of a call with its answers; null while it has no reply. */
export type AskedQuestion = { question: string; answers: readonly string[] | null }

/** The questions of a call of the `question` tool, also while they stream; null for any other call. */
export function askedQuestions(part: ToolPart): AskedQuestion[] | null {
  const input: unknown = part.input
  if (ownToolName(part) !== 'question' || !isRecord(input) || !Array.isArray(input['questions'])) return null
  const answers = part.state === 'output-available' ? answersOf(part.output) : null
  return input['questions'].filter(isRecord).flatMap(({ question }, index) => {
    if (typeof question !== 'string') return []
    return [{ question, answers: answers === null ? null : (answers[index] ?? []) }]
  })
}

/** The answers in the output of the `question` tool, one list for each question. */
function answersOf(output: unknown): string[][] | null {
  const data = isRecord(output) && isRecord(output['data']) ? output['data'] : {}
  const answers: unknown = data['answers']
  if (!Array.isArray(answers)) return null
  return answers.map((answer: unknown) =>
    Array.isArray(answer) ? answer.filter((text) => typeof text === 'string') : [],
  )
}
