// @vitest-environment happy-dom
import { createRef, type ReactElement } from 'react'
import { expect, test } from 'vitest'
import { EMPTY_ASK_DRAFT } from '../ask/ask-draft.ts'
import { QuestionCard } from '../ask/question-card.tsx'
import { show } from '../testing/show.tsx'
import { DecisionLine } from '../tool/decision-line.tsx'
import { LongText } from '../tool/long-text.tsx'
import { QuestionDetails } from '../tool/question-details.tsx'
import { TodoList } from '../tool/todo-list.tsx'
import { ToolCall } from '../tool/tool-call.tsx'
import type { ToolPart } from '../tool/tool-part.ts'

const turned = 'a\u202Eb\u2066c\u{E0041}d'
const spelled = 'a\\u{202e}b\\u{2066}c\\u{e0041}d'

const call = (facts: Partial<ToolPart>): ToolPart =>
  ({
    type: 'dynamic-tool',
    toolName: turned,
    toolCallId: 'c',
    state: 'output-available',
    input: {},
    output: '',
    ...facts,
  }) as ToolPart

const question = {
  id: 'q',
  sessionId: 's',
  rootSessionId: 's',
  runId: 'r',
  messageId: 'm',
  toolCallId: 'c',
  createdAt: 0,
  questions: [{ question: turned, options: [{ label: turned, description: turned }] }],
}

const places: Record<string, [ReactElement, number]> = {
  'the name of a tool': [<ToolCall key="a" part={call({})} live={false} />, 1],
  'the title of a call': [<ToolCall key="b" part={call({ title: turned })} live={false} />, 1],
  'the command of a call': [
    <ToolCall key="c" part={call({ toolName: 'bash', input: { command: turned } })} live={false} />,
    1,
  ],
  'what a call says while it runs': [
    <ToolCall key="d" part={call({ toolName: 'x', preliminary: true, output: turned })} live />,
    1,
  ],
  'the arguments of a call': [<LongText key="e" label="Arguments" text={turned} exact />, 1],
  'the result of a call': [<LongText key="f" label="Result" text={turned} />, 1],
  'a to-do list': [<TodoList key="g" items={[{ text: turned, state: 'pending' }]} />, 1],
  'questions and answers': [
    <QuestionDetails key="h" questions={[{ question: turned, answers: [turned] }]} />,
    2,
  ],
  'the reason of a denial': [
    <DecisionLine
      key="i"
      part={call({ state: 'output-denied', approval: { id: 'p', approved: false, reason: turned } })}
    />,
    1,
  ],
  'a question and its options': [
    <QuestionCard
      key="j"
      question={question}
      frame={{ more: 0, ref: createRef(), onLeave: () => undefined }}
      busy={false}
      draft={EMPTY_ASK_DRAFT}
      maxCharacters={10}
      onDraftChange={() => undefined}
      onAnswer={() => undefined}
    />,
    3,
  ],
}

test.each(Object.entries(places))('PE-8 in %s no character turns or hides others', (_, [element, times]) => {
  using page = show(element)
  const shown = page.container.textContent ?? ''
  expect(shown.split(spelled)).toHaveLength(times + 1)
  expect(shown).not.toMatch(/[\p{Cf}\p{DI}]/u)
})

test('PE-8 a command in one line names its blanks and marks its new lines', () => {
  const command = `ls${' '.repeat(300)}\nrm x`
  using page = show(<ToolCall part={call({ toolName: 'bash', input: { command } })} live={false} />)
  expect(page.container.textContent).toContain('ls300 spaces↵rm x')
})
