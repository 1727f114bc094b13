import type { DemoConversation } from './demo-conversation.ts'
import { echo } from './echo.ts'
import type { ToolMove } from './tool-plan.ts'

const SUBJECT = 'What should I write about?'
const MANNER = 'How should it sound?'

const QUESTIONS = [
  {
    question: SUBJECT,
    options: [
      { label: 'The sea', description: 'Seen from a window, in the evening' },
      { label: 'A clock', description: 'An old one, a little slow' },
      { label: 'Bread', description: 'Still warm' },
    ],
  },
  {
    question: MANNER,
    options: [{ label: 'Short' }, { label: 'Funny' }, { label: 'Old-fashioned' }],
    multiple: true,
  },
]

/** Decides the next move of a demonstration of questions: asks once, then repeats the answers. */
export function nextQuestionMove({ results }: DemoConversation, available: ReadonlySet<string>): ToolMove {
  const asked = results.find(({ toolName }) => toolName === 'question')
  if (asked === undefined)
    return available.has('question')
      ? { say: ASK, call: { toolName: 'question', input: { questions: QUESTIONS } } }
      : { say: NO_QUESTION, call: null }
  return { say: asked.failed ? NOT_ANSWERED : answerTo(asked.text), call: null }
}

function answerTo(text: string): string {
  return `Your answers reached me:

- ${SUBJECT} **${echo(answerIn(text, SUBJECT))}**
- ${MANNER} **${echo(answerIn(text, MANNER))}**

While I waited, no model call was open: the questions were stored, so a reload, a second tab or a restart of the server would have changed nothing. A real model would write now; I only repeat what you said.`
}

/** The line under a question. */
function answerIn(text: string, question: string): string {
  const lines = text.split('\n')
  return lines[lines.indexOf(question) + 1] ?? ''
}

const ASK = 'Two questions before I begin. Take your time: reload the page or stop the server while I wait.'
const NO_QUESTION =
  'I would ask you something now, but this session gave me no way to. Start an ordinary chat and ask again.'
const NOT_ANSWERED = 'I got no answer, so there is nothing to write about.'
