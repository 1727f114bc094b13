import { z } from 'zod'
import { LIMITS } from '../domain/limits.ts'
import type { Answer } from '../domain/permission/ask.ts'
import { defineTool } from './tool.ts'

/** Asks the person. The run waits for the answers, however long they take. */
export const questionTool = defineTool({
  id: 'question',
  description:
    'Ask the person you work for when only they can decide, and the decision changes what you do next. ' +
    'Offer the likely answers as options, the one that you recommend first; they may also answer in their own words. ' +
    'Ask all that you need to know at once.',
  input: z.object({
    questions: z
      .array(
        z.object({
          question: z.string().min(1).max(1_000),
          options: z
            .array(
              z.object({
                label: z.string().min(1).max(200),
                description: z.string().max(500).exactOptional(),
              }),
            )
            .max(LIMITS.options),
          multiple: z.boolean().describe('True when several options may be chosen').exactOptional(),
        }),
      )
      .min(1)
      .max(LIMITS.questions),
  }),
  requires: () => [],
  questions: ({ questions }) => questions,
  execute: ({ questions }, { answers }) =>
    Promise.resolve({
      text: questions.map(({ question }, index) => `${question}\n${toText(answers[index])}`).join('\n\n'),
      data: { answers },
    }),
})

function toText(answer: Answer | undefined): string {
  return answer === undefined || answer.length === 0 ? 'No answer.' : answer.join('; ')
}
