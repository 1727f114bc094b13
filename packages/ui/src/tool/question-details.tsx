import { visibleWords } from '../exact/visible-text.ts'
import { useMessages } from '../messages/messages-context.tsx'
import type { AskedQuestion } from './question-part.ts'

/** Questions with the answers that were given. */
export function QuestionDetails({ questions }: { questions: readonly AskedQuestion[] }) {
  const { tool } = useMessages()
  return (
    <dl className="space-y-1.5 text-base">
      {questions.map(({ question, answers }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two questions may have one text, and they never change
        <div key={index} dir="auto" className="wrap-anywhere">
          <dt className="text-muted">{visibleWords(question)}</dt>
          {answers !== null && (
            <dd className="whitespace-pre-wrap">{visibleWords(answers.join('\n')) || tool.noAnswer}</dd>
          )}
        </div>
      ))}
    </dl>
  )
}
