import { expect, test } from 'vitest'
import { describeMessage } from '../../../../../packages/core/src/history/read/summarised-messages.ts'
import {
  SUMMARY_INSTRUCTIONS,
  summaryRequest,
} from '../../../../../packages/core/src/history/summary/summary-prompt.ts'
import { planDemo } from './demo-plan.ts'

const says = (role: 'user' | 'assistant', text: string) =>
  describeMessage({ id: `msg_${text}`, role, parts: [{ type: 'text', text }] }, null)
    .map((passage) => passage.text)
    .join('\n')

function summarise(transcript: string): string {
  const plan = planDemo({
    prompt: [
      { role: 'system', content: SUMMARY_INSTRUCTIONS },
      { role: 'user', content: [{ type: 'text', text: summaryRequest(transcript) }] },
    ],
  })
  return plan.type === 'answer' ? plan.text : plan.type
}

test('MO-5 a request for a summary is answered with one, whatever the conversation spoke of', () => {
  const transcript = [
    says('user', 'Please fail with a rate limit.'),
    says('assistant', 'No.'),
    says('user', 'Then be slow.'),
  ].join('\n\n')
  const summary = summarise(transcript)
  expect(summary).toContain('## Goal\n“Please fail with a rate limit.”')
  expect(summary).toContain('- “Please fail with a rate limit.”\n- “Then be slow.”')
  expect(summary).not.toContain('No.')
})

test('MO-5 a second summary carries over what the first one kept', () => {
  const first = summarise(says('user', 'Name a boat'))
  const second = summarise(
    `<earlier-summary>\n${first}\n</earlier-summary>\n\n${says('user', 'And its oars')}`,
  )
  expect(second).toContain('- “Name a boat”\n- “And its oars”')
})
